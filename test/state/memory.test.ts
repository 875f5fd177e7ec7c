import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memoryEstimate } from '../../src/app/memory.ts';
import { settingsOf } from '../../src/app/settings.ts';
import { openTruth } from '../../src/formats/truth/open.ts';
import { truthBuilder } from '../../src/formats/truth/builder.ts';
import { loadConfig } from '../../src/config/load.ts';
import { pendingCharacters } from '../../src/state/memory.ts';
import type { RunObservation } from '../../src/scoring/stability/index.ts';
import { histogramKeys } from '../../src/scoring/stability/histograms.ts';
import { stability } from '../../src/scoring/stability/index.ts';
import { seenBefore } from '../../src/state/dedupe.ts';
import { clearIdChanges, type Ids, takenSegments } from '../../src/state/containers/ids.ts';
import { tallyEntries } from '../../src/state/breakdowns.ts';
import { evictPanes, tallyEvent } from '../../src/state/panes.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { addPending } from '../../src/state/pending.ts';
import { clearChanges, createTable, type Table } from '../../src/state/containers/table.ts';

const limits = { dedupe_ids: 150_000, pending: 20_000, slices: 20, names: 2_000, stability_groups: 50_000 };
const flags = Object.entries(limits).map(([name, value]) => ({ path: ['limits', name], value, place: 'test' }));
const manyRuns = { path: ['metrics', 'stability', 'k'], value: 20, place: 'test' };
const { config } = loadConfig({ flags: [...flags, manyRuns] });
const estimate = memoryEstimate(config);
const startMs = Date.UTC(2026, 0, 1);

type Fill = (state: PartitionState) => readonly (Table | Ids)[];

/** By part: fills a partition to its limit with the functions of the fold, and says which tables hold it. */
const fills: Readonly<Record<string, Fill>> = {
  'ids remembered'(state) {
    const words = new Uint32Array(4);
    state.numbers.greatestTs = startMs;
    for (let id = 0; id < limits.dedupe_ids; id++) seenBefore(state, scrambled(words, id), 0, startMs - id);
    return [state.seen];
  },
  'pending predictions'(state) {
    for (let offset = 0; offset < limits.pending; offset++) {
      const exampleId = ownText(`example-${offset}`.padEnd(20, '0'));
      const text = ownText(`${offset}`.padEnd(pendingCharacters, 'x'));
      addPending(state, { exampleId, ts: startMs + offset, offset, element: 0 }, text);
    }
    state.pending.added.clear();
    return [];
  },
  windows(state) {
    for (let second = 0; second <= 86_400; second += 10) {
      const ts = startMs + 1_000 * second;
      state.numbers.greatestTs = ts;
      for (let slice = 0; slice < limits.slices; slice++) tallyEvent(state, slice, ts);
      evictPanes(state);
    }
    return [state.tallies];
  },
  breakdowns(state) {
    addNames(state);
    for (let slice = 0; slice < limits.slices; slice++) tallyEntries(state, slice);
    return [state.entries];
  },
  'groups of runs'(state) {
    const words = new Uint32Array(4);
    const { groups, derived, settings } = state;
    for (let group = 0; group < limits.stability_groups; group++) {
      const run = observation(scrambled(words, group), 0, 0);
      settings.stability!.observe(groups, derived.groupIndex!, run, { add: () => undefined });
    }
    return [groups];
  },
  'histograms of runs'(state) {
    const { k } = config.metrics.stability;
    for (let slice = 0; slice < limits.slices; slice++)
      for (let gold = 0; gold < 4; gold++)
        for (let key = 0; key < histogramKeys(k); key++) state.derived.histograms.add(slice, gold, 0, key, 1);
    return [state.entries];
  },
};

