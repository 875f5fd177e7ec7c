import { isObject } from '../../scoring/json.ts';
import type { Benchmark } from './benchmark.ts';
import { parsedOr } from '../json/parsed.ts';

/**
 * OpenAI Evals: samples with `ideal`, the expected answer, or a list of answers of which the first counts; also under `item`. It is read where it is a JSON
 * object or array: Assay has no score for free text. The example is the `id`, else the number of the record.
 */
export const openaiEval: Benchmark = {
  read(record, number) {
    const sample = isObject(record['item']) ? record['item'] : record;
    const { ideal, id } = sample;
    if (ideal === undefined) return { problem: 'has no ideal' };
    const reference = parsedOr(Array.isArray(ideal) && typeof ideal[0] === 'string' ? ideal[0] : ideal);
    if (typeof reference !== 'object' || reference === null)
      return { problem: 'its ideal is no JSON object or array; free text is not scored' };
    return { row: { example_id: typeof id === 'string' ? id : String(id ?? number), reference } };
  },
};
