import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type AgainstRules,
  cohensKappa,
  correctedSuccess,
  meanOfTraffic,
  shareOfTraffic,
  together,
} from '../../../src/scoring/judgement/estimates.ts';
import { wilson, z95 } from '../../../src/scoring/reading.ts';
import { seeded } from '../../../src/statistics/random.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { near } from '../../support/near.ts';

/*
 * What intervals promise, by simulation: traffic whose truth is known, of which a tenth is judged, with unequal chances.
 */
const seed = 20_261_124;
const runs = 2_000;
const usualEvents = 2_000;

interface World {
  /** Chance that the rules call an event right. */
  readonly right: number;
  /** Chance that the judge says the same as the rules; `passesWrong`: that it passes an event that they call wrong, where that is another one. */
  readonly agree: number;
  readonly passesWrong?: number;
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
function run({ right, agree, passesWrong = 1 - agree, chance }: World, random: Random, events = usualEvents) {
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
    const passes = random() < (isRight ? agree : passesWrong);
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
  test(`simulated: 95 % intervals hold the truth in 93 to 97 % of ${runs} runs: ${name}`, (t) => {
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
    // Where the judge's few contradictions lie among events that are seldom judged it is as wide.
    assert.ok(width.corrected < 1.01 * width.pass, 'the corrected one is no wider than the judged sample alone');
  });
}

const defaultChance = loadConfig({}).config.judge.sample as World['chance'];

/** Groups of 1,000 that must hold: of few that have an interval at all the bounds are wider. */
for (const [events, groups, least, most] of [
  [300, 3_000, 0.92, 0.98],
  [2_000, 1_000, 0.93, 0.97],
  [20_000, 1_000, 0.93, 0.97],
] as const)
  test(`simulated: the corrected success of ${events} events under the default chances`, (t) => {
    t.diagnostic(`seed ${seed}`);
    const random = seeded(seed);
    const world: World = { right: 0.8, agree: 0.95, passesWrong: 0.3, chance: defaultChance };
    const truth = 0.8 * 0.95 + 0.2 * 0.3;
    let [held, shown] = [0, 0];
    for (let group = 0; group < groups; group++) {
      const { kinds, traffic } = run(world, random, events);
      const corrected = correctedSuccess(traffic, kinds, z95);
      if (corrected.lower === null) continue;
      shown++;
      if (holds(corrected, truth)) held++;
    }
    t.diagnostic(`${shown} of ${groups} have an interval, of which ${held} hold`);
    assert.ok(shown > groups / 10, 'some have an interval');
    assert.ok(held >= least * shown && held <= most * shown, `${held} of ${shown} hold`);
  });

test("Cohen's kappa: the example of his table, chance, full agreement, nothing", () => {
  assert.equal(cohensKappa(20, 5, 10, 15), 0.4);
  assert.equal(cohensKappa(20, 10, 5, 15), 0.4);
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

/** A judged event: its weight, its score, whether the rules call it right. */
interface Judged {
  readonly w: number;
  readonly x: number;
  readonly right: boolean;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The weighted mean of some values, and the variance of it, event by event. */
function linearised(all: readonly Judged[], of: (one: Judged) => number): { mean: number; variance: number } {
  const weight = sum(all.map(({ w }) => w));
  const mean = sum(all.map((one) => one.w * of(one))) / weight;
  const squares = sum(all.map((one) => (one.w * (of(one) - mean)) ** 2));
  return { mean, variance: (squares / weight ** 2) * (all.length / (all.length - 1)) };
}

/** As many independent events as the weights are worth. */
const worth = (all: readonly Judged[]): number => sum(all.map(({ w }) => w)) ** 2 / sum(all.map(({ w }) => w ** 2));

const weightedOf = (some: readonly Judged[]) => ({
  n: some.length,
  w: sum(some.map(({ w }) => w)),
  ww: sum(some.map(({ w }) => w ** 2)),
});

const judged = (x: fc.Arbitrary<number>, size = 12): fc.Arbitrary<Judged[]> =>
  fc.array(fc.record({ w: fc.constantFrom(1, 2, 5, 10), x, right: fc.boolean() }), { minLength: 2, maxLength: size });
const flags = judged(fc.constantFrom(0, 1));

test('the interval of a share is that of as many independent events as have its variance', () => {
  fc.assert(
    fc.property(flags, (all) => {
      const kinds = [1, 0].map((x) => weightedOf(all.filter((one) => one.x === x)));
      const { mean, variance } = linearised(all, ({ x }) => x);
      const effective = mean === 0 || mean === 1 ? worth(all) : (mean * (1 - mean)) / variance;
      const [lower, upper] = wilson(mean * effective, effective, z95);
      near(shareOfTraffic(kinds[0]!, kinds[1]!, z95), { value: mean, lower, upper });
    }),
  );
});

test('the interval of a mean score is as wide as its linearised variance says', () => {
  fc.assert(
    fc.property(judged(fc.constantFrom(0, 0.25, 0.5, 1)), (all) => {
      const { mean, variance } = linearised(all, ({ x }) => x);
      const sums = {
        ...weightedOf(all),
        wx: sum(all.map(({ w, x }) => w * x)),
        wwx: sum(all.map(({ w, x }) => w * w * x)),
        wwxx: sum(all.map(({ w, x }) => w * w * x * x)),
      };
      const half = z95 * Math.sqrt(variance);
      const found = meanOfTraffic(sums, z95);
      near(found.value, mean);
      // Where all scores are equal the square root of what rounding leaves is seen.
      for (const [end, wanted] of [
        [found.lower!, mean - half],
        [found.upper!, mean + half],
      ] as const)
        assert.ok(Math.abs(end - wanted) < 1e-6, `${end}, ${wanted}`);
    }),
  );
});

test('the corrected success: right and wrong events apart, their ends added up by distances', () => {
  const traffic = fc.integer({ min: 1, max: 2_000 }).chain((n) => fc.record({ n: fc.constant(n), right: fc.nat(n) }));
  fc.assert(
    fc.property(judged(fc.constantFrom(0, 1), 60), traffic, (all, rules) => {
      const of = (right: boolean, x: number) => weightedOf(all.filter((one) => one.right === right && one.x === x));
      const kinds = {
        rightPass: of(true, 1),
        rightFail: of(true, 0),
        wrongPass: of(false, 1),
        wrongFail: of(false, 0),
      };
      const corrected = correctedSuccess(rules, kinds, z95);
      const share = rules.right / rules.n;
      const clamped = (x: number): number => Math.min(1, Math.max(0, x));
      near(corrected.value!, clamped(share + linearised(all, ({ x, right }) => x - Number(right)).mean));
      const parts = [true, false].map((right) => {
        const own = all.filter((one) => one.right === right);
        const c = right ? share : 1 - share;
        const passing = own.length === 0 ? 0 : linearised(own, ({ x }) => x).mean;
        const m = worth(own);
        const [l, u] = own.length === 0 ? [0, 0] : wilson(passing * m, m, z95);
        return { c, n: own.length, p: c * passing, l: c * l, u: c * u };
      });
      if (parts.some(({ c, n }) => c > 0 && n < 3)) {
        assert.deepEqual([corrected.lower, corrected.upper], [null, null]);
        return;
      }
      const used = parts.filter(({ c }) => c > 0);
      const sum = (of: (part: (typeof parts)[number]) => number): number =>
        used.reduce((total, part) => total + of(part), 0);
      const ofRules = (z95 ** 2 * share * (1 - share)) / rules.n;
      const center = sum(({ p }) => p);
      const below = Math.sqrt(sum(({ p, l }) => (p - l) ** 2) + ofRules);
      const above = Math.sqrt(sum(({ p, u }) => (u - p) ** 2) + ofRules);
      near(corrected.lower!, Math.min(corrected.value!, clamped(center - below)));
      near(corrected.upper!, Math.max(corrected.value!, clamped(center + above)));
    }),
  );
});

test('where no event differs the interval is wide for few judged events, and narrow for many; below 3 of a kind there is none', () => {
  const agreed = (n: number) => ({ n, w: 10 * n, ww: 100 * n });
  const nothing = { n: 0, w: 0, ww: 0 };
  const of = (right: number, wrong: number) =>
    correctedSuccess(
      { n: 1_000, right: 750 },
      { rightPass: agreed(right), rightFail: nothing, wrongPass: nothing, wrongFail: agreed(wrong) },
      z95,
    );
  const widths = [of(3, 3), of(60, 40), of(600, 400)].map(({ value, lower, upper }) => {
    assert.equal(value, 0.75);
    return upper! - lower!;
  });
  assert.ok(widths[0]! > 0.4 && widths[1]! < 0.12 && widths[2]! < 0.06, widths.join());
  for (const few of [of(2, 40), of(60, 2)]) assert.deepEqual(few, { value: 0.75, lower: null, upper: null });
  assert.deepEqual(
    correctedSuccess(
      { n: 0, right: 0 },
      { rightPass: nothing, rightFail: nothing, wrongPass: nothing, wrongFail: nothing },
      z95,
    ),
    {
      value: null,
      lower: null,
      upper: null,
    },
  );
  const onlyRight = correctedSuccess(
    { n: 100, right: 100 },
    { rightPass: agreed(3), rightFail: nothing, wrongPass: nothing, wrongFail: nothing },
    z95,
  );
  assert.ok(onlyRight.lower! > 0 && onlyRight.upper === 1, 'a kind that does not occur needs no judge');
});
