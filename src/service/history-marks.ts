import type { Mark } from '../formats/summary/live-document.ts';
import type { View } from '../view/summary.ts';

/** A value that was not scored for so long is marked again: a version that went away and came back. */
const pauseMs = 10 * 60_000;
const marksMax = 50;

/** The values of a dimension that came anew. */
export interface Marking {
  /** The oldest first. */
  readonly marks: readonly Mark[];
  /** Looks at the groups of a view, at a wall clock in ms. */
  add(atMs: number, view: View): void;
}

/**
 * Marks the values of a dimension that are scored for the first time, or again after ten minutes without. Values of the first view are not
 * marked: when they began is not known. A view counts each value in the first set of dimensions that has it.
 */
export function createMarking(dimension: string | undefined): Marking {
  const marks: Mark[] = [];
  const seen = new Map<string, { scored: number; atMs: number }>();
  let isFirst = true;
  return {
    marks,
    add(atMs, view) {
      if (dimension === undefined) return;
      for (const [value, scored] of scoredBy(view, dimension)) {
        const last = seen.get(value);
        if (last !== undefined && scored <= last.scored) continue;
        if (!isFirst && (last === undefined || atMs - last.atMs >= pauseMs)) marks.push({ at: atMs, value });
        seen.set(value, { scored, atMs });
      }
      isFirst &&= seen.size === 0;
      marks.splice(0, Math.max(0, marks.length - marksMax));
    },
  };
}

/** Events scored since the beginning by value of a dimension. */
function scoredBy({ groups }: View, dimension: string): ReadonlyMap<string, number> {
  const set = groups.find(({ dimensions }) => dimensions.includes(dimension))?.dimensions.join();
  const counts = new Map<string, number>();
  for (const { dimensions, values, window, scored } of groups) {
    if (window !== 'all' || dimensions.join() !== set) continue;
    const value = values[dimensions.indexOf(dimension)]!;
    if (value !== '') counts.set(value, (counts.get(value) ?? 0) + scored);
  }
  return counts;
}
