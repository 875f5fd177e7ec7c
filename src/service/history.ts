import { cellsOf, historySize } from '../formats/summary/history.ts';
import type { CountHistory } from '../formats/summary/live-document.ts';
import { sliceId } from '../formats/summary/live-group.ts';
import { sliceOf } from '../formats/summary/watch-document.ts';
import type { PartitionState } from '../state/partition.ts';
import type { Layout } from '../state/row-layout.ts';
import type { Group, View } from '../view/summary.ts';
import { marked, markedPast, type Marking, markingFrom } from './history-marks.ts';
import { type Past, pastOf, pastRows, countsBy } from './history-past.ts';

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
export interface Circumstances {
  readonly pending: number;
  /** Records not read yet. */
  readonly lag: number;
  /** The partitions that are counted: where others are held than before, the difference is no traffic. */
  readonly partitions: string;
  /** Ids of groups that have a history before others: those that fire. */
  readonly firing: ReadonlySet<string>;
  /** The partitions that are held. */
  readonly states: readonly PartitionState[];
}

/**
 * The history of the last hour, in memory: counts between one point and the next. When partitions come or go it begins anew, with what their panes hold of
 * the time before, by event time.
 */
export interface History {
  add(atMs: number, view: View, now: Circumstances): void;
  /** Points after `seen` (`<epoch>.<number>`, as the page has them), of the total and one set of dimensions. */
  since(seen: string | undefined, slice: string): CountHistory;
}

/** A ring of points; the oldest goes when it is full. */
export function createHistory(options: HistoryOptions): History {
  const points: Point[] = [];
  const last: Last = { epoch: options.epoch, next: 0, read: undefined, partitions: '', cells: new Map() };
  const held: { marking: Marking } = { marking: markingFrom(0, new Map()) };
  return {
    add(atMs, view, now) {
      const isSame = now.partitions === last.partitions;
      const past = isSame ? undefined : pastOf(now.states, { ...options, atMs });
      if (options.marks !== undefined) held.marking = markingAt(atMs, options.marks, now, isSame ? held.marking : past);
      const groups = groupsIn(view, last.cells, now.firing, options);
      const point = pointOf(atMs, view, groups, now, last);
      if (past !== undefined) {
        points.splice(0, points.length, ...pastPoints(past, groups, now, options));
        Object.assign(last, { epoch: `${options.epoch}-${atMs}`, next: points.length });
      } else if (point !== undefined) {
        points.push(point);
        if (points.length > options.pointsMax) points.shift();
        last.next++;
      }
    },
    since(seen, slice) {
      const first = last.next - points.length;
      const [epoch, number] = seen?.split('.') ?? [];
      const from = epoch === last.epoch ? Math.min(last.next, Math.max(first, Number(number) + 1)) : first;
      const marks = held.marking.marks.filter(({ at }) => at >= (points[0]?.atMs ?? 0));
      const shown = historyOf(points.slice(from - first), from, slice, options);
      return { ...shown, epoch: last.epoch, marks };
    },
  };
}

interface Point {
  readonly atMs: number;
  readonly ingest: CountHistory['ingest'][number];
  /** By id. */
  readonly groups: ReadonlyMap<string, PointOfGroup>;
}

interface PointOfGroup {
  /** Set of dimensions; `''` is the total. */
  readonly set: string;
  readonly cells: readonly number[] | null;
}

interface Last {
  epoch: string;
  /** Number of the next point. */
  next: number;
  read: number | undefined;
  partitions: string;
  /** Cumulative cells of the groups that had a history at the last point. */
  cells: ReadonlyMap<string, readonly number[]>;
}

/** A group that has a history. */
interface ChosenGroup extends Pick<Group, 'dimensions'> {
  /** Cumulative. */
  readonly cells: readonly number[];
}

