import { rejectCodeOf } from '../../src/state/reject.ts';
import type { EventBatch, LogRecord } from '../../src/stream/event.ts';
import type { Random } from '../sim/prng.ts';
import { recordTime } from './event-reader.ts';

/** The text of a record. */
export function textOf({ bytes, start, end }: LogRecord): string {
  return Buffer.from(bytes).toString('utf8', start, end);
}

/** Records that lie in one another's bytes. */
export function recordsIn(values: readonly Uint8Array[], random: Random): LogRecord[] {
  const between = values.map(() => Buffer.from(random.pick(['', '"', '}', ' ', '0', '\\', ',"label":"direct"}'])));
  const bytes = Buffer.concat(values.flatMap((value, at) => [between[at]!, value]));
  let start = 0;
  return values.map((value, at) => {
    start += between[at]!.length;
    const record = {
      bytes,
      start,
      end: start + value.length,
      key: Buffer.from('k'),
      offset: at,
      timestamp: recordTime,
    };
    start += value.length;
    return record;
  });
}

/** Everything that a batch says of each row. */
export function rowsOf(batch: EventBatch, tags: readonly string[]) {
  const { names } = batch;
  return Array.from({ length: batch.count }, (_, row) => {
    const place = { record: batch.record[row]!, element: batch.element[row]! };
    if (batch.reject[row]! > 0) {
      const [code, detail] = [rejectCodeOf(batch.reject[row]!), batch.rejectDetail(row)];
      return { ...place, code, detail, limit: batch.rejectLimit(row), near: batch.nearName(row) };
    }
    const words = [...batch.example.subarray(4 * row, 4 * row + 4)];
    if (batch.identified[row] === 1) words.push(...batch.event.subarray(4 * row, 4 * row + 4));
    const prediction = batch.prediction(row);
    return {
      ...place,
      words,
      prediction: { ...prediction, output: prediction.output },
      numbers: [batch.ts[row], batch.run[row], batch.label[row]],
      names: [names.text(batch.model[row]!), names.text(batch.agent[row]!)],
      asked: ['team', 'n', 'trace_id'].map((name) => batch.tag(row, name)),
      tags: tags.map((_, tag) => names.text(batch.tags[row * tags.length + tag]!)),
      ids: [batch.exampleId(row), batch.eventId(row)],
      labelText: batch.labelText(row),
      malformed: batch.malformedCalls(row),
      near: batch.nearName(row),
      pending: batch.pendingText(row, batch.ts[row]!),
    };
  });
}
