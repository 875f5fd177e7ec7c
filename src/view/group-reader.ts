import type { RateOf } from '../scoring/reading.ts';
import { rowsOfZeros } from '../state/containers/shared-arrays.ts';
import type { PartitionState } from '../state/partition.ts';
import { scoredSlot } from '../state/row-layout.ts';
import type { Settings } from '../state/settings.ts';
import { type GroupParts, rowOf } from './fold-groups.ts';
import { createRowCache, type RowCache } from './row-cache.ts';
import type { MergedSlices } from './merge-slices.ts';
import { readBlocks, runsOf } from './read-blocks.ts';
import type { Since, SinceOf } from './since.ts';
import type { Group } from './summary.ts';

/**
 * The groups of the last view, so that one whose cells are what they were is that object again, and what was made of it holds. Views that share
 * them have the same settings and options.
 */
export interface GroupCache {
  last: Readings | undefined;
  readonly rows: RowCache;
}

/** Groups of one view. */
interface Readings extends Pick<GroupSource, 'states'> {
  /** The kinds of runs, in the order of their numbers. */
  readonly kinds: string;
  /** By window and key. */
  readonly groups: Map<string, Reading>;
}

/** A group, and what was counted of its runs, by kind. Breakdowns are not compared: they grow with the cells. */
interface Reading {
  readonly group: Group;
  readonly runs: Float64Array;
}

/** Keeps nothing yet. */
export function createGroupCache(): GroupCache {
  return { last: undefined, rows: createRowCache() };
}

/** The source of a view's groups. */
export interface GroupSource {
  readonly states: readonly PartitionState[];
  readonly cells: MergedSlices;
  readonly settings: Settings;
  readonly since: SinceOf;
  /** The names of the windows, `all` first. */
  readonly names: readonly string[];
}

export interface ReaderOptions {
  readonly rate: RateOf;
  readonly withBreakdowns: boolean;
  readonly kept?: GroupCache | undefined;
}

/** Reads the groups of a view; `keep`, once all are read, keeps them for the next. */
export function groupReader(
  source: GroupSource,
  options: ReaderOptions,
): { read(parts: GroupParts, window: number): Group; keep(): void } {
  const { states, cells, settings, since, names } = source;
  const { kept = createGroupCache() } = options;
  const kinds = JSON.stringify(cells.kinds.list);
  const before = keptFor(kept, states, kinds);
  const readings: Readings = { states: [...states], kinds, groups: new Map() };
  const newRow = rowsOfZeros(settings.layout.width);
  const readAnew = (parts: GroupParts, window: number, row: Float64Array, runs: Float64Array): Group => {
    const { dimensions, values } = parts;
    const blocks = readBlocks(cells, parts, { row, runs }, settings, { ...options, isAll: window === 0 });
    const availableSince = since(dimensions, window, Object.keys(blocks));
    const group = { dimensions, values, window: names[window]!, scored: row[scoredSlot]!, blocks, row };
    return availableSince === undefined ? group : { ...group, since: availableSince };
  };
  return {
    read(parts, window) {
      const row = rowOf(parts, settings.layout, newRow, window);
      const runs = window === 0 ? runsOf(parts, cells.kinds) : noRuns;
      const key = `${names[window]} ${parts.key}`;
      const known = before.get(key);
      const isSame =
        known !== undefined &&
        equal(known.group.row, row) &&
        equal(known.runs, runs) &&
        isSince(known.group.since, since(parts.dimensions, window, Object.keys(known.group.blocks)));
      const reading = isSame ? known : { group: readAnew(parts, window, row, runs), runs };
      readings.groups.set(key, reading);
      return reading.group;
    },
    keep() {
      kept.last = readings;
    },
  };
}

const noRuns = new Float64Array(0);

/** The cache for a view of these states, or of the first of them; empty where kinds of runs had other numbers. */
function keptFor({ last }: GroupCache, states: GroupSource['states'], kinds: string): ReadonlyMap<string, Reading> {
  const isSame = last?.kinds === kinds && last.states.every((state, index) => state === states[index]);
  return isSame ? last.groups : new Map();
}

function isSince(a: Since | undefined, b: Since | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function equal(a: Float64Array, b: Float64Array): boolean {
  if (a === b) return true;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
