import assert from 'node:assert/strict';
import { readBlock } from '../../../src/scoring/family.ts';
import type { Block } from '../../../src/scoring/metric.ts';
import { identityOfText } from '../../../src/state/containers/identity.ts';
import type { LabelCode } from '../../../src/scoring/label.ts';
import { rateWith, z95 } from '../../../src/scoring/reading.ts';
import {
  type GroupIndex,
  histogramNames,
  type Stability,
  type StabilityOptions,
  type StabilityTally,
  stability,
  type Verdict,
} from '../../../src/scoring/stability/index.ts';
import {
  chunkOf,
  createTable,
  insertRow,
  liveRows,
  type Table,
  valuesAt,
} from '../../../src/state/containers/table.ts';

/** A run as tests write it. */
export interface RunEvent {
  readonly example: string;
  readonly model: string;
  readonly agent: string;
  readonly slice: number;
  readonly gold: number;
  readonly label: LabelCode;
  readonly run: number;
  readonly verdict: Verdict;
  readonly tsMs: number;
}

export const defaults: StabilityOptions = {
  k: 5,
  form: 'closed',
  keepMs: 7 * 86_400_000,
  groupsMax: 1_000_000,
  mode: 'spec',
};

/** The family with a table, an index and histograms in memory: what the fold keeps of it. */
export interface Harness {
  readonly family: Stability;
  groups: Table;
  index: GroupIndex;
  greatestTsMs: number;
  /** Total by `slice/gold/histogram/key`. */
  readonly totals: Map<string, number>;
  readonly tally: StabilityTally;
  /** Groups dropped, as `observe` and `evict` told. */
  dropped: number;
}

export function harness(options: Partial<StabilityOptions> = {}): Harness {
  const family = stability({ ...defaults, ...options });
  const groups = createTable(family.groupValues);
  const totals = new Map<string, number>();
  const tally: StabilityTally = {
    add(slice, gold, histogram, key, amount) {
      assert.ok(slice >= 0 && gold >= 0 && gold < 4 && histogram in histogramNames);
      assert.ok(Number.isSafeInteger(key) && key >= 0 && Number.isSafeInteger(amount));
      const at = `${slice}/${gold}/${histogram}/${key}`;
      const total = (totals.get(at) ?? 0) + amount;
      assert.ok(total >= 0, `total ${at} is ${total}`);
      totals.set(at, total);
    },
  };
  const index = family.createIndex(groups);
  return { family, groups, index, greatestTsMs: Number.NEGATIVE_INFINITY, totals, tally, dropped: 0 };
}

/** Takes one run in, the way the fold does. */
export function observe(into: Harness, event: RunEvent): void {
  if (event.tsMs > into.greatestTsMs) {
    into.greatestTsMs = event.tsMs;
    into.dropped += into.family.evict(into.groups, into.index, into.greatestTsMs, into.tally);
  }
  const words = identitiesOf(event);
  const identities = {
    exampleWords: words,
    exampleAt: 0,
    modelWords: words,
    modelAt: 4,
    agentWords: words,
    agentAt: 8,
  };
  into.dropped += into.family.observe(into.groups, into.index, { ...identities, ...event }, into.tally);
}

/** Identities of example, model and agent, one behind the other. */
export function identitiesOf(event: Pick<RunEvent, 'example' | 'model' | 'agent'>): Uint32Array {
  const words = new Uint32Array(12);
  identityOfText(event.example, words, 0);
  identityOfText(event.model, words, 4);
  identityOfText(event.agent, words, 8);
  return words;
}

/** The block over all slices, or over those given. */
export function blockOf(from: Harness, slices?: readonly number[]): Block | null {
  const counts = (histogram: number, gold: number): ReadonlyMap<number, number> => {
    const merged = new Map<number, number>();
    for (const [at, total] of from.totals) {
      const [slice, itsGold, itsHistogram, key] = at.split('/').map(Number) as [number, number, number, number];
      if (itsGold !== gold || itsHistogram !== histogram || slices?.includes(slice) === false) continue;
      merged.set(key, (merged.get(key) ?? 0) + total);
    }
    return merged;
  };
  return readBlock(from.family, { counts }, rateWith(z95));
}

/** Totals that are not 0, in order: equal histograms are deeply equal. */
export function histogramsOf(from: Harness): [string, number][] {
  return [...from.totals].filter(([, total]) => total !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Rows of a table as texts, in order: equal contents are deeply equal. */
export function rowsOf(table: Table): string[] {
  return liveRows(table)
    .map((row) => [...chunkOf(table, row).slice(valuesAt(table, row) - 4, valuesAt(table, row) + table.values)].join())
    .sort();
}

/** Goes on with a copy of the table whose rows lie in reverse order, and an index made from it. */
export function restore(into: Harness): void {
  const copy = createTable(into.groups.values);
  for (const row of liveRows(into.groups).reverse()) {
    const from = chunkOf(into.groups, row);
    const at = valuesAt(into.groups, row);
    const to = insertRow(copy, from[at - 4]!, from[at - 3]!, from[at - 2]!, from[at - 1]!);
    chunkOf(copy, to).set(from.slice(at, at + into.groups.values), valuesAt(copy, to));
  }
  into.groups = copy;
  into.family.reindex(copy, into.index);
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
