import { type HistoryValue, historyMetrics, historySize, historyValue } from '../../src/formats/summary/history.ts';
import type { CountHistory, Mark, ValueHistory, ValuePoint } from '../../src/formats/summary/live-document.ts';

/** A history, read: for each group and metric a value at each time. */
export interface ReadHistory {
  /** Wall clock, ms. */
  readonly at: readonly number[];
  /** By id of the group, then path of the metric. */
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, readonly HistoryValue[]>>;
  /** Values of a dimension that came anew, the oldest first. */
  readonly marks: readonly Mark[];
}

/** Points that a value of a running service looks back on: the rate of what was scored in the last half minute. */
export const spanPoints = 6;

/** Adds the points that a reading brought to those that are here; another process, or a gap, starts anew. */
export function mergeHistory(held: CountHistory | undefined, fresh: CountHistory): CountHistory {
  if (held === undefined || held.epoch !== fresh.epoch) return fresh;
  if (fresh.at.length === 0) return held;
  if (fresh.from !== held.from + held.at.length) return fresh;
  const drop = Math.max(0, held.at.length + fresh.at.length - held.points_max);
  const joined = <T>(before: readonly T[], after: readonly T[]): T[] => [...before, ...after].slice(drop);
  const nothing = (length: number): null[] => new Array<null>(length).fill(null);
  const ids = [...new Set([...Object.keys(held.groups), ...Object.keys(fresh.groups)])];
  const groups = ids.map(
    (id) =>
      [id, joined(held.groups[id] ?? nothing(held.at.length), fresh.groups[id] ?? nothing(fresh.at.length))] as const,
  );
  return {
    ...fresh,
    from: held.from + drop,
    at: joined(held.at, fresh.at),
    ingest: joined(held.ingest, fresh.ingest),
    groups: Object.fromEntries(groups.filter(([, points]) => points.some((point) => point !== null))),
  };
}

/** The last point that is here, as the service is asked for what comes after it. */
export function seenOf(history: CountHistory | undefined): string | undefined {
  if (history === undefined || history.at.length === 0) return undefined;
  return `${history.epoch}.${history.from + history.at.length - 1}`;
}

/** Reads the history of a running service, with intervals at `z` standard deviations. */
export function readCounts({ at, groups, marks }: CountHistory, z: number): ReadHistory {
  const valuesOf = (points: CountHistory['groups'][string]): ReadonlyMap<string, readonly HistoryValue[]> => {
    const sums = trailing(points, spanPoints);
    return new Map(
      historyMetrics.map((metric) => [
        metric.path,
        sums.map((cells) => (cells === null ? nothing : historyValue(metric, cells, z))),
      ]),
    );
  };
  return { at, groups: new Map(Object.entries(groups).map(([id, points]) => [id, valuesOf(points)])), marks };
}

/** Reads the history of one window of a report. */
export function readValues({ at, windows }: ValueHistory, window: string): ReadHistory {
  const pointValue = (point: ValuePoint): HistoryValue => {
    const [value, lower, upper] = point ?? [null, null, null];
    return { value, lower, upper, counts: undefined };
  };
  const groups = Object.entries(windows[window] ?? {}).map(([id, byPath]) => {
    const values = Object.entries(byPath).map(([path, points]) => [path, points.map(pointValue)] as const);
    return [id, new Map(values)] as const;
  });
  return { at, groups: new Map(groups), marks: [] };
}

const nothing: HistoryValue = { value: null, lower: null, upper: null, counts: undefined };

/** At each point the sum of the last `span` ones; null where nothing is known of it. */
export function trailing(
  points: readonly (readonly number[] | null)[],
  span: number,
): readonly (readonly number[] | null)[] {
  return points.map((now, at) => (now === null ? null : sumOf(points.slice(Math.max(0, at + 1 - span), at + 1))));
}

/** The sum of the points that are known. */
export function sumOf(points: readonly (readonly number[] | null)[]): number[] {
  const sums = new Array<number>(historySize).fill(0);
  for (const point of points) if (point !== null) for (let i = 0; i < sums.length; i++) sums[i]! += point[i]!;
  return sums;
}
