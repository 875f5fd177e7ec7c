import assert from 'node:assert/strict';
import { settingsOf } from '../../../src/config/settings.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { readBlock } from '../../../src/scoring/family.ts';
import type { LabelCode } from '../../../src/scoring/label.ts';
import type { Block } from '../../../src/scoring/metric.ts';
import { rateWith, z95 } from '../../../src/scoring/reading.ts';
import { histogramNames } from '../../../src/scoring/stability/histograms.ts';
import { type StabilityOptions, stability, type Verdict } from '../../../src/scoring/stability/index.ts';
import { type Breakdowns, breakdownKeys, createBreakdowns } from '../../../src/state/breakdowns.ts';
import { hash128OfText } from '../../../src/state/containers/hash128.ts';
import {
  chunkOf,
  createTable,
  insertRow,
  keyOf,
  liveRows,
  type Table,
  valuesAt,
} from '../../../src/state/containers/table.ts';
import { noLimitHits } from '../../../src/state/limit-hits.ts';
import { writeGroupKey } from '../../../src/state/run-groups/group-key.ts';
import {
  addRun,
  type CompleteGroup,
  createRunGroups,
  evictGroups,
  type RunGroups,
  restoreRunGroups,
} from '../../../src/state/run-groups/index.ts';

/** A run as tests write it. */
export interface RunEvent {
  readonly example: string;
  readonly model: string;
  readonly agent: string;
  readonly slice: number;
  readonly gold: number | undefined;
  readonly label: LabelCode;
  readonly run: number;
  readonly verdict: Verdict;
  readonly tsMs: number;
}

/** Options of the family, and bounds of what collects its groups. */
export interface GroupOptions extends StabilityOptions {
  readonly keepMs: number;
  readonly groupsMax: number;
}

export const defaults: GroupOptions = {
  k: 5,
  form: 'closed',
  keepMs: 7 * 86_400_000,
  groupsMax: 1_000_000,
  mode: 'spec',
};

/** The groups of a partition that nothing else happens in. */
export interface Harness {
  readonly options: GroupOptions;
  readonly histograms: Breakdowns;
  groups: RunGroups;
  greatestTsMs: number;
}

const settings = settingsOf(loadConfig({}).config, undefined);

export function harness(options: Partial<GroupOptions> = {}): Harness {
  const whole = { ...defaults, ...options };
  const histograms = createBreakdowns(settings, noLimitHits());
  const groups = groupsOf(whole, histograms);
  return { options: whole, histograms, groups, greatestTsMs: Number.NEGATIVE_INFINITY };
}

function groupsOf(options: GroupOptions, histograms: Breakdowns, table?: Table): RunGroups {
  const limits = { ...settings.limits, groups: options.groupsMax };
  return createRunGroups(
    stability(options),
    { keepGroupsMs: options.keepMs, limits },
    noLimitHits(),
    histograms,
    table,
  );
}

/** Takes one run in, the way the fold does. */
export function observe(into: Harness, event: RunEvent): CompleteGroup | undefined {
  if (event.tsMs > into.greatestTsMs) {
    into.greatestTsMs = event.tsMs;
    evictGroups(into.groups, into.greatestTsMs);
  }
  const { run: index, label, verdict, gold, slice, tsMs: ts } = event;
  return addRun(into.groups, keyOfGroup(event), { index, label, verdict, gold, slice, ts });
}

export function keyOfGroup(event: Pick<RunEvent, 'example' | 'model' | 'agent'>): Uint32Array {
  const key = new Uint32Array(4);
  const words = identitiesOf(event);
  writeGroupKey(key, words);
  return key;
}

/** Identities of example, model and agent, one behind the other. */
function identitiesOf(event: Pick<RunEvent, 'example' | 'model' | 'agent'>): Uint32Array {
  const words = new Uint32Array(12);
  hash128OfText(event.example, words, 0);
  hash128OfText(event.model, words, 4);
  hash128OfText(event.agent, words, 8);
  return words;
}

