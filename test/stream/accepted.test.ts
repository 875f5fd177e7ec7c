import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { settingsOf } from '../../src/config/settings.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import { namesIn } from '../../src/state/attribution-set.ts';
import { forAttributions } from '../../src/state/attributions.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { watcherOf } from '../../src/service/watches.ts';
import { activateTruth } from '../../src/stream/fold.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';
import { watchReadings } from '../../src/view/watches.ts';
import { configWith, foldingOf, viewWith } from '../support/folding.ts';
import { resolveAll } from '../support/resolve-all.ts';
import { runs } from '../support/soak.ts';

/* Families that need no truth count an event when it is accepted. Neither the truth nor the moment at which it comes changes what they say. */

const config = configWith();
const startMs = Date.UTC(2026, 4, 1);
const none = { tools: null, expected_tool_calls: null, reference: null };
const noTruth = truthFromRecords([]);

const events = fc.array(
  fc.record({
    example_id: fc.constantFrom('a', 'b', 'c'),
    event_id: fc.nat(40).map(String),
    ts: fc.integer({ min: startMs, max: startMs + 7_200_000 }),
    model: fc.constantFrom('m1', 'm2'),
    tools: fc.constantFrom(undefined, ['find'], ['find', 'pay']),
    tool_calls: fc.array(fc.constantFrom('find', 'pay', 'fly').map((name) => ({ name, arguments: {} }))),
    results: fc.constantFrom(undefined, [{ call: 0, ok: false, error: 'Error: 1' }], [{ call: 0, ok: true }]),
    output: fc.constantFrom(undefined, 'done'),
  }),
  { maxLength: 30 },
);
const truthOf = (ids: readonly string[]): TruthTable =>
  truthFromRecords(
    ids.map((id) => ({
      ...none,
      example_id: id,
      label: 'tool_call' as const,
      tools: [{ name: 'fly', parameters: undefined }],
    })),
  );
const ids = fc.subarray(['a', 'b', 'c']);

/** Folds events with a truth, and then another; `cut`: events before that. */
function folded(given: readonly object[], truths: readonly [TruthTable, TruthTable], cut: number) {
  const { fold, add, state } = foldingOf(config, truths[0]);
  const counts = { accepted: 0, scored: 0, failed: 0 };
  fold.out.onAccepted = () => void counts.accepted++;
  fold.out.onScored = () => void counts.scored++;
  fold.out.onFailed = () => void counts.failed++;
  add(given.slice(0, cut));
  const later = activeTruth(truths[1], state.settings.layout.families);
  activateTruth(state, later.table);
  resolveAll(fold, later);
  const rest = foldingOf(config, truths[1], { state });
  Object.assign(rest.fold.out, fold.out);
  rest.add(given.slice(cut));
  return { state, counts };
}

/** What is said of `tool_use`, in every group and window. */
function toolUseOf(state: PartitionState): unknown {
  const view = viewWith(config, [state], startMs + 7_200_000);
  return view.groups.flatMap(({ dimensions, values, window, blocks }) =>
    blocks['tool_use'] === null ? [] : [{ dimensions, values, window, block: blocks['tool_use'] }],
  );
}

/** Events by what alarms of `tool_use` would name, in every pane. */
function attributedIn({ settings: { layout }, attributions }: PartitionState): Record<string, number> {
  const own = layout.slots[layout.families.findIndex(({ name }) => name === 'tool_use')]!;
  const found: Record<string, number> = {};
  attributions.rows.forEach((panes, tier) => {
    for (const pane of panes.keys())
      forAttributions(attributions, tier, pane, (slice, set, events) => {
        for (const { slots, ...name } of namesIn(attributions.sets.list[set]!))
          for (const cell of slots.map((slot) => own.indexOf(slot)).filter((at) => at >= 0)) {
            const key = JSON.stringify([tier, pane, slice, cell, name]);
            found[key] = (found[key] ?? 0) + events;
          }
      });
  });
  return found;
}

