import assert from 'node:assert/strict';
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
  const key = Buffer.from('k');
  const bytes = Buffer.concat([...values.flatMap((value, at) => [between[at]!, value]), key]);
  const keySpan = { keyStart: bytes.length - key.length, keyEnd: bytes.length };
  let start = 0;
  return values.map((value, at) => {
    start += between[at]!.length;
    const record = {
      bytes,
      start,
      end: start + value.length,
      ...keySpan,
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

/** Equal hashes are of equal contents, but for the output where they are those of all else. Gives how many came again. */
export function checkContents(found: EventBatch, contents: Map<string, string>): number {
  let again = 0;
  for (let row = 0; row < found.count; row++) {
    if (found.reject[row]! > 0 || found.hashed[row] === 0) continue;
    const { output, calls, ...rest } = found.prediction(row);
    const plain = calls?.map(({ name, arguments: given }) => ({ name: name ?? null, given: given ?? null }));
    const content = JSON.stringify([found.label[row], plain, rest]);
    const words = (from: number): string => found.content.subarray(8 * row + from, 8 * row + from + 4).join();
    const whole = `${content} ${JSON.stringify(output)}`;
    for (const [hash, text] of [
      [words(0), content],
      [`${words(0)} ${words(4)}`, whole],
    ] as const) {
      const before = contents.get(hash);
      if (before !== undefined) again++;
      assert.equal(before ?? text, text);
      contents.set(hash, text);
    }
  }
  return again;
}