/** Totals by `slice/gold/histogram/key`. */
export function totalsOf({ histograms: { table, layout } }: Harness): Map<string, number> {
  return new Map(
    liveRows(table).map((row) => {
      const number = keyOf(table, row, breakdownKeys.breakdown) - layout.breakdownCount;
      const [histogram, gold] = [Math.floor(number / 4), number % 4];
      const [slice, key] = [keyOf(table, row, breakdownKeys.slice), keyOf(table, row, breakdownKeys.key)];
      const total = chunkOf(table, row)[valuesAt(table, row)]!;
      assert.ok(slice >= 0 && histogram in histogramNames);
      assert.ok(Number.isSafeInteger(key) && key >= 0 && Number.isSafeInteger(total) && total >= 0);
      return [`${slice}/${gold}/${histogram}/${key}`, total];
    }),
  );
}

/** Groups dropped, as the histograms tell. */
export function droppedIn(from: Harness): number {
  return [...totalsOf(from)].reduce((sum, [at, total]) => (/\/0\/2$/.test(at) ? sum + total : sum), 0);
}

/** The block over all slices, or over those given. */
export function blockOf(
  from: Harness,
  slices?: readonly number[],
  totals: ReadonlyMap<string, number> = totalsOf(from),
): Block | null {
  const counts = (histogram: number, gold: number): ReadonlyMap<number, number> => {
    const merged = new Map<number, number>();
    for (const [at, total] of totals) {
      const [slice, itsGold, itsHistogram, key] = at.split('/').map(Number) as [number, number, number, number];
      if (itsGold !== gold || itsHistogram !== histogram || slices?.includes(slice) === false) continue;
      merged.set(key, (merged.get(key) ?? 0) + total);
    }
    return merged;
  };
  return readBlock(from.groups.family, { counts }, rateWith(z95));
}

/** Totals that are not 0, in order: equal histograms are deeply equal. */
export function histogramsOf(from: Harness): [string, number][] {
  return [...totalsOf(from)].filter(([, total]) => total !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Rows of a table as texts, in order: equal contents are deeply equal. */
export function rowsOf(table: Table): string[] {
  return liveRows(table)
    .map((row) => [...chunkOf(table, row).slice(valuesAt(table, row) - 4, valuesAt(table, row) + table.values)].join())
    .sort();
}

/** Goes on with a copy of the table whose rows lie in reverse order, and an index made from it. */
export function restore(into: Harness): void {
  const { table } = into.groups;
  const copy = createTable(table.values);
  for (const row of liveRows(table).reverse()) {
    const at = valuesAt(table, row);
    const [k0, k1, k2, k3] = [0, 1, 2, 3].map((key) => keyOf(table, row, key)) as [number, number, number, number];
    const to = insertRow(copy, k0, k1, k2, k3);
    chunkOf(copy, to).set(chunkOf(table, row).slice(at, at + table.values), valuesAt(copy, to));
  }
  into.groups = groupsOf(into.options, into.histograms, copy);
  restoreRunGroups(into.groups);
}

/** Deep equality with numbers within 1e-9, keys in the same order. */
export function assertClose(actual: unknown, expected: unknown, path = ''): void {
  if (typeof expected === 'number' && typeof actual === 'number') {
    assert.ok(Math.abs(actual - expected) <= 1e-9, `${path}: ${actual}, expected ${expected}`);
    assert.ok(!Object.is(actual, -0), `${path}: -0`);
  } else if (typeof expected === 'object' && expected !== null && typeof actual === 'object' && actual !== null) {
    assert.deepEqual(Object.keys(actual), Object.keys(expected), path);
    for (const [key, value] of Object.entries(expected)) {
      assertClose((actual as Record<string, unknown>)[key], value, `${path}.${key}`);
    }
  } else assert.equal(actual, expected, path);
}
