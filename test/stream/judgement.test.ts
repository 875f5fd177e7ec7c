import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { judgementReaderOf, rateOf, settingsOf } from '../../src/config/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { JsonObject } from '../../src/scoring/json.ts';
import { emptyPartition, type PartitionState } from '../../src/state/partition.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import type { LogRecord } from '../../src/stream/event.ts';
import { createFold, foldRecords } from '../../src/stream/fold.ts';
import { activeTruth } from '../../src/stream/truth-cache.ts';
import { noTruth } from '../../src/stream/truth-overlay.ts';
import { viewOf } from '../../src/view/view.ts';
import { contentsOf, encodeSnapshot, restored } from '../support/encoded.ts';
import { runs } from '../support/soak.ts';

/* The laws of every partition hold of one of judgements too. */

const flag = (path: readonly string[], value: unknown) => ({ path, value, place: 'test' });
const { config } = loadConfig({
  flags: [flag(['kafka', 'judgements_topic'], 'j'), flag(['slices'], [['model'], ['tags.region']])],
});
const tight = loadConfig({
  flags: [
    flag(['kafka', 'judgements_topic'], 'j'),
    flag(['limits'], { stability_groups: 3, names: 2, slices: 2, dedupe_ids: 4 }),
  ],
}).config;

const key = { id: 'a', nextOffset: 0, group: 'g', topic: 'j', partition: 0 };
const startMs = Date.UTC(2026, 4, 1);

const judgement: fc.Arbitrary<JsonObject> = fc
  .record({
    judgement: fc.constantFrom('judge', 'judge', 'semantic', 'mine', 'yours'),
    example: fc.nat(4),
    step: fc.nat(40),
    by: fc.constantFrom('gpt', 'human:ann', 'human:bob', '__proto__'),
    rubric: fc.constantFrom('a', 'b'),
    score: fc.oneof(fc.integer({ min: -1, max: 8 }), fc.constant(null)),
    probability: fc.constantFrom(1, 0.3, 0.01),
    exact: fc.constantFrom(true, false, null),
    region: fc.constantFrom('eu', 'us'),
  })
  .map(({ example, step, region, score, ...rest }) => ({
    ...rest,
    id: JSON.stringify([example, step, rest.judgement, rest.by, rest.rubric]),
    example_id: `e${example}`,
    ts: startMs + 200_000 * step,
    model: `m${example % 3}`,
    tags: { region },
    score,
    failed: score === null ? 'timeout' : null,
    cost: { input_tokens: 10 + example, output_tokens: 2, usd: 0.1 },
  }));

function recordsOf(values: readonly unknown[]): LogRecord[] {
  return values.map((value, offset) => {
    const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    return { bytes, start: 0, end: bytes.length, offset, timestamp: Number.NaN };
  });
}

function folded(values: readonly unknown[], from = config, cuts: readonly number[] = []): PartitionState {
  const settings = settingsOf(from, undefined);
  const truth = activeTruth(noTruth, settings.layout.families);
  const records = recordsOf(values);
  let fold = createFold(emptyPartition(settings), judgementReaderOf(from, false));
  let start = 0;
  for (const cut of [...cuts, records.length]) {
    foldRecords(fold, records, start, Math.max(start, cut), truth);
    start = Math.max(start, cut);
    // A restart: all that is known is what a checkpoint holds.
    const { store } = restored([encodeSnapshot(storeOf(fold.state, {}), key)]);
    fold = createFold(finish(restoredPartition(settings, store)), judgementReaderOf(from, false));
  }
  return fold.state;
}

const viewed = (states: readonly PartitionState[]) =>
  viewOf(states, states[0]!.settings, startMs + 8_000_000, {
    ...{ sets: config.slices, rate: rateOf(config), withWindows: false, withBreakdowns: true, groupsMax: undefined },
  });

describe('laws', () => {
  for (const [name, from] of Object.entries({ 'wide limits': config, 'tight limits': tight }))
    test(`same log, same state, whatever the batches and restarts: ${name}`, () => {
      const property = fc.property(
        fc.array(judgement, { maxLength: 40 }),
        fc.array(fc.nat(40), { maxLength: 4 }),
        (values, cuts) => {
          const sorted = cuts.filter((cut) => cut < values.length).sort((a, b) => a - b);
          const [once, cut] = [folded(values, from), folded(values, from, sorted)];
          assert.deepEqual(contentsOf(storeOf(cut, {})), contentsOf(storeOf(once, {})));
        },
      );
      fc.assert(property, { numRuns: runs(15) });
    });

  test('other order, other partitions, and duplicates: the same numbers', () => {
    const distinct = fc.uniqueArray(judgement, { maxLength: 30, selector: ({ id }) => id });
    const property = fc.property(distinct, fc.nat(3), (values, repeated) => {
      // Within the horizon of de-duplication, and of one region an event.
      const near = values.map((one) => ({ ...one, ts: startMs + 1_000 * ((one['ts'] as number) % 7), tags: {} }));
      const reversed = [...near].reverse();
      const again = reversed.slice(0, repeated);
      const parts = [0, 1].map((part) =>
        reversed.filter((value) => Number(String((value as JsonObject)['example_id']).slice(1)) % 2 === part),
      );
      const [a, b] = [
        viewed([folded(near)]),
        viewed([folded([...parts[0]!, ...again.filter((one) => parts[0]!.includes(one))]), folded(parts[1]!)]),
      ];
      assert.deepEqual(b.groups, a.groups);
      assert.equal(b.records.judgements, a.records.judgements);
    });
    fc.assert(property, { numRuns: runs(15) });
  });
});

