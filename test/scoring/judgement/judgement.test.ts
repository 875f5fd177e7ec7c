import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { judgeDeclaration, judgements } from '../../../src/scoring/judgement/index.ts';
import { failures, type Judgement, shareOf, usualScale } from '../../../src/scoring/judgement/judgement.ts';
import { ownJudgements } from '../../../src/scoring/judgement/own.ts';
import { judgementCells } from '../../../src/scoring/judgement/sums.ts';
import { type AnyFamily, readBlock } from '../../../src/scoring/family.ts';
import { rateWith, z95 } from '../../../src/scoring/reading.ts';
import { judgementOf as anyJudgementOf } from '../../support/judgements.ts';
import { near } from '../../support/near.ts';
import { mergeTallies, tallyOutcomes } from '../../support/tally.ts';

const judging = { normalization: 'div7', threshold: 0.85 } as const;
const judge = judgements(judgeDeclaration, judging);
const own = ownJudgements(judging);
const rate = rateWith(z95);

const judgementOf = (given: Partial<Judgement>): Judgement =>
  anyJudgementOf({ score: 7, scale: usualScale(given.name ?? 'judge'), ...given });

const blockOf = (all: readonly Judgement[], traffic?: { n: number; right: number }) =>
  readBlock(judge, { ...tallyOutcomes(judge, all), traffic }, rate) as Record<string, never>;

describe('a score as a share of its scale', () => {
  const cases = [
    [6, [1, 7], 'div7', 6 / 7],
    [6, [1, 7], 'minmax', 5 / 6],
    [0, [1, 7], 'div7', 1 / 7],
    [8, [1, 7], 'minmax', 1],
    [-0.5, [-1, 1], 'div7', -0.5],
    [-0.5, [-1, 1], 'minmax', 0.25],
    [3, [0, 5], 'div7', 0.6],
    [-2, [-4, 0], 'div7', -2],
  ] as const;
  for (const [score, scale, normalization, share] of cases)
    test(`${score} of ${scale.join('..')} by ${normalization}`, () => {
      assert.equal(shareOf(score, scale, { ...judging, normalization }), share);
    });
});

test('the scale of a judgement that says none: 1 to 7 of judges, -1 to 1 of similarities, else 0 to 1', () => {
  assert.deepEqual(['judge', 'semantic', 'mine', ''].map(usualScale), [
    [1, 7],
    [-1, 1],
    [0, 1],
    [0, 1],
  ]);
});

describe('the worked example of the reference', () => {
  const block = blockOf(
    [judgementOf({ probability: 0.1, exact: true }), judgementOf({ score: 6, probability: 0.5, exact: false })],
    { n: 2, right: 1 },
  ) as unknown as Record<string, { value: number } & Record<string, { value: number }>>;
  test('weights', () => {
    assert.equal(block['traffic']!['pass']!.value, 1);
    near(block['traffic']!['score']!.value, (10 * 1 + 2 * (6 / 7)) / 12);
  });
  test('against the rules', () => {
    assert.deepEqual(block['against_exact'], { right: { pass: 1, fail: 0 }, wrong: { pass: 1, fail: 0 } });
    assert.equal(block['agreement']!.value, 0.5);
    assert.equal(block['kappa'], 0);
    near(block['corrected']!.value, 1 / 2 + 2 / 12);
  });
});

test('a failure is counted by its reason, and is no score of 0', () => {
  const block = blockOf(failures.map((failed) => judgementOf({ score: undefined, failed })));
  assert.deepEqual(block['failed'], { timeout: 1, unparseable: 1, refused: 1, error: 1 });
  assert.deepEqual([block['n'], block['score'], block['kappa']], [0, { value: null, sum: 0, count: 0 }, null]);
  assert.deepEqual(block['traffic'], {
    score: { value: null, lower: null, upper: null },
    pass: { value: null, lower: null, upper: null },
  });
});

test('a judgement that says neither score nor reason failed by an error; nothing but failures is something', () => {
  const block = blockOf([judgementOf({ score: undefined })]);
  assert.deepEqual(block['failed'], { timeout: 0, unparseable: 0, refused: 0, error: 1 });
  assert.equal(readBlock(judge, tallyOutcomes(judge, []).reader, rate), null);
});

describe('judgements under names of one’s own', () => {
  test('are those of any name but `semantic` and `judge`', () => {
    const taken = ['semantic', 'judge', 'mine', '', 'Judge'].filter(
      (name) => own.judged!.take(judgementOf({ name })) !== undefined,
    );
    assert.deepEqual(taken, ['mine', '', 'Judge']);
  });

  test('take a column for each count and two for each sum; what adds nothing is not added', () => {
    const sums = judgementCells.kinds.filter((kind) => kind === 'sum');
    assert.deepEqual(own.breakdowns, [judgementCells.kinds.length + sums.length, 3]);
    const added: unknown[][] = [];
    const into = { count() {}, sum() {}, attribute() {}, entry: (...of: unknown[]) => void added.push(of) };
    own.tally(judgementOf({ name: 'mine', score: 0.5, scale: [0, 1], probability: 0.5, exact: true }), into);
    own.tally(judgementOf({ name: 'mine', score: undefined, failed: 'timeout' }), into);
    // right_fail, its weight and the weight's square, the sums x, wx, wwx, wwxx, and the failure.
    const amounts = added.map(([breakdown, key, subkey, , amount]) => {
      assert.deepEqual([breakdown, key, subkey], [0, 'mine', '']);
      return amount;
    });
    assert.deepEqual(amounts, [1, 2, 4, 2 ** 29, 1, 2, 1, 1]);
  });

  test('are not reported where there are none, and are never left out as perfect', () => {
    assert.equal(readBlock(own, tallyOutcomes(own, []).reader, rate), null);
    assert.equal(own.perfect(judgementOf({ name: 'mine' })), true);
  });

  test('say nothing of all traffic where nothing is known of it', () => {
    const { reader } = tallyOutcomes(own, [judgementOf({ name: 'mine', exact: true })]);
    const read = (traffic?: { n: number; right: number }) => readBlock(own, { ...reader, traffic }, rate);
    assert.deepEqual(read(), read({ n: 0, right: 0 }));
    assert.notDeepEqual(read(), read({ n: 4, right: 1 }));
  });
});

