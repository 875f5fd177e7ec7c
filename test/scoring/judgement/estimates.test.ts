import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AgainstRules,
  cohensKappa,
  correctedSuccess,
  meanOfTraffic,
  shareOfTraffic,
  together,
} from '../../../src/scoring/judgement/estimates.ts';
import { z95 } from '../../../src/scoring/reading.ts';
import { seeded } from '../../../src/demo/random.ts';

/*
 * What intervals promise, by simulation: traffic whose truth is known, of which a tenth is judged, with unequal chances.
 */
const seed = 20_261_124;
const runs = 2_000;
const events = 2_000;

interface World {
  /** Chance that the rules call an event right. */
  readonly right: number;
  /** Chance that the judge says the same as the rules. */
  readonly agree: number;
  /** Chances to be judged. */
  readonly chance: { readonly right: number; readonly wrong: number };
}

const worlds: Readonly<Record<string, World>> = {
  'a tenth judged, the wrong ones thrice as often': {
    right: 0.7,
    agree: 0.9,
    chance: { right: 0.0625, wrong: 0.1875 },
  },
  'all alike': { right: 0.5, agree: 0.9, chance: { right: 0.1, wrong: 0.1 } },
  'rare errors, the wrong ones ten times as often': {
    right: 0.95,
    agree: 0.9,
    chance: { right: 0.0695, wrong: 0.695 },
  },
};

type Random = () => number;
type Kind = keyof AgainstRules;

/** Judged events of a run, with what is true of the traffic. */
function run({ right, agree, chance }: World, random: Random) {
  const kinds: Record<Kind, { n: number; w: number; ww: number }> = {
    rightPass: { n: 0, w: 0, ww: 0 },
    rightFail: { n: 0, w: 0, ww: 0 },
    wrongPass: { n: 0, w: 0, ww: 0 },
    wrongFail: { n: 0, w: 0, ww: 0 },
  };
  let exact = 0;
  for (let event = 0; event < events; event++) {
    const isRight = random() < right;
    if (isRight) exact++;
    const passes = random() < agree ? isRight : !isRight;
    const p = isRight ? chance.right : chance.wrong;
    if (random() >= p) continue;
    const kind = kinds[`${isRight ? 'right' : 'wrong'}${passes ? 'Pass' : 'Fail'}`];
    kind.n++;
    kind.w += 1 / p;
    kind.ww += 1 / p ** 2;
  }
  return { kinds, traffic: { n: events, right: exact } };
}

const holds = ({ lower, upper }: { lower: number | null; upper: number | null }, truth: number): boolean =>
  lower! <= truth && truth <= upper!;

for (const [name, world] of Object.entries(worlds)) {
  test(`95 % intervals hold the truth in 93 to 97 % of ${runs} runs: ${name}`, (t) => {
    t.diagnostic(`seed ${seed}`);
    const random = seeded(seed);
    const truth = world.right * world.agree + (1 - world.right) * (1 - world.agree);
    const held = { pass: 0, score: 0, corrected: 0 };
    const width = { pass: 0, corrected: 0 };
    for (let i = 0; i < runs; i++) {
      const { kinds, traffic } = run(world, random);
      const passed = together(kinds.rightPass, kinds.wrongPass);
      const failed = together(kinds.rightFail, kinds.wrongFail);
      const pass = shareOfTraffic(passed, failed, z95);
      const scores = { ...together(passed, failed), wx: passed.w, wwx: passed.ww, wwxx: passed.ww };
      const corrected = correctedSuccess(traffic, kinds, z95);
      if (holds(pass, truth)) held.pass++;
      if (holds(meanOfTraffic(scores, z95), truth)) held.score++;
      if (holds(corrected, truth)) held.corrected++;
      width.pass += pass.upper! - pass.lower!;
      width.corrected += corrected.upper! - corrected.lower!;
    }
    t.diagnostic(`held ${JSON.stringify(held)}, mean widths ${width.pass / runs}, ${width.corrected / runs}`);
    for (const [what, times] of Object.entries(held))
      assert.ok(times >= 0.93 * runs && times <= 0.97 * runs, `${what}: held in ${times} of ${runs} runs`);
    assert.ok(width.corrected < width.pass, 'the corrected one is narrower than the judged sample alone');
  });
}

test("Cohen's kappa: the example of his table, chance, full agreement, nothing", () => {
  assert.equal(cohensKappa(20, 5, 10, 15), 0.4);
  assert.equal(cohensKappa(25, 25, 25, 25), 0);
  assert.equal(cohensKappa(3, 0, 0, 2), 1);
  assert.equal(cohensKappa(3, 0, 0, 0), null);
  assert.equal(cohensKappa(0, 0, 0, 0), null);
});

test('of one event there is no interval that rests on a variance', () => {
  const one = { n: 1, w: 10, ww: 100 };
  const nothing = { n: 0, w: 0, ww: 0 };
  assert.deepEqual(meanOfTraffic({ ...one, wx: 5, wwx: 50, wwxx: 25 }, z95), { value: 0.5, lower: null, upper: null });
  assert.equal(shareOfTraffic(one, nothing, z95).upper, 1);
  const kinds = { rightPass: one, rightFail: nothing, wrongPass: nothing, wrongFail: nothing };
  assert.deepEqual(correctedSuccess({ n: 4, right: 3 }, kinds, z95), { value: 0.75, lower: null, upper: null });
  assert.deepEqual(correctedSuccess(undefined, kinds, z95), { value: null, lower: null, upper: null });
});
