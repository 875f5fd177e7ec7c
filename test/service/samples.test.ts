import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSampler, createSamples } from '../../src/service/samples.ts';
import { hiddenValue } from '../../src/formats/json/preview.ts';
import type { Sample } from '../../src/formats/summary/review.ts';
import { totalId } from '../../src/formats/summary/live-document.ts';
import { sliceId } from '../../src/formats/summary/live-group.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import type { TruthTable } from '../../src/scoring/truth.ts';
import { exampleId, truthVersion } from '../sim/truth.ts';
import { createWorld, type WorldOptions } from '../support/page-world.ts';
import { configWith, recordAt, foldingOf } from '../support/folding.ts';

function failuresOf(options: Partial<WorldOptions>, slice: Readonly<Record<string, string>> = {}) {
  const world = createWorld({ models: ['a', 'b', 'c'], durationMs: 20_000, rate: 60, ...options });
  const focus = Object.keys(slice).length === 0 ? totalId : sliceId(slice);
  return world.document({ slice: 'model', window: 'all', focus, since: undefined }).failures;
}

test('the latest failures, the newest first, as many as wanted', () => {
  const failures = failuresOf({ samples: 7 });
  assert.equal(failures.length, 7);
  const times = failures.map(({ ts }) => ts);
  assert.deepEqual(times, [...times].sort().reverse());
  for (const { gold, predicted, families } of failures) {
    assert.ok(families.length > 0);
    assert.equal(families.includes('decision'), gold !== predicted);
  }
});

test('an event whose truth has come is shown once, with its truth', () => {
  const samples = createSamples(5);
  const [first, second] = failuresOf({ samples: 7 }) as readonly Sample[];
  const newest = { ...first!, ts: '2026-06-01T00:00:02.000Z' };
  const older = { ...second!, ts: '2026-06-01T00:00:01.000Z' };
  for (const one of [{ ...older, gold: null }, newest, older]) samples.add(one);
  assert.deepEqual(samples.latest({}), [newest, older]);
  assert.deepEqual(
    samples.kept({}, () => true),
    [newest, older],
  );
});

test('none where none are wanted', () => {
  assert.deepEqual(failuresOf({ samples: 0 }), []);
});

test('a model has its own, however often the others fail', () => {
  const failures = failuresOf({ samples: 5 }, { model: 'a' });
  assert.equal(failures.length, 5);
  assert.ok(failures.every(({ slice }) => slice['model'] === 'a'));
});

test('expected and actual calls lie side by side, and what differs is said', () => {
  const failures = failuresOf({ samples: 200 });
  const pairs = failures.flatMap(({ calls }) => calls);
  assert.ok(pairs.some(({ expected }) => expected === null) && pairs.some(({ actual }) => actual === null));
  for (const { expected, actual, fields } of pairs)
    for (const field of fields) {
      assert.equal(field.same, field.expected === field.actual, JSON.stringify(field));
      if (expected === null) assert.equal(field.expected, null);
      if (actual === null) assert.equal(field.actual, null);
    }
});

test('a redacted argument shows whether it was right, and nothing of its value', () => {
  const failures = failuresOf({ samples: 200, redact: ['account', 'answer'] });
  const fields = failures.flatMap(({ calls, answer }) => [...calls.flatMap((call) => call.fields), ...(answer ?? [])]);
  const hidden = fields.filter(({ name }) => name === 'account' || name === 'answer');
  assert.ok(hidden.some(({ same }) => same) && hidden.some(({ same }) => !same));
  for (const { expected, actual } of hidden)
    for (const text of [expected, actual]) assert.ok(text === null || text === hiddenValue);
  assert.doesNotMatch(JSON.stringify(failures), /A-1042|A-2207|A-3391/);
});

/** Samples, one a model, that were told of these events, one after so many milliseconds. */
function samplesOf(events: readonly object[], table: TruthTable, apartMs: number) {
  const { fold, state, apply } = foldingOf(configWith(), table);
  const { layout, dimensions } = state.settings;
  const samples = createSamples(1);
  const options = { count: 1, layout, dimensions, trace: undefined, redact: new Set<string>() };
  let nowMs = 0;
  const sample = createSampler({ ...options, nowMs: () => (nowMs += apartMs) }, samples.add);
  fold.out.onFailed = (scored) => sample(scored, undefined);
  apply(events.map((event, offset) => recordAt(event, offset, 1.78e12 + offset)));
  return samples;
}

test('of 64 models: the one that failed least recently makes room', () => {
  const models = [...Array.from({ length: 64 }, (_, at) => `m${at}`), 'm0', 'm64'];
  const events = models.map((model) => ({ example_id: exampleId(0), label: 'nonsense', model }));
  const samples = samplesOf(events, truthVersion(4, true), 1_000);
  const kept = new Set(models.filter((model) => samples.latest({ model }).length > 0));
  assert.equal(kept.size, 64);
  assert.deepEqual(
    ['m0', 'm1', 'm2', 'm64'].map((model) => kept.has(model)),
    [true, false, true, true],
  );
});

test('an argument that was seen is no news, however long the name of its tool', () => {
  const name = 'n'.repeat(300);
  const row = {
    label: 'tool_call',
    tools: null,
    reference: null,
    expected_tool_calls: [{ name, arguments: { a: 1 } }],
  };
  const table = truthFromRecords([{ example_id: 'e', ...row } as never]);
  const event = { example_id: 'e', label: 'tool_call', model: 'm', tool_calls: [{ name, arguments: { a: 2 } }] };
  assert.equal(samplesOf([event, event, event], table, 0).ofArguments({}).length, 1);
});
