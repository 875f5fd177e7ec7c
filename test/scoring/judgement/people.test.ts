import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeDeclaration, judgements } from '../../../src/scoring/judgement/index.ts';
import { readBlock } from '../../../src/scoring/family.ts';
import { rateWith, wilson, z95 } from '../../../src/scoring/reading.ts';
import { judgementOf } from '../../support/judgements.ts';
import { near } from '../../support/near.ts';
import { tallyOf } from '../../support/tally.ts';

const judge = judgements(judgeDeclaration, { normalization: 'div7', threshold: 0.85 });

/** Verdicts of a model on 1,000 events, and of a person on some of them: `[model passes, person passes, times]`. */
function peopleBlock(pairs: readonly (readonly [boolean, boolean, number])[], chances: readonly number[] = [0.1]) {
  const { tally, reader } = tallyOf(judge);
  for (let at = 0; at < 1_000; at++) judge.tally(judgementOf({ by: 'm', score: at < 800 ? 1 : 0 }), tally);
  let person = 0;
  for (const [model, passes, times] of pairs)
    for (let i = 0; i < times; i++) {
      const probability = chances[person++ % chances.length]!;
      judge.tally(judgementOf({ by: 'human:ann', score: passes ? 1 : 0, probability }), tally);
      const pair = [
        { by: 'human:ann', passes },
        { by: 'm', passes: model },
      ];
      judge.judged!.compare!(pair, undefined, tally);
    }
  const block = readBlock(judge, { ...reader, traffic: undefined }, rateWith(z95))!;
  return block['people'] as Record<string, unknown>;
}

const example = [
  [true, true, 76],
  [true, false, 4],
  [false, true, 4],
] as const;

test('the worked example: people and the model together, and people alone', () => {
  const people = peopleBlock([...example, [false, false, 16]]);
  const [passed, failed] = [76.5 / 81, 4.5 / 21];
  const ofPeople = (0.64 * passed * (1 - passed)) / 80 + (0.04 * failed * (1 - failed)) / 20;
  const share = 0.8 * passed + 0.2 * failed;
  const worth = (share * (1 - share)) / (ofPeople + (0.75 ** 2 * 0.16) / 1_000);
  const [lower, upper] = wilson(0.8 * worth, worth, z95);
  assert.deepEqual([lower.toFixed(3), upper.toFixed(3)], ['0.737', '0.851']);
  near(people, {
    m: {
      ...{ n: 100, missing: 0 },
      alone: { value: 0.8, lower: 0.7111708344068411, upper: 0.8666330666689674 },
      right: { value: 0.8, lower, upper },
    },
  });
});

test('too few judged: how many are missing, and no interval', () => {
  const { m } = peopleBlock([...example, [false, false, 15]]) as Record<string, { missing: number; right: unknown }>;
  assert.equal(m!.missing, 1);
  near(m!.right, { value: 0.8 * 0.95 + 0.2 * (4 / 19), lower: null, upper: null });
});

test('a model is left out where the events of people had several chances', () => {
  assert.deepEqual(peopleBlock([...example, [false, false, 16]], [0.1, 0.2]), {});
});
