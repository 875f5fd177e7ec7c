import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsOf } from '../../src/config/settings.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import { withoutTruth } from '../../src/stream/truth-overlay.ts';
import { configWith, foldingOf, viewWith } from '../support/folding.ts';
import { runs } from '../support/soak.ts';

const baseMs = Date.UTC(2026, 4, 1);
const examples = ['a', 'b'];
const table = truthFromRecords(
  examples.map((example_id) => ({
    example_id,
    label: 'direct',
    tools: null,
    expected_tool_calls: null,
    reference: null,
  })),
);
const config = configWith({ 'runs.number': 'auto', 'metrics.stability.k': 3, slices: [['model']] });
const plain = configWith({ 'metrics.stability.k': 3, slices: [['model']] });

const event = (id: string, model: string, label: string, at: number, run?: number): object => ({
  ...{ example_id: id, model, label, ts: baseMs + 1_000 * at },
  ...(run !== undefined && { run }),
});

test('runs without a number are those of the same events numbered by hand, whatever restarts there are', () => {
  const one = fc.record({
    id: fc.constantFrom(...examples),
    model: fc.constantFrom('m', 'n'),
    label: fc.constantFrom('direct', 'cannot_answer'),
    restart: fc.constantFrom(false, false, true),
  });
  const property = fc.property(fc.array(one, { maxLength: 30 }), (all) => {
    let auto = foldingOf(config, table);
    const byHand = foldingOf(plain, table);
    const next = new Map<string, number>();
    all.forEach(({ id, model, label, restart }, at) => {
      if (restart)
        auto = foldingOf(config, table, {
          state: finish(restoredPartition(settingsOf(config, undefined), storeOf(auto.state, {}))),
        });
      const run = next.get(`${id} ${model}`) ?? 0;
      next.set(`${id} ${model}`, run + 1);
      auto.add([event(id, model, label, at)]);
      byHand.add([event(id, model, label, at, run)]);
    });
    const groupsOf = ({ state }: typeof auto) => viewWith(config, [state], baseMs + 60_000).groups;
    assert.deepEqual(groupsOf(auto), groupsOf(byHand));
  });
  fc.assert(property, { numRuns: runs(30) });
});

test('a run that says its number has it, and the next ones are above; an event that names no example has none', () => {
  const { add, state } = foldingOf(config, table);
  add([event('a', 'm', 'direct', 0, 7), event('a', 'm', 'direct', 1), event('a', 'm', 'direct', 2)]);
  const { runNumbers } = state;
  assert.equal(runNumbers!.table.size, 1);
  const unnamed = foldingOf(config, withoutTruth, {});
  unnamed.add([event('a', 'm', 'direct', 0)]);
  assert.equal(unnamed.state.runNumbers!.table.size, 1);
});

test('an event that waits for its truth keeps its number', () => {
  const waiting = foldingOf(config, truthFromRecords([]));
  waiting.add([event('a', 'm', 'direct', 0), event('a', 'm', 'direct', 1)]);
  const texts = [...waiting.state.pending.log.texts.values()].map(
    (text) => JSON.parse(text.slice(text.indexOf('\n'))) as { run: number },
  );
  assert.deepEqual(
    texts.map(({ run }) => run),
    [0, 1],
  );
});

test('numbers are kept as long as groups of runs are, and as many', () => {
  const short = configWith({ 'runs.number': 'auto', 'metrics.stability.keep': '1h', 'limits.stability_groups': 2 });
  const { add, state } = foldingOf(short, withoutTruth);
  const at = (id: string, minutes: number): object => event(id, 'm', 'direct', 60 * minutes);
  add([at('a', 0), at('b', 1), at('c', 2)]);
  assert.deepEqual([state.runNumbers!.table.size, state.limitHits.stability_groups], [2, 1]);
  add([at('d', 180)]);
  assert.equal(state.runNumbers!.table.size, 1);
});

test('where runs are not numbered there is no table of numbers', () => {
  assert.equal(foldingOf(plain, table).state.runNumbers, undefined);
});