test('every part of a partition is estimated within a quarter of what it takes', () => {
  assert.deepEqual(Object.keys(fills).sort(), estimate.partition.map(({ name }) => name).sort());
  for (const { name, bytes } of estimate.partition) {
    const state = emptyPartition(settingsOf(config, undefined));
    const before = heapBytes();
    const holders = fills[name]!(state);
    for (const table of [state.groups, state.tallies, state.entries]) clearChanges(table);
    clearIdChanges(state.seen);
    state.derived.contribution.entries.length = 0;
    const objects = heapBytes() - before;
    const buffers = holders.reduce((sum, holder) => sum + buffersOf(holder), 0) + indexBuffers(state);
    const taken = buffers + objects;
    assert.ok(Math.abs(bytes / taken - 1) < 0.25, `${name}: ${bytes} bytes estimated, ${taken} taken`);
  }
});

test('the index of truth is estimated within a quarter of what it takes', () => {
  const builder = truthBuilder();
  const rows = 100_000;
  for (let row = 0; row < rows; row++)
    builder.add({ example_id: `e${row}`, label: 'direct', tools: null, expected_tool_calls: null, reference: null });
  const { index, labels, toolCounts } = openTruth([{ name: 't', bytes: builder.finish() }]);
  const taken = index.slots.byteLength + index.starts.byteLength + labels.byteLength + toolCounts.byteLength;
  const { bytes, factors } = estimate.instance.find(({ name }) => name === 'index of truth')!;
  const expected = (bytes / factors[0]!.count) * rows;
  assert.ok(Math.abs(expected / taken - 1) < 0.25, `${expected} bytes estimated, ${taken} taken`);
});

test('the keys of histograms are counted: all that groups of three runs can come to', () => {
  const family = stability({ k: 3, form: 'closed', keepMs: 1, groupsMax: 1e6, mode: 'upstream' });
  const groups = createTable(family.groupValues);
  const index = family.createIndex(groups);
  const keys = new Set<string>();
  const into = {
    add: (_slice: number, _gold: number, histogram: number, key: number) => void keys.add(`${histogram}/${key}`),
  };
  const words = new Uint32Array(4);
  for (let group = 0; group < 15 ** 3; group++) {
    scrambled(words, group);
    for (let run = 0; run <= 3; run++) {
      const outcome = Math.floor(group / 15 ** (run % 3)) % 15;
      family.observe(
        groups,
        index,
        { ...observation(words, run, outcome % 5), verdict: Math.floor(outcome / 5) as 0 | 1 | 2 },
        into,
      );
    }
  }
  family.evict(groups, index, Number.POSITIVE_INFINITY, into);
  assert.equal(keys.size, histogramKeys(3));
});

/** A run of a group that `words` identify, of gold label 1. */
function observation(words: Uint32Array, run: number, label: number): RunObservation {
  const who = { exampleWords: words, exampleAt: 0, modelWords: words, modelAt: 0, agentWords: words, agentAt: 0 };
  return { ...who, slice: 0, gold: 1, label: label as RunObservation['label'], run, verdict: 1, tsMs: startMs };
}

function addNames({ derived, settings }: PartitionState): void {
  settings.layout.families.forEach((family, at) => {
    const { entry } = derived.contribution.tallies[at]!;
    for (let breakdown = 0; breakdown < family.breakdowns.length; breakdown++)
      for (let name = 0; name < limits.names; name++) {
        const subkey = name % 2 === 0 ? '' : ownText(`parameter_${name}`);
        entry(breakdown, ownText(`tool_${at}_${breakdown}_${name}`), subkey, 0, 1);
      }
  });
}

/** A text that shares no memory with others, as those that were decoded from bytes. */
function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** Words that differ from number to number in all places. */
function scrambled(words: Uint32Array, number: number): Uint32Array {
  for (let i = 0; i < 4; i++) words[i] = Math.imul(number + 1, [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f][i]!);
  return words;
}

function buffersOf(holder: Table | Ids): number {
  if ('segments' in holder) return takenSegments(holder).reduce((sum, { words }) => sum + words.byteLength, 0);
  const { chunks, slots, changes } = holder;
  return chunks.reduce((sum, chunk) => sum + chunk.byteLength, slots.byteLength + changes.marks.byteLength);
}

function indexBuffers({ derived: { groupIndex, lastPanes } }: PartitionState): number {
  const all = [groupIndex!.rows, groupIndex!.times, lastPanes.panes, lastPanes.rows];
  return all.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Bytes of JavaScript's objects that are in use. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
