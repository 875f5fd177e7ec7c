import { histogramKeys, histogramLabels } from '../scoring/stability/histograms.ts';
import { heapBytes } from './containers/heap.ts';
import { segmentBytes } from './containers/id-segment.ts';
import type { Table } from './containers/table.ts';
import { endedPerOpen } from './open-runs.ts';
import { emptyContainers } from './partition.ts';
import { plainPerOpen } from './plain-spans.ts';
import type { Settings } from './settings.ts';

/** The memory of one kind of thing: the product of the factors, that many times. */
export interface MemoryPart {
  readonly name: string;
  readonly factors: readonly Factor[];
  readonly bytes: number;
}

interface Factor {
  readonly count: number;
  /** In the plural: `ids`. */
  readonly of: string;
}

/** Characters of the text of a pending prediction; a person's traffic may have others. */
export const pendingCharacters = 1_000;

/** Steps of an open run, and characters of the text of each, most of them its call; a person's traffic may have others. */
export const runSteps = 20;
export const stepCharacters = 280;

/**
 * The memory of a partition's state when every limit is reached: all slices in all panes, all names in all slices. Tables by their layout;
 * what JavaScript keeps besides (maps, arrays, texts) by measured bytes. Beside it lie what changed since the last checkpoint and
 * what is read at a scrape, which pass.
 */
export function partitionMemory(settings: Settings): readonly MemoryPart[] {
  const { limits, layout, windows, stability, runs, revision } = settings;
  const tables = emptyContainers(settings);
  const slices = { count: limits.slices, of: 'slices' };
  const breakdowns = { count: layout.breakdownCount, of: 'breakdowns' };
  const names = { count: limits.names, of: 'names' };
  // One pane that has no end, for window `all`.
  const panes = { count: windows.tiers.reduce((sum, tier) => sum + tier.panes, 1), of: 'panes' };
  return [
    part('ids remembered', [{ count: limits.dedupeIds, of: 'ids' }], segmentBytes),
    part('pending predictions', [{ count: limits.pending, of: 'predictions' }], (count) => count * pendingBytes),
    ...(revision === undefined
      ? []
      : [part('events for revision', [{ count: revision.most, of: 'events' }], (count) => count * revisableBytes)]),
    ...runParts(runs),
    part('windows', [slices, panes], (rows) => tableBytes(tables.panes, rows) + rows * rowInPane),
    part('breakdowns', [{ count: limits.breakdowns, of: 'rows' }], (rows) => tableBytes(tables.breakdowns, rows)),
    part('names', [breakdowns, names], (count) => count * nameBytes),
    part('blames', [{ count: limits.attributions, of: 'sets in panes' }], (rows) => {
      return tableBytes(tables.attributions, rows) + rows * rowInPane;
    }),
    part('sets blamed', [{ count: limits.names, of: 'sets' }], (count) => count * setBytes),
    ...(stability === undefined
      ? []
      : [
          part('groups of runs', [{ count: limits.groups, of: 'groups' }], (rows) => {
            return tableBytes(tables.groups, rows) + heapBytes(rows);
          }),
          part(
            'histograms of runs',
            [slices, { count: histogramLabels * histogramKeys(stability.k) + stability.k + 1, of: 'keys' }],
            (rows) => tableBytes(tables.breakdowns, rows),
          ),
        ]),
    ...perGroup('numbers of runs', 'examples', tables.runNumbers, limits),
    ...perGroup('verdicts of judges', 'predictions', tables.verdicts, limits),
  ];
}

/** A table that has as many rows as there are groups of runs at most; none where it is not kept. */
function perGroup(
  name: string,
  of: string,
  table: Table | undefined,
  { groups }: Settings['limits'],
): readonly MemoryPart[] {
  if (table === undefined) return [];
  return [part(name, [{ count: groups, of }], (rows) => tableBytes(table, rows) + heapBytes(rows))];
}

function runParts({ isRead, runsMax }: Settings['runs']): readonly MemoryPart[] {
  if (!isRead) return [];
  const steps = [
    { count: runsMax, of: 'runs' },
    { count: runSteps, of: 'steps' },
  ];
  return [
    part('open runs', steps, (count) => count * (stepBytes + stepCharacters)),
    part('plain spans', [{ count: plainPerOpen * runsMax, of: 'spans' }], (count) => count * plainSpanBytes),
    part('runs that ended', [{ count: endedPerOpen * runsMax, of: 'ids' }], segmentBytes),
  ];
}

/** Measured, as are those below: the maps and the queue of pending predictions, and the one byte that a character takes. */
const pendingBytes = 450 + pendingCharacters;

/** An event that failed, with what it added: measured with an event of 900 characters. */
const revisableBytes = 820 + pendingCharacters;

/** The texts, their map and the list of their numbers, and a twentieth of a run with its key. */
const stepBytes = 90;

/** A span that is the only one of its trace; of ten in one record each takes 70. */
const plainSpanBytes = 350;

/** A name in the dictionary and in the index of known keys. */
const nameBytes = 375;

/** Bytes of a set of attributions, some 150 characters, in the dictionary. */
const setBytes = 230;

/** A row number in the list of its pane. */
const rowInPane = 8;

function part(name: string, factors: readonly Factor[], bytesOf: (count: number) => number): MemoryPart {
  return { name, factors, bytes: bytesOf(factors.reduce((product, { count }) => product * count, 1)) };
}

/** A table of so many rows: their doubles, their marks, and an index of two 32-bit slots at a load of at most a half. */
function tableBytes({ stride }: Table, rows: number): number {
  return 8 * stride * rows + powerOfTwo(rows) + 4 * powerOfTwo(4 * rows);
}

/** The least power of two that is not below. */
function powerOfTwo(count: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, count)));
}
