import type { LogRecord } from '../stream/event.ts';
import type { FoldOutput } from '../stream/fold.ts';
import { utf8 } from '../state/containers/identity.ts';
import type { DeadLetter } from '../ports.ts';

/** Where a record lies: a topic's partition, or a file. The offset, or line, is the record's. */
export type Place = { readonly topic: string; readonly partition: number } | { readonly file: string };

/**
 * The dead letters of a fold's output, which it empties: refused records with their own bytes (copied: they were borrowed), refused
 * elements and expired predictions as JSON.
 */
export function takeDeadLetters(out: FoldOutput, records: readonly LogRecord[], place: Place): DeadLetter[] {
  const letters: DeadLetter[] = [];
  for (const { code, detail, record, offset, element, text } of out.rejects) {
    const source = sourceOf(place, offset, element);
    const { key, bytes, start, end } = records[record]!;
    const value = text !== undefined ? utf8(text) : start < 0 ? null : bytes.slice(start, end);
    letters.push({ reason: code, detail, key: key?.slice() ?? null, value, source });
  }
  for (const { offset, element, exampleId, text } of out.expired) {
    const detail = `no truth for example ${JSON.stringify(exampleId)} came in time: add its truth, or raise join.truth_wait or limits.pending`;
    letters.push({
      reason: 'no_truth',
      detail,
      key: utf8(exampleId),
      value: utf8(text),
      source: sourceOf(place, offset, element),
    });
  }
  out.rejects.length = 0;
  out.expired.length = 0;
  return letters;
}

function sourceOf(place: Place, offset: number, element: number): DeadLetter['source'] {
  const at = element < 0 ? {} : { element };
  return 'file' in place ? { file: place.file, line: offset, ...at } : { ...place, offset, ...at };
}
