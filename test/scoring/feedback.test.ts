import assert from 'node:assert/strict';
import { test } from 'node:test';
import { feedbackFamily } from '../../src/scoring/feedback/index.ts';
import type { FeedbackFact } from '../../src/scoring/feedback/fact.ts';
import { readBlock } from '../../src/scoring/family.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
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
