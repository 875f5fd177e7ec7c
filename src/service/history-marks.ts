import type { Mark } from '../formats/summary/live-document.ts';
import type { PartitionState } from '../state/partition.ts';
import { type Past, countsBy } from './history-past.ts';

/** A value that was not seen for so long is marked again: a version that went away and came back. */
const pauseMs = 10 * 60_000;
const marksMax = 50;

/** The values of a dimension that came anew. */
export interface Marking {
  /** The oldest first. */
  readonly marks: readonly Mark[];
  /** The count of each value, and when it last grew, ms. */
  readonly seen: ReadonlyMap<string, Seen>;
}

interface Seen {
  readonly count: number;
  readonly atMs: number;
}

/** Values that are known at a time, ms, with their counts: none of them is marked. */
export function markingFrom(atMs: number, counts: ReadonlyMap<string, number>): Marking {
  return { marks: [], seen: new Map([...counts].map(([value, count]) => [value, { count, atMs }])) };
}

/** Marks the values that are seen for the first time, or again after ten minutes without, at a time in ms. The last 50 marks are kept. */
export function marked({ marks, seen }: Marking, atMs: number, counts: ReadonlyMap<string, number>): Marking {
  const fresh: Mark[] = [];
  const now = new Map(seen);
  for (const [value, count] of counts) {
    const last = seen.get(value);
    if (last !== undefined && count <= last.count) continue;
    if (last === undefined || atMs - last.atMs >= pauseMs) fresh.push({ at: atMs, value });
    now.set(value, { count, atMs });
  }
  // Of one moment: which came first is not known.
  fresh.sort((a, b) => (a.value < b.value ? -1 : 1));
  return { marks: [...marks, ...fresh].slice(-marksMax), seen: now };
}

/** The marks of the past, by event time. Values that were seen before it are known when it begins. */
export function markedPast(states: readonly PartitionState[], dimension: string, past: Past): Marking {
  const { total, points } = countsBy(states, dimension, past);
  const before = new Map(total);
  for (const point of points) for (const [value, count] of point) before.set(value, before.get(value)! - count);
  const counts = new Map(before);
  const known = new Map([...before].filter(([, count]) => count > 0));
  return points.reduce(
    (marking, point, index) => {
      for (const [value, count] of point) counts.set(value, counts.get(value)! + count);
      const present = new Map([...point.keys()].map((value) => [value, counts.get(value)!]));
      return marked(marking, past.at[index]!, present);
    },
    markingFrom(past.at[0]!, known),
  );
}