/** The groups of a view that have a history, by id. */
function groupsIn(
  { groups }: View,
  held: Last['cells'],
  firing: ReadonlySet<string>,
  { groupsMax, layout }: HistoryOptions,
): ReadonlyMap<string, ChosenGroup> {
  const found = new Map<string, ChosenGroup>();
  const inAll = groups.filter(({ window }) => window === 'all');
  for (const set of new Set(inAll.map(setOf))) {
    const members = inAll.filter((group) => setOf(group) === set);
    for (const { id, row, dimensions } of chosen(members, held, firing, groupsMax))
      found.set(id, { dimensions, cells: cellsOf(row, layout) });
  }
  return found;
}

/** The counts since the point before; undefined for the first reading, from which the others are measured. */
function pointOf(
  atMs: number,
  { records }: View,
  chosenGroups: ReadonlyMap<string, ChosenGroup>,
  now: Circumstances,
  last: Last,
): Point | undefined {
  const isSame = now.partitions === last.partitions;
  const isFirst = last.read === undefined;
  const groups = new Map<string, PointOfGroup>();
  for (const [id, { cells, ...group }] of chosenGroups)
    groups.set(id, { set: setOf(group), cells: difference(cells, isSame ? last.cells.get(id) : undefined) });
  const read = isSame ? records.read - (last.read ?? 0) : 0;
  const cells = new Map([...chosenGroups].map(([id, group]) => [id, group.cells]));
  Object.assign(last, { read: records.read, partitions: now.partitions, cells });
  return isFirst ? undefined : { atMs, ingest: [Math.max(0, read), now.pending, now.lag], groups };
}

const nothing = new Array<number>(historySize).fill(0);

/** The points of the time before, by event time. */
function pastPoints(
  past: Past,
  groups: ReadonlyMap<string, ChosenGroup>,
  { states }: Circumstances,
  { layout }: HistoryOptions,
): readonly Point[] {
  const sets = new Map([...groups.values()].map((group) => [setOf(group), group.dimensions]));
  const rows = pastRows(past, states, [...sets.values()], (id) => groups.has(id), layout);
  const cellsAt = (point: number, id: string): readonly number[] => {
    const row = rows[point]!.get(id);
    return row === undefined ? nothing : cellsOf(row, layout);
  };
  return past.at.map((atMs, point) => ({
    atMs,
    ingest: null,
    groups: new Map([...groups].map(([id, group]) => [id, { set: setOf(group), cells: cellsAt(point, id) }])),
  }));
}

/** The marks at a point: those before and what came since, or, of other partitions, those of their past. */
function markingAt(
  atMs: number,
  dimension: string,
  { states }: Circumstances,
  before: Marking | Past | undefined,
): Marking {
  if (before !== undefined && 'forCells' in before) return markedPast(states, dimension, before);
  const { total } = countsBy(states, dimension);
  return before === undefined ? markingFrom(atMs, total) : marked(before, atMs, total);
}

interface Member extends Pick<Group, 'dimensions' | 'row'> {
  readonly id: string;
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
    .map((group): Member => ({ id: sliceId(sliceOf(group)), dimensions: group.dimensions, row: group.row }));
  const first = members.filter(({ id }) => firing.has(id));
  const others = members.slice(0, 2 * groupsMax).filter(({ id }) => !firing.has(id));
  const [kept, fresh] = [others.filter(({ id }) => held.has(id)), others.filter(({ id }) => !held.has(id))];
  return [...first, ...kept, ...fresh].slice(0, groupsMax);
}

function setOf({ dimensions }: Pick<Group, 'dimensions'>): string {
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
): Omit<CountHistory, 'epoch' | 'marks'> {
  const shown = points.flatMap(({ groups }) => [...groups].filter(([, { set }]) => set === '' || set === slice));
  const ids = new Set(shown.map(([id]) => id));
  return {
    kind: 'counts',
    every_ms: options.everyMs,
    points_max: options.pointsMax,
    from,
    at: points.map(({ atMs }) => atMs),
    groups: Object.fromEntries([...ids].map((id) => [id, points.map(({ groups }) => groups.get(id)?.cells ?? null)])),
    ingest: points.map(({ ingest }) => ingest),
  };
}
