import type { LogRecord } from '../stream/event.ts';
import type { FoldOutput } from '../stream/fold.ts';
import { utf8 } from '../state/containers/identity.ts';
import type { DeadLetter } from '../ports.ts';

/** Where records come from: a partition of a topic, or a file, whose lines are offsets. */
type RecordOrigin = { readonly topic: string; readonly partition: number } | { readonly file: string };

/**
 * The dead letters of a fold's output, which it empties: refused records with their own bytes (copied: they were borrowed), refused
 * elements and expired predictions as JSON.
 */
export function takeDeadLetters(out: FoldOutput, records: readonly LogRecord[], origin: RecordOrigin): DeadLetter[] {
  const rejected = out.rejects.map(({ code, detail, record, offset, element, text }): DeadLetter => {
    const { key, bytes, start, end } = records[record]!;
    const value = text !== undefined ? utf8(text) : start < 0 ? null : bytes.slice(start, end);
    return { reason: code, detail, key: key?.slice() ?? null, value, source: sourceOf(origin, offset, element) };
  });
  const expired = out.expired.map(({ offset, element, exampleId, text }): DeadLetter => {
    const detail = `no truth for example ${JSON.stringify(exampleId)} came in time: add its truth, or raise join.truth_wait or limits.pending`;
    const source = sourceOf(origin, offset, element);
    return { reason: 'no_truth', detail, key: utf8(exampleId), value: utf8(text), source };
  });
  out.rejects.length = 0;
  out.expired.length = 0;
  return rejected.concat(expired);
}

function sourceOf(origin: RecordOrigin, offset: number, element: number): DeadLetter['source'] {
  const at = element < 0 ? {} : { element };
  return 'file' in origin ? { file: origin.file, line: offset, ...at } : { ...origin, offset, ...at };
}
