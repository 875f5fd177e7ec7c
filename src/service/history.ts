import { cellsOf } from '../formats/summary/history.ts';
import type { CountHistory } from '../formats/summary/live-document.ts';
import { sliceId } from '../formats/summary/live-group.ts';
import { sliceOf } from '../formats/summary/watch-document.ts';
import type { Layout } from '../state/row-layout.ts';
import type { Group, View } from '../view/summary.ts';
import { createMarking } from './history-marks.ts';

export interface HistoryOptions {
  readonly epoch: string;
  readonly everyMs: number;
  readonly pointsMax: number;
  /** Groups of each set of dimensions that have a history: those that fire, then those with the most predictions. */
  readonly groupsMax: number;
  /** The layout of the rows of groups. */
  readonly layout: Layout;
  /** The dimension whose new values are marked; undefined marks nothing. */
  readonly marks?: string | undefined;
}

/** The circumstances of a point besides the view. */
export interface IngestNow {
  readonly pending: number;
  /** Records not read yet. */
  readonly lag: number;
  /** The partitions that are counted: where others are held than before, the difference is no traffic. */
  readonly partitions: string;
  /** Ids of groups that have a history before others: those that fire. */
  readonly firing: ReadonlySet<string>;
}

/** The history of the last hour, in memory: counts between one point and the next. */
export interface History {
  add(atMs: number, view: View, ingest: IngestNow): void;
  /** Points after `seen` (`<epoch>.<number>`, as the page has them), of the total and one set of dimensions. */
  since(seen: string | undefined, slice: string): CountHistory;
}

/** A ring of points; the oldest goes when it is full. */
export function createHistory(options: HistoryOptions): History {
  const points: Point[] = [];
  const last: Last = { next: 0, read: undefined, partitions: '', cells: new Map() };
  const marking = createMarking(options.marks);
  return {
    // The first reading is what the others are measured from.
    add(atMs, view, ingest) {
      const point = pointOf(atMs, view, ingest, last, options);
      marking.add(atMs, view);
      if (point === undefined) return;
      points.push(point);
      if (points.length > options.pointsMax) points.shift();
      last.next++;
    },
    since(seen, slice) {
      const first = last.next - points.length;
      const [epoch, number] = seen?.split('.') ?? [];
      const from = epoch === options.epoch ? Math.min(last.next, Math.max(first, Number(number) + 1)) : first;
      const marks = marking.marks.filter(({ at }) => at >= (points[0]?.atMs ?? 0));
      return { ...historyOf(points.slice(from - first), from, slice, options), marks };
    },
  };
}

interface Point {
  readonly atMs: number;
  readonly ingest: readonly [number, number, number];
  /** By id. */
  readonly groups: ReadonlyMap<string, PointOfGroup>;
}

interface PointOfGroup {
  /** Set of dimensions; `''` is the total. */
  readonly set: string;
  readonly cells: readonly number[] | null;
}

interface Last {
  /** Number of the next point. */
  next: number;
  read: number | undefined;
  partitions: string;
  /** Cumulative cells of the groups that had a history at the last point. */
  cells: Map<string, readonly number[]>;
}

function pointOf(atMs: number, view: View, now: IngestNow, last: Last, options: HistoryOptions): Point | undefined {
  const { groupsMax, layout } = options;
  const cumulative = new Map<string, readonly number[]>();
  const groups = new Map<string, PointOfGroup>();
  const before = now.partitions === last.partitions ? last.cells : new Map<string, readonly number[]>();
  const inAll = view.groups.filter(({ window }) => window === 'all');
  for (const set of new Set(inAll.map(setOf))) {
    const members = inAll.filter((group) => setOf(group) === set);
    for (const { id, row } of chosen(members, last.cells, now.firing, groupsMax)) {
      const cells = cellsOf(row, layout);
      cumulative.set(id, cells);
      groups.set(id, { set, cells: difference(cells, before.get(id)) });
    }
  }
  const isFirst = last.read === undefined;
  const read = now.partitions === last.partitions ? view.records.read - (last.read ?? 0) : 0;
  Object.assign(last, { read: view.records.read, partitions: now.partitions, cells: cumulative });
  return isFirst ? undefined : { atMs, ingest: [Math.max(0, read), now.pending, now.lag], groups };
}

interface Member {
  readonly id: string;
  readonly row: Float64Array;
}

/**
 * The groups that fire, then those with the most predictions. One that has a history keeps it while it is among the first `2 * groupsMax`:
 * groups of like traffic do not take turns.
 */
function chosen(
  groups: readonly Group[],
  held: Last['cells'],
  firing: ReadonlySet<string>,
  groupsMax: number,
): readonly Member[] {
  const members = [...groups]
    .sort((a, b) => b.scored - a.scored)
    .map((group): Member => ({ id: sliceId(sliceOf(group)), row: group.row }));
  const first = members.filter(({ id }) => firing.has(id));
  const others = members.slice(0, 2 * groupsMax).filter(({ id }) => !firing.has(id));
  const [kept, fresh] = [others.filter(({ id }) => held.has(id)), others.filter(({ id }) => !held.has(id))];
  return [...first, ...kept, ...fresh].slice(0, groupsMax);
}

function setOf({ dimensions }: Group): string {
  return dimensions.join();
}

/** Null where nothing can be said: the first point of a group, or one at which counts went with a partition that was taken away. */
function difference(now: readonly number[], before: readonly number[] | undefined): readonly number[] | null {
  if (before === undefined) return null;
  const added = now.map((count, at) => count - before[at]!);
  return added.some((count) => count < 0) ? null : added;
}

function historyOf(
  points: readonly Point[],
  from: number,
  slice: string,
  options: HistoryOptions,
): Omit<CountHistory, 'marks'> {
  const shown = points.flatMap(({ groups }) => [...groups].filter(([, { set }]) => set === '' || set === slice));
  const ids = new Set(shown.map(([id]) => id));
  return {
    kind: 'counts',
    epoch: options.epoch,
    every_ms: options.everyMs,
    points_max: options.pointsMax,
    from,
    at: points.map(({ atMs }) => atMs),
    groups: Object.fromEntries([...ids].map((id) => [id, points.map(({ groups }) => groups.get(id)?.cells ?? null)])),
    ingest: points.map(({ ingest }) => ingest),
  };
}
