import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { parsedOr } from '../json/parsed.ts';
import { expectationIn } from './expectation.ts';
import { firstAt, objectAt, partsUnder, type Platform, type Reading, readingOf } from './platform.ts';

/**
 * MLflow: records of evaluation datasets and tables (`inputs`, `expectations`, `ground_truth`), and assessments, of traces too: expectations are
 * truth, feedback is none. The example is `tags.example_id`, else the trace, else the record of the dataset.
 */
export const mlflow: Platform = {
  parts(record) {
    const info = objectAt(record, 'info');
    const trace = info['trace_id'] ?? record['trace_id'];
    const traced = partsUnder('assessments' in info ? info : record, 'assessments', 'records', 'data');
    return trace === undefined ? traced : traced.map((part) => ({ trace_id: trace, ...part }));
  },
  read(part) {
    if ('expectation' in part || 'feedback' in part) return readAssessment(part);
    const answer = answerOf(part);
    if (answer === undefined && !recordKeys.some((key) => key in part)) return { lack: 'other' };
    const source = objectAt(objectAt(part, 'source'), 'source_data')['trace_id'];
    const id = objectAt(part, 'tags')['example_id'] ?? source;
    const changed = firstAt(part, 'last_update_time', 'created_time');
    const own = firstAt(part, 'trace_id', 'request_id', 'dataset_record_id');
    return readingOf(id ?? own, answer, { input: firstAt(part, 'inputs', 'request'), changed });
  },
};

/** Keys of records and of traces, with or without an expectation. */
const recordKeys = ['inputs', 'request', 'info', 'request_time', 'trace_location'] as const;
/** Expectations that say how an answer in words is judged. */
const wordKeys: ReadonlySet<string> = new Set([
  ...['expected_facts', 'guidelines', 'expected_retrieved_context', 'grading_notes'],
]);

/** Stands for an expectation that is for a judge of words alone. */
const onlyWords = 'words';

/** The expected answer of a record, without the instructions for judges of words. */
function answerOf(part: JsonObject): unknown {
  const given = parsedOr(
    firstAt(part, 'expectations', 'ground_truth', 'ground_truths', 'targets', 'expected_response'),
  );
  if (!isObject(given)) return given;
  const kept = Object.entries(given).filter(([key, value]) => !wordKeys.has(key) && value !== null);
  return kept.length === 0 && Object.keys(given).length > 0 ? onlyWords : Object.fromEntries(kept);
}

function readAssessment(part: JsonObject): Reading {
  if (part['valid'] === false) return { lack: 'archived' };
  const expectation = objectAt(part, 'expectation');
  if (Object.keys(expectation).length === 0) return { lack: 'verdict' };
  const value = expectation['value'] ?? parsedOr(objectAt(expectation, 'serialized_value')['value']);
  const name = firstAt(part, 'assessment_name', 'name');
  const named = typeof name === 'string' ? { [name]: value as Json } : {};
  const found = expectationIn(named);
  const isPart = typeof found === 'object' && !('reference' in found);
  const id = objectAt(part, 'metadata')['example_id'] ?? firstAt(part, 'trace_id', 'span_id');
  return readingOf(id, isPart ? named : value, { changed: firstAt(part, 'last_update_time', 'last_update_time_ms') });
}