const one = { judgement: 'judge', id: 'x', example_id: 'a', model: 'm', ts: startMs, score: 7, exact: true };
const judgeOf = (state: PartitionState) => viewed([state]).groups[0]!.blocks['judge'] as Record<string, unknown> | null;

test('a second record of an id is a duplicate; one in an array is read as one alone', () => {
  const state = folded([one, one, [one, { ...one, id: 'y' }]]);
  const { read, scored, duplicates, judgements } = state.numbers;
  assert.deepEqual({ read, scored, duplicates, judgements }, { read: 4, scored: 2, duplicates: 2, judgements: 2 });
  assert.equal(judgeOf(state)!['n'], 2);
});

test('judgements are in groups without predictions, and no predictions in them', () => {
  const { groups, records, coverage } = viewed([folded([one])]);
  const ofModel = groups.find(({ values }) => values[0] === 'm')!;
  assert.equal(ofModel.scored, 0);
  assert.equal((ofModel.blocks['judge'] as { readonly n: number }).n, 1);
  assert.deepEqual([records.scored, coverage.value], [1, null]);
});

test('judges of one event are compared once for each pair, whatever comes between and however often one says it', () => {
  const by = (name: string, score: number, more: object = {}) => ({
    ...one,
    id: `${name} ${score}`,
    by: name,
    score,
    ...more,
  });
  const state = folded([
    by('b', 7),
    by('a', 6),
    by('a', 1),
    by('c', 2),
    by('b', 7, { id: 'z', model: 'other' }),
    by('d', 7),
    by('e', 7),
  ]);
  const judges = judgeOf(state)!['judges'] as Record<
    string,
    Record<string, { readonly n: number; readonly agreement: { readonly value: number } }>
  >;
  const pairs = Object.entries(judges).flatMap(([a, others]) =>
    Object.entries(others).map(([b, { n, agreement }]) => [a, b, n, agreement.value]),
  );
  assert.deepEqual(pairs, [
    ['a', 'b', 1, 1],
    ['a', 'c', 1, 0],
    ['a', 'd', 1, 1],
    ['a', 'e', 1, 1],
    ['b', 'c', 1, 0],
    ['b', 'd', 1, 1],
    ['b', 'e', 1, 1],
    ['c', 'd', 1, 0],
    ['c', 'e', 1, 0],
    ['d', 'e', 1, 1],
  ]);
});

describe('refused', () => {
  const cases: readonly (readonly [string, unknown, string, RegExp])[] = [
    ['no object', [3], 'schema', /the judgement: must be a JSON object/],
    ['no name', { ...one, judgement: undefined }, 'schema', /judgement: /],
    ['the name of the rest', { ...one, judgement: '__other__' }, 'schema', /judgement: /],
    ['neither score nor reason', { ...one, score: null }, 'schema', /score is absent/],
    ['both', { ...one, failed: 'error' }, 'schema', /there is a score, and failed/],
    ['an unknown reason', { ...one, score: null, failed: 'tired' }, 'schema', /failed: must be one of timeout/],
    ['a score as text', { ...one, score: '6' }, 'schema', /score: must be a number, is "6"/],
    ['a chance of 0', { ...one, probability: 0 }, 'schema', /probability: must be from 0\.000001 to 1, is 0/],
    ['a chance above 1', { ...one, probability: 1.1 }, 'schema', /probability/],
    ['a scale that descends', { ...one, scale: [7, 1] }, 'schema', /scale: must ascend/],
    ['a negative cost', { ...one, cost: { usd: -1 } }, 'schema', /cost\.usd: must be a number of at least 0/],
    ['no example', { ...one, example_id: null }, 'no_example_id', /example_id is absent/],
    ['no time', { ...one, ts: 'soon' }, 'bad_timestamp', /ts: "soon"/],
    ['no JSON', '{', 'not_json', /not JSON/],
  ];
  for (const [name, value, code, detail] of cases)
    test(name, () => {
      const fold = createFold(emptyPartition(settingsOf(config, undefined)), judgementReaderOf(config, false));
      foldRecords(fold, recordsOf([value]), 0, 1, activeTruth(noTruth, []));
      const [refused] = fold.out.rejects;
      assert.deepEqual([refused?.code, fold.state.numbers.scored], [code, 0]);
      assert.match(refused!.detail, detail);
    });

  test('an element of an array is refused alone, and is itself in its dead letter', () => {
    const fold = createFold(emptyPartition(settingsOf(config, undefined)), judgementReaderOf(config, false));
    const late = { ...one, id: 'l', ts: 'soon' };
    foldRecords(fold, recordsOf([[one, late]]), 0, 1, activeTruth(noTruth, []));
    assert.equal(fold.state.numbers.scored, 1);
    assert.deepEqual(JSON.parse(fold.out.rejects[0]!.text!), late);
  });
});
