import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { memoryEstimate } from '../../src/commands/config/memory.ts';
import { settingsOf } from '../../src/config/settings.ts';
import { truthBuilder } from '../../src/formats/truth/builder.ts';
import { openTruth } from '../../src/formats/truth/open.ts';
import type { LabelCode } from '../../src/scoring/label.ts';
import { histogramKeys } from '../../src/scoring/stability/histograms.ts';
import { type Addition, createAdditionWriter } from '../../src/state/addition.ts';
import { addAttribution } from '../../src/state/attribution-set.ts';
import { addAttributions } from '../../src/state/attributions.ts';
import { addBreakdowns, addToHistogram } from '../../src/state/breakdowns.ts';
import { clearIdChanges, type Ids, takenSegments } from '../../src/state/containers/ids.ts';
import { clearChanges, type Table } from '../../src/state/containers/table.ts';
import { seenBefore } from '../../src/state/dedupe.ts';
import { pendingCharacters, runSteps, stepCharacters } from '../../src/state/memory.ts';
import { addStep, rememberEnd } from '../../src/state/open-runs.ts';
import { addPlainSpans } from '../../src/state/plain-spans.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { addPending } from '../../src/state/pending.ts';
import { addRun, type Run } from '../../src/state/run-groups/index.ts';
import { evictPanes, tallyEvent } from '../../src/state/window-sums.ts';
import { attributing } from '../support/attributions.ts';
import { oneScored } from '../support/one-scored.ts';
import { runs } from '../support/soak.ts';
import { configWith } from '../support/folding.ts';

const limits = {
  dedupe_ids: 150_000,
  pending: 20_000,
  slices: 20,
  names: 5_000,
  breakdowns: 200_000,
  blames: 50_000,
  stability_groups: 50_000,
  open_runs: runs(5_000, 50_000),
};
const config = configWith({ limits, 'metrics.stability.k': 20, 'runs.by': '/conversation' });
const estimate = memoryEstimate(config);
const startMs = Date.UTC(2026, 0, 1);

type Fill = (state: PartitionState) => readonly (Table | Ids)[];

/** By part: fills a partition to its limit with the functions of the fold, and says which tables hold it. */
const fills: Readonly<Record<string, Fill>> = {
  'ids remembered'(state) {
    const words = new Uint32Array(4);
    const { dedupe } = state;
    for (let id = 0; id < limits.dedupe_ids; id++) seenBefore(dedupe, scrambled(words, id), 0, startMs - id, startMs);
    return [dedupe.ids];
  },
  'pending predictions'(state) {
    for (let offset = 0; offset < limits.pending; offset++) {
      const exampleId = ownText(`example-${offset}`.padEnd(20, '0'));
      const text = ownText(`${offset}`.padEnd(pendingCharacters, 'x'));
      addPending(state.pending, { exampleId, ts: startMs + offset, offset, element: 0 }, text);
    }
    state.pending.log.added.clear();
    return [];
  },
  'open runs'({ openRuns }) {
    const id = (run: number, step: number): string => `chatcmpl-${run}-${step}`.padEnd(37, '0');
    const times = { ts: startMs, start: startMs, lagMs: 0, ends: false, parent: undefined, follows: undefined };
    for (let step = 0; step < runSteps; step++)
      for (let run = 0; run < limits.open_runs; run++) {
        const entry = { offset: limits.open_runs * step + run, element: -1, part: 'model', id: id(run, step) } as const;
        const content = ownText(`{"output":"${run}-${step}`.padEnd(stepCharacters - 70, 'x'));
        addStep(openRuns, ownText(`conversation-${run}`), { ...entry, ...times, toolsText: undefined }, content);
      }
    openRuns.log.added.clear();
    return [];
  },
  'plain spans'({ openRuns }) {
    for (let span = 0; span < 5 * limits.open_runs; span++) {
      const [run, id, parent] = [32, 16, 16].map((length) => ownText(`${span}`.padStart(length, '0')));
      addPlainSpans(openRuns, { run: run!, ts: startMs, ids: [id!, parent!] });
    }
    openRuns.log.added.clear();
    return [];
  },
  'runs that ended'({ openRuns }) {
    for (let run = 0; run < 10 * limits.open_runs; run++) rememberEnd(openRuns, `trace ${run}`, startMs, false);
    clearIdChanges(openRuns.ended);
    return [openRuns.ended];
  },
  windows(state) {
    const row = oneScored(state.settings.layout);
    for (let second = 0; second <= 86_400; second += 10) {
      const ts = startMs + 1_000 * second;
      for (let slice = 0; slice < limits.slices; slice++) tallyEvent(state.sums, row, slice, ts, ts);
      evictPanes(state.sums, ts);
    }
    return [state.panes.table];
  },
  breakdowns(state) {
    const entries = namesOf(state, 25).entries.slice(0, 200);
    for (let slice = 0; slice < limits.breakdowns / entries.length; slice++)
      addBreakdowns(state.breakdowns, entries, slice);
    assert.equal(state.breakdowns.rows, limits.breakdowns);
    return [state.breakdowns.table];
  },
  names(state) {
    addBreakdowns(state.breakdowns, namesOf(state, limits.names).entries, 0);
    return [];
  },
  blames({ attributions }) {
    const common = Array.from({ length: 6 }, (_, name) => attributing(0, [`tool_${name}`]));
    for (let at = 0; attributions.floors.some((floor) => floor === Number.NEGATIVE_INFINITY); at++)
      for (const set of common)
        addAttributions(attributions, set, at % limits.slices, startMs + 10_000 * Math.floor(at / limits.slices));
    return [attributions.table];
  },
  'sets blamed'({ attributions }) {
    for (let at = 0; at < limits.names; at++) {
      const tool = ownText(`tool_of_some_name_${at}`);
      const set = attributing(1, [tool]);
      for (const slot of [20, 30, 40]) addAttribution(set, slot, 'tool', tool, '');
      for (const slot of [20, 40]) addAttribution(set, slot, 'argument', tool, 'parameter');
      addAttribution(set, 70, 'wrong_value', tool, 'parameter');
      addAttributions(attributions, set, 0, startMs);
    }
    return [];
  },
  'groups of runs'({ runGroups }) {
    const words = new Uint32Array(4);
    for (let group = 0; group < limits.stability_groups; group++)
      addRun(runGroups!, scrambled(words, group), runOf(0, 0, 1));
    return [runGroups!.table];
  },
  'histograms of runs'(state) {
    const { k } = config.metrics.stability;
    for (let slice = 0; slice < limits.slices; slice++)
      for (let key = 0; key < 4 * histogramKeys(k) + k + 1; key++) addToHistogram(state.breakdowns, slice, 0, key, 1);
    return [state.breakdowns.table];
  },
};

