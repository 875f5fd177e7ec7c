import type { DeadLetter } from '../ports.ts';
import type { InputNotes } from '../stream/input-notes.ts';
import type { PlacedNotes } from '../view/input-report.ts';
import { type RecordOrigin, sourceOf } from './dead-letters.ts';

/** Adds what a fold noted since it was asked last; `origin` is where its records come from. An example that had no truth may have some by now. */
export function takeNotes(notes: InputNotes, into: PlacedNotes, origin: RecordOrigin): void {
  const named = into.firsts.get('no_truth')?.source;
  if (named !== undefined && isOf(named, origin)) into.firsts.delete('no_truth');
  for (const [kind, { offset, element, value }] of notes.firsts)
    if (!into.firsts.has(kind)) into.firsts.set(kind, { source: sourceOf(origin, offset, element), value });
  if (notes.counts.size === 0) return;
  for (const [kind, count] of notes.counts) into.counts.set(kind, (into.counts.get(kind) ?? 0) + count);
  notes.counts.clear();
}

function isOf(source: DeadLetter['source'], origin: RecordOrigin): boolean {
  return (
    'topic' in source && 'topic' in origin && source.topic === origin.topic && source.partition === origin.partition
  );
}