test('law: numbers without truth are the same with truth, with late truth and with none', () => {
  fc.assert(
    fc.property(events, ids, ids, fc.nat(30), (given, before, after, cut) => {
      const never = folded(given, [noTruth, noTruth], cut);
      const always = folded(given, [truthOf(before), truthOf(before)], cut);
      const late = folded(given, [truthOf(before), truthOf([...new Set([...before, ...after])])], cut);
      assert.deepEqual(toolUseOf(always.state), toolUseOf(never.state));
      assert.deepEqual(toolUseOf(late.state), toolUseOf(never.state));
      for (const { state } of [always, late]) assert.deepEqual(attributedIn(state), attributedIn(never.state));
    }),
    { numRuns: runs(60) },
  );
});

test('law: what became of every event is known, and each is shown once for each moment at which it was counted', () => {
  fc.assert(
    fc.property(events, ids, ids, fc.nat(30), (given, before, after, cut) => {
      const { state, counts } = folded(given, [truthOf(before), truthOf([...new Set([...before, ...after])])], cut);
      const { read, scored, expired, duplicates } = state.numbers;
      assert.equal(read, scored + state.pending.waiting.size + expired + duplicates);
      assert.equal(counts.scored, scored);
      const total = viewWith(config, [state], startMs).groups[0]!;
      assert.equal(total.scored, scored);
      const counted = (total.blocks['tool_use'] as { n: number } | null)?.n ?? 0;
      assert.equal(counted, read - duplicates);
      // Those that had their truth at once were accepted and scored in one moment.
      assert.ok(counts.accepted <= counted && counted - counts.accepted <= scored);
    }),
    { numRuns: runs(60) },
  );
});

const invented = (at: number, name: string) => ({
  ...{ example_id: `e${at}`, model: 'm', tools: ['find'], ts: startMs + at * 1_000 },
  tool_calls: [{ name, arguments: {} }],
});

test('a group of which nothing is scored is there, and its failures are shown at once', () => {
  const { add, state, fold } = foldingOf(config, noTruth);
  const failed: string[] = [];
  fold.out.onFailed = ({ event }) => void failed.push(event.exampleId);
  add([invented(0, 'find'), invented(1, 'fly')]);
  assert.deepEqual(failed, ['e1']);
  const groups = viewWith(config, [state], startMs + 1_000).groups.filter(({ window }) => window === 'all');
  assert.deepEqual(
    groups.map(({ values, scored, blocks }) => [values, scored, (blocks['tool_use'] as { n: number }).n]),
    [
      [[], 0, 2],
      [['m'], 0, 2],
      [['unknown'], 0, 2],
    ],
  );
  assert.ok(groups.every(({ blocks }) => blocks['decision'] === null));
});

test('a watch fires without any truth, and sees each event that comes', () => {
  const own = configWith({
    watches: [
      { metric: 'tool_use.unknown_tool', by: [], baseline: 0.02, worst: 0.2, false_alarm_every: { cases: 10_000 } },
    ],
  });
  const state = emptyPartition(settingsOf(own, undefined));
  const { add } = foldingOf(own, noTruth, { state });
  const watcher = watcherOf(own, state.settings)!;
  const readings: (readonly [firing: boolean, statistic: number])[] = [];
  add(Array.from({ length: 300 }, (_, at) => invented(-10 * at - 3_600, 'find')));
  for (let at = 0; at < 30; at++) {
    add([invented(at, at < 10 ? 'find' : 'fly')]);
    const [reading] = watchReadings(watcher, [state], startMs + at * 1_000);
    readings.push([reading!.firing, reading!.statistic]);
  }
  const fires = readings.findIndex(([firing]) => firing);
  assert.ok(fires > 10, `${fires}`);
  for (let at = 10; at < fires; at++) assert.ok(readings[at + 1]![1] > readings[at]![1], `event ${at + 1} is seen`);
});

test('a schema that cannot be used is told in the report of the input, at once', () => {
  const { add, state } = foldingOf(config, noTruth);
  const tools = [{ name: 'find', parameters: { $ref: 'https://elsewhere.example/' } }];
  add([{ ...invented(0, 'find'), tools }]);
  assert.equal(state.input.unusable_schemas, 1);
});
