import type { InputReading } from '../inputs/found.ts';
import type { Reader } from '../../stream/event.ts';
import type { ReaderOptions } from '../prediction/reader-options.ts';
import { predictionReader } from '../prediction/reader.ts';
import { judgementProblem, type RawJudgement } from './schema.ts';

/**
 * The reader of judgements (docs/reference/judgements.md): records are read, bounded and refused as predictions are, and carry the time,
 * dimensions and example of theirs.
 */
export function judgementReader(options: Omit<ReaderOptions, 'input' | 'bytes' | 'judgements' | 'decisionOf'>): Reader {
  return predictionReader({ ...options, input: asEvent, judgements: true });
}

const asEvent: InputReading = (value) => {
  const detail = judgementProblem(value);
  if (detail !== undefined) return { found: [{ code: 'schema', detail }], skipped: [] };
  const judgement = value as RawJudgement;
  const { id: event_id, example_id, ts, model, agent, tags } = judgement;
  return { found: [{ event: { event_id, example_id, ts, model, agent, tags, judgement } }], skipped: [] };
};
