import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { judgementReaderOf } from '../../src/config/settings.ts';
import type { JsonObject } from '../../src/scoring/json.ts';
import type { PartitionState } from '../../src/state/partition.ts';
import { restoredPartition, storeOf } from '../../src/state/saved.ts';
import { finish } from '../../src/state/steps.ts';
import { noTruth } from '../../src/stream/truth-overlay.ts';
import { contentsOf, encodeSnapshot, restored } from '../support/encoded.ts';
import { runs } from '../support/soak.ts';
import { configWith, foldingOf, viewWith, type Folding } from '../support/folding.ts';
import type { Config } from '../../src/config/config.ts';

/* The laws of every partition hold of one of judgements too. */

const config = configWith({ 'kafka.judgements_topic': 'j', slices: [['model'], ['tags.region']] });
const limits = { stability_groups: 3, names: 2, slices: 2, dedupe_ids: 4 };
const tight = configWith({ 'kafka.judgements_topic': 'j', limits });

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

const foldingFrom = (from: Config, state?: PartitionState): Folding =>
  foldingOf(from, noTruth, { reader: judgementReaderOf(from, false), ...(state && { state }) });

function folded(values: readonly unknown[], from = config, cuts: readonly number[] = []): PartitionState {
  let folding = foldingFrom(from);
  let start = 0;
  for (const cut of [...cuts, values.length]) {
    folding.add(values.slice(start, cut));
    start = cut;
    // A restart: all that is known is what a checkpoint holds.
    const { store } = restored([encodeSnapshot(storeOf(folding.state, {}), key)]);
    folding = foldingFrom(from, finish(restoredPartition(folding.state.settings, store)));
  }
  return folding.state;
}

const viewed = (states: readonly PartitionState[]) =>
  viewWith(config, states, startMs + 8_000_000, { withWindows: false });

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
      const { fold, state, add } = foldingFrom(config);
      add([value]);
      const [refused] = fold.out.rejects;
      assert.deepEqual([refused?.code, state.numbers.scored], [code, 0]);
      assert.match(refused!.detail, detail);
    });

  test('an element of an array is refused alone, and is itself in its dead letter', () => {
    const { fold, state, add } = foldingFrom(config);
    const late = { ...one, id: 'l', ts: 'soon' };
    add([[one, late]]);
    assert.equal(state.numbers.scored, 1);
    assert.deepEqual(JSON.parse(fold.out.rejects[0]!.text!), late);
  });
});