test('what was judged without truth is counted apart', () => {
  const apart = { hasReference: false, probability: 0.5 };
  const all = [judgementOf({}), judgementOf(apart), judgementOf({ ...apart, score: 0 }), judgementOf(apart)];
  const block = readBlock(judge, tallyOutcomes(judge, all), rate)!;
  assert.deepEqual([block['n'], block['pass'], block['score']], [1, rate(1, 1), { value: 1, sum: 1, count: 1 }]);
  const { n, pass, traffic } = block['unreferenced'] as { n: number; pass: unknown; traffic: { value: number } };
  assert.deepEqual([n, pass, traffic.value], [3, rate(2, 3), 2 / 3]);
  assert.ok(readBlock(judge, tallyOutcomes(judge, [judgementOf(apart)]), rate) !== null);
});

const arbitrary: fc.Arbitrary<Judgement> = fc.record({
  name: fc.constantFrom('judge', 'semantic', 'mine', '__proto__'),
  score: fc.option(fc.oneof(fc.integer({ min: 0, max: 8 }), fc.double({ min: 0, max: 8, noNaN: true })), {
    nil: undefined,
  }),
  scale: fc.constant([1, 7] as const),
  failed: fc.constantFrom(...failures),
  by: fc.constantFrom('a', 'b', 'constructor'),
  probability: fc.oneof(fc.constantFrom(1, 0.5, 0.1, 1e-6), fc.double({ min: 1e-6, max: 1, noNaN: true })),
  exact: fc.constantFrom(true, false, undefined),
  hasReference: fc.boolean(),
  cost: fc.record({ inputTokens: fc.nat(5000), outputTokens: fc.nat(500), nanoUsd: fc.nat(1e9) }),
});

describe('laws', () => {
  const parts = fc.property(fc.array(arbitrary, { maxLength: 20 }), fc.nat(20), (all, cut) => {
    for (const family of [judge, own] as AnyFamily[]) {
      const taken = all.flatMap((one) => family.judged!.take(one) ?? []);
      const whole = tallyOutcomes(family, taken).contents();
      assert.deepEqual(tallyOutcomes(family, [...taken].reverse()).contents(), whole);
      const tallies = [taken.slice(cut), taken.slice(0, cut)].map((part) => tallyOutcomes(family, part));
      assert.deepEqual(mergeTallies(family, tallies).contents(), whole);
    }
  });
  test('any order and any parts give the same sums, to the last bit', () => fc.assert(parts));

  const definition = fc.property(fc.array(arbitrary, { minLength: 1, maxLength: 20 }), (given) => {
    const all = given.map((one) => ({ ...one, name: 'judge' }));
    const block = blockOf(all, { n: 10, right: 4 }) as unknown as Record<string, never>;
    const scored = all.filter(({ score, hasReference }) => score !== undefined && hasReference);
    assert.equal(block['n'], scored.length);
    if (scored.length === 0) return;
    const x = scored.map((one) => Math.min(7, Math.max(1, one.score!)) / 7);
    const w = scored.map(({ probability }) => 1 / probability);
    const weights = w.reduce((a, b) => a + b, 0);
    const { traffic, corrected } = block as unknown as Record<string, Record<string, { value: number } & number>>;
    near(traffic!['score']!.value, x.reduce((sum, one, i) => sum + one * w[i]!, 0) / weights);
    near(traffic!['pass']!.value, x.reduce((sum, one, i) => sum + (one >= 0.85 ? w[i]! : 0), 0) / weights);
    const ruled = scored.map((one, i) => ({ ...one, w: w[i]!, passes: x[i]! >= 0.85 }));
    const known = ruled.filter(({ exact }) => exact !== undefined);
    if (known.length === 0) return;
    const gain = known.reduce((sum, one) => sum + one.w * (Number(one.passes) - Number(one.exact)), 0);
    const expected = 0.4 + gain / known.reduce((sum, one) => sum + one.w, 0);
    near(corrected!['value']!, Math.min(1, Math.max(0, expected)));
  });
  test('the numbers are those of their definitions', () => fc.assert(definition));

  const alike = fc.property(fc.array(arbitrary, { minLength: 1, maxLength: 20 }), (given) => {
    const traffic = { n: 10, right: 4 };
    const [mine, judged] = ['mine', 'judge'].map((name) => given.map((one) => ({ ...one, name })));
    const block = readBlock(own, { ...tallyOutcomes(own, mine!), traffic }, rate) as {
      names: { mine: Record<string, unknown> };
    };
    const expected = blockOf(judged!, traffic) as Record<string, { value: number } | number>;
    for (const key of ['n', 'failed', 'against_exact', 'kappa', 'agreement', 'pass'])
      assert.deepEqual(block.names.mine[key], expected[key]);
    const { score, corrected } = block.names.mine as Record<string, { value: number | null }>;
    for (const [got, want] of [
      [score, expected['score']],
      [corrected, expected['corrected']],
    ] as [{ value: number | null }, { value: number | null }][])
      if (want.value === null) assert.equal(got.value, null);
      else assert.ok(Math.abs(got.value! - want.value) < 1e-8);
  });
  test('a name of one’s own has the same numbers as `judge`', () => fc.assert(alike));
});
