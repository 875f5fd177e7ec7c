import type { InputNotes } from '../stream/input-notes.ts';
import type { PlacedNotes } from '../view/input-report.ts';
import { type RecordOrigin, sourceOf } from './dead-letters.ts';

/** Adds what a fold noted since it was asked last; `origin` is where its records come from. */
export function takeNotes(notes: InputNotes, into: PlacedNotes, origin: RecordOrigin): void {
  for (const [kind, { offset, element, value }] of notes.firsts)
    if (!into.firsts.has(kind)) into.firsts.set(kind, { source: sourceOf(origin, offset, element), value });
  if (notes.counts.size === 0) return;
  for (const [kind, count] of notes.counts) into.counts.set(kind, (into.counts.get(kind) ?? 0) + count);
  notes.counts.clear();
}
