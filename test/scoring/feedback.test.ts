import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { feedbackFamily } from '../../src/scoring/feedback/index.ts';
import type { FeedbackFact } from '../../src/scoring/feedback/fact.ts';
import { outcomeFamily } from '../../src/scoring/feedback/outcome.ts';
import { readBlock } from '../../src/scoring/family.ts';
import { type Estimate, meanOf, rateWith, z95 } from '../../src/scoring/reading.ts';
import { runs } from '../support/soak.ts';
import { tallyOutcomes } from '../support/tally.ts';

const family = feedbackFamily();

const blockOf = (facts: readonly FeedbackFact[]) =>
  readBlock(
    family,
    tallyOutcomes(
      family,
      facts.map((fact) => family.feedback!(fact)),
    ),
    rateWith(z95),
  ) as Record<string, never> | null;

/** A rate as `x/n`. */
const shareOf = (rate: { numerator: number; denominator: number }): string => `${rate.numerator}/${rate.denominator}`;

test('nothing said is no block', () => {
  assert.equal(blockOf([]), null);
});

test('the worked example of the reference: rates by the kind of giver', () => {
  const block = blockOf([
    { kind: 'human', correct: true },
    { kind: 'human', correct: true },
    { kind: 'human', correct: false },
    { kind: 'system', correct: false },
  ])!;
  assert.equal(block['n'], 4);
  assert.equal(shareOf(block['correct']!), '2/4');
  const { human, shadow, system } = block as unknown as Record<string, { n: number; correct: never }>;
  assert.deepEqual([human!.n, shareOf(human!.correct)], [3, '2/3']);
  assert.deepEqual([system!.n, shareOf(system!.correct)], [1, '0/1']);
  assert.deepEqual([shadow!.n, shareOf(shadow!.correct)], [0, '0/0']);
});

test('the worked example of all traffic: facts with a chance weigh 1/probability, those without are no part of it', () => {
  const block = blockOf([
    { kind: 'human', correct: true, probability: 0.5 },
    { kind: 'human', correct: true },
    { kind: 'human', correct: false, probability: 0.1 },
  ])!;
  const { n, correct } = block['traffic'] as unknown as { n: number; correct: Estimate };
  assert.deepEqual([block['n'], n], [3, 2]);
  assert.ok(Math.abs(correct.value! - 1 / 6) < 1e-15, String(correct.value));
  assert.ok(correct.lower! < 1 / 6 && correct.upper! > 1 / 6);
  const without = blockOf([{ kind: 'human', correct: true }])!['traffic'] as unknown as typeof block;
  assert.deepEqual(without, { n: 0, correct: { value: null, lower: null, upper: null } });
});

test('of any events chosen with one chance, the share of all traffic is the plain share, in the interval of the plain rate', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 2 }), fc.double({ min: 1e-6, max: 1, noNaN: true }), (all, p) => {
      const block = blockOf(all.map((correct) => ({ kind: 'human', correct, probability: p })))!;
      const { correct } = block['traffic'] as unknown as { correct: Estimate };
      const right = all.filter((each) => each).length;
      assert.ok(Math.abs(correct.value! - right / all.length) < 1e-9);
      assert.ok(correct.lower! <= correct.value! + 1e-9 && correct.upper! >= correct.value! - 1e-9);
    }),
    { numRuns: runs(50) },
  );
});

test('outcomes by name: flags are rates, numbers are means, also below 0 and with a fraction', () => {
  const block = blockOf([
    { outcome: 'resolved', value: true },
    { outcome: 'resolved', value: false },
    { outcome: 'refund', value: 12.5 },
    { outcome: 'refund', value: -0.25 },
    { outcome: 'refund', value: 0 },
  ])!;
  assert.equal(shareOf(block['outcome']!), '1/2');
  const { resolved, refund } = block['outcomes'] as unknown as Record<
    string,
    { n: number; rate: never; mean: { value: number; sum: number; count: number } }
  >;
  assert.deepEqual([resolved!.n, shareOf(resolved!.rate), resolved!.mean.count], [2, '1/2', 0]);
  assert.deepEqual(
    [refund!.n, shareOf(refund!.rate), refund!.mean],
    [3, '0/0', { value: 12.25 / 3, sum: 12.25, count: 3 }],
  );
});

test('named outcomes have cells of their own: true or false a rate, numbers a mean, also where no breakdown is kept', () => {
  const of = outcomeFamily({ good: ['resolved', 'constructor'], bad: ['reopened', 'refund'] });
  const rate = rateWith(z95);
  const rates = (...facts: readonly FeedbackFact[]) => {
    const counted = facts.flatMap((fact) => of.feedback!(fact) ?? []);
    return readBlock(of, tallyOutcomes(of, counted).windowReader, rate);
  };
  const none = { rate: rate(0, 0), mean: meanOf(0, 0) };
  const cases: readonly (readonly [outcome: string, values: readonly (boolean | number)[], read: object])[] = [
    ['resolved', [true, false, true], { good: { resolved: { ...none, rate: rate(2, 3) } } }],
    ['constructor', [false], { good: { constructor: { ...none, rate: rate(0, 1) } } }],
    ['reopened', [true, 2], { bad: { reopened: { rate: rate(1, 1), mean: meanOf(2, 1) } } }],
    ['refund', [12.5, -0.25, 0], { bad: { refund: { ...none, mean: meanOf(12.25, 3) } } }],
  ];
  const blank = { good: { resolved: none, constructor: none }, bad: { reopened: none, refund: none } };
  for (const [outcome, values, { good = {}, bad = {} }] of cases as readonly (readonly [
    string,
    [],
    Partial<typeof blank>,
  ])[])
    assert.deepEqual(rates(...values.map((value) => ({ outcome, value }))), {
      good: { ...blank.good, ...good },
      bad: { ...blank.bad, ...bad },
    });
  assert.equal(rates({ outcome: 'other', value: true }, { kind: 'human', correct: true }), null);
});
