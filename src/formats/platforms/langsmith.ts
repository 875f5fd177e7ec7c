import { isObject } from '../../scoring/json.ts';
import { firstAt, objectAt, partsUnder, type Platform, readingOf } from './platform.ts';

/**
 * LangSmith: examples of datasets (`inputs`, `outputs`) and feedback. Feedback is truth where it has a `correction` of the answer: one with a
 * `score` corrects an evaluator. The example is `metadata.example_id`, else the id of the example, which runs have as `reference_example_id`, or the run.
 */
export const langsmith: Platform = {
  parts: (record) => partsUnder(record, 'examples', 'feedback'),
  read(part) {
    const changed = firstAt(part, 'modified_at', 'created_at');
    const own = objectAt(part, 'metadata')['example_id'];
    const isFeedback = 'key' in part && ('run_id' in part || 'trace_id' in part);
    if (!isFeedback) {
      if (!('outputs' in part || 'inputs' in part)) return { lack: 'other' };
      const answer = firstAt(part, 'outputs', 'reference_outputs');
      return readingOf(own ?? firstAt(part, 'id', 'example_id'), answer, { input: part['inputs'], changed });
    }
    const { correction } = part;
    const isOfScore = isObject(correction) && 'score' in correction;
    if (correction === undefined || correction === null || isOfScore) return { lack: 'verdict' };
    return readingOf(own ?? firstAt(part, 'run_id', 'trace_id'), correction, { changed });
  },
};