test('every part of a partition is estimated within a quarter of what it takes', () => {
  assert.deepEqual(Object.keys(fills).sort(), estimate.partition.map(({ name }) => name).sort());
  for (const { name, bytes } of estimate.partition) {
    const taken = takenBy(fills[name]!);
    assert.ok(Math.abs(bytes - taken) < 0.25 * taken + noise, `${name}: ${bytes} bytes estimated, ${taken} taken`);
  }
});

/** Bytes that come and go with compiled code, and with what other tests of the process left. */
const noise = 300_000;

setFlagsFromString('--expose-gc');
// Once: a context takes a megabyte, and goes when it likes.
const collect = runInNewContext('gc') as () => void;

/** Bytes that a partition takes when it was filled: a function of its own, so that nothing holds the partition afterwards. */
function takenBy(fill: Fill): number {
  const state = emptyPartition(settingsOf(config, undefined));
  const before = heapBytes();
  const holders = fill(state);
  for (const { table } of [state.runGroups!, state.panes, state.breakdowns, state.attributions]) clearChanges(table);
  clearIdChanges(state.dedupe.ids);
  const objects = heapBytes() - before;
  return holders.reduce((sum, holder) => sum + buffersOf(holder), 0) + indexBuffers(state) + objects;
}

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

/** A run of gold label 1. */
function runOf(index: number, label: number, verdict: number): Run {
  return { index, label: label as LabelCode, verdict: verdict as Run['verdict'], gold: 1, slice: 0, ts: startMs };
}

/** An addition that holds so many names in every breakdown. */
function namesOf({ settings }: PartitionState, names: number): Addition {
  const writer = createAdditionWriter(settings.layout);
  settings.layout.families.forEach((family, at) => {
    const { entry } = writer.tallies[at]!;
    for (let breakdown = 0; breakdown < family.breakdowns.length; breakdown++)
      for (let name = 0; name < names; name++) {
        const subkey = name % 2 === 0 ? '' : ownText(`parameter_${name}`);
        entry(breakdown, ownText(`tool_${at}_${breakdown}_${name}`), subkey, 0, 1);
      }
  });
  return writer.addition;
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

function indexBuffers({ runGroups, pending, openRuns }: PartitionState): number {
  const heaps = [runGroups!.byLastRun, pending.queue, openRuns.queue].flatMap(({ items, times }) => [items, times]);
  return heaps.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** Bytes of JavaScript's objects that are in use: what earlier tests left behind may take a few collections to go. */
function heapBytes(): number {
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    collect();
    const { heapUsed } = process.memoryUsage();
    if (heapUsed > before - 10_000) return heapUsed;
    before = heapUsed;
  }
}
