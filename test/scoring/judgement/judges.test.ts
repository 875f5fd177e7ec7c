import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBlock } from '../../../src/scoring/family.ts';
import { shareOfTraffic } from '../../../src/scoring/judgement/estimates.ts';
import { judgeDeclaration, judgements, semanticDeclaration } from '../../../src/scoring/judgement/index.ts';
import type { GroupMetric } from '../../../src/scoring/metric.ts';
import { rateWith, z95 } from '../../../src/scoring/reading.ts';
import { judgementOf } from '../../support/judgements.ts';
import { tallyOf, tallyOutcomes } from '../../support/tally.ts';

const judging = { normalization: 'minmax', threshold: 0.85 } as const;
const judge = judgements(judgeDeclaration, judging);
const semantic = judgements(semanticDeclaration, judging);
const rate = rateWith(z95);

test('each family takes the judgements of its name, and leaves none out as perfect', () => {
  for (const [family, mine] of [
    [judge, 'judge'],
    [semantic, 'semantic'],
  ] as const) {
    const taken = ['judge', 'semantic', 'mine'].filter((name) => family.judged!.take(judgementOf({ name })));
    assert.deepEqual(taken, [mine]);
    assert.equal(family.perfect(judgementOf({ name: mine })), true);
  }
});

test('a judgement passes from the threshold on; one without a score does neither', () => {
  const passes = (score: number | undefined) => judge.judged!.passes!(judgementOf({ score }));
  assert.deepEqual([0.84, 0.85, 1, undefined].map(passes), [false, true, true, undefined]);
  const block = readBlock(
    judge,
    tallyOutcomes(
      judge,
      [0.84, 0.85].map((score) => judgementOf({ score })),
    ),
    rate,
  )!;
  assert.deepEqual(block['pass'], rate(1, 2));
});

test('the share of all traffic that passes is read from the weights of those that pass and of the others', () => {
  const all = [
    judgementOf({ probability: 0.5, exact: true }),
    judgementOf({ probability: 0.25, score: 0, exact: false }),
    judgementOf({ probability: 0.1, score: 0 }),
  ];
  const block = readBlock(judge, tallyOutcomes(judge, all), rate)!;
  const { pass } = block['traffic'] as { pass: unknown };
  assert.deepEqual(pass, shareOfTraffic({ n: 1, w: 2, ww: 4 }, { n: 2, w: 14, ww: 116 }, z95));
});

/** How often the first and the second judge said pass, by pairs of judges. */
const pairs: readonly (readonly [first: string, second: string, says: readonly (readonly [boolean, boolean])[]])[] = [
  [
    'a',
    'b',
    [
      [true, true],
      [true, true],
      [true, false],
      [false, true],
      [false, false],
      [true, false],
    ],
  ],
  ['a', 'c', [[false, false]]],
];

test('two judges of one prediction: how often they say the same, and how far beyond chance', () => {
  const { tally, reader } = tallyOf(judge);
  for (const [first, second, says] of pairs)
    for (const [one, other] of says) {
      const pair = [
        { by: first, passes: one },
        { by: second, passes: other },
      ];
      judge.judged!.compare!(pair, one ? true : undefined, tally);
    }
  // A prediction that was judged, so that there is a block.
  judge.tally(judgementOf({}), tally);
  const { judges } = readBlock(judge, reader, rate) as { judges: unknown };
  // Of 6 events the first passes 4 and the second 3: chance agrees on 4 * 3 + 2 * 3 of 36, they do on 3 of 6.
  assert.deepEqual(judges, {
    a: { b: { n: 6, agreement: rate(3, 6), kappa: 0 }, c: { n: 1, agreement: rate(1, 1), kappa: null } },
  });
});

test('costs are added up by judge; what costs nothing is no entry', () => {
  const cost = { inputTokens: 1_000, outputTokens: 20, nanoUsd: 1_500_000 };
  const all = [judgementOf({ cost }), judgementOf({ cost }), judgementOf({ by: 'human:ann' })];
  const block = readBlock(judge, tallyOutcomes(judge, all), rate)!;
  assert.deepEqual(block['cost'], { m: { input_tokens: 2_000, output_tokens: 40, usd: 0.003 } });
  const added: unknown[][] = [];
  judge.tally(judgementOf({ cost }), { count() {}, sum() {}, attribute() {}, entry: (...of) => void added.push(of) });
  assert.deepEqual(
    added.filter(([breakdown]) => breakdown === 0).map(([, , subkey, column, amount]) => [subkey, column, amount]),
    [
      ['', 0, 1_000],
      ['', 1, 20],
      ['', 2, 1_500_000],
    ],
  );
});

test('kappa against the rules is read back from its counts in a block, that of two judges is not', () => {
  const { kappa, agreement, judges } = judgeDeclaration.metrics;
  const read = (against_exact: unknown) => kappa.ofBlock!({ beside: {}, block: { against_exact }, label: 0 });
  assert.equal(read({ right: { pass: 20, fail: 5 }, wrong: { pass: 10, fail: 15 } }), 0.4);
  assert.equal(read({ right: { pass: 3 }, wrong: { fail: 2 } }), 1);
  assert.equal(read({ right: { fail: 1 }, wrong: { pass: 1 } }), -1);
  assert.deepEqual([read({ wrong: { fail: 1 } }), read({ right: { pass: 1 } }), read({})], [null, null, null]);
  assert.deepEqual([read(undefined), read(null), read(5)], [undefined, undefined, undefined]);
  assert.equal('ofRow' in agreement, false);
  assert.equal('ofBlock' in (judges.value as GroupMetric<unknown>).metrics['kappa']!, false);
});

test('agreement with the rules counts each of the four ways', () => {
  const given = [
    [true, 1],
    [true, 1],
    [true, 0],
    [false, 1],
    [false, 0],
    [false, 0],
    [false, 0],
  ] as const;
  const block = readBlock(
    judge,
    tallyOutcomes(
      judge,
      given.map(([exact, score]) => judgementOf({ exact, score })),
    ),
    rate,
  )!;
  assert.deepEqual(block['agreement'], rate(5, 7));
  assert.deepEqual(block['against_exact'], { right: { pass: 2, fail: 1 }, wrong: { pass: 1, fail: 3 } });
});
