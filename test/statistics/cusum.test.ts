import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import {
  caughtRate,
  type Design,
  designOf,
  meanCases,
  scoreOf,
  steadyCases,
  type Weights,
  weightsFor,
} from '../../src/statistics/cusum.ts';
import { ratesProblem, worstOf } from '../../src/statistics/watch-rates.ts';
import { prng, type Random } from '../sim/prng.ts';

interface Row {
  readonly p0: number;
  readonly m: number;
  readonly p1: number;
  readonly cases: number;
  readonly H: number;
  readonly falseAlarm: number;
  readonly caught: number;
  readonly steady: number;
  readonly twice: number;
  readonly fiveTimes: number;
}

const table = JSON.parse(readFileSync('test/fixtures/cusum.json', 'utf8')) as readonly Row[];

describe('the design of a Bernoulli CUSUM', () => {
  for (const row of table) {
    test(`p0 = ${row.p0}, m = ${row.m}, at least ${row.cases} cases to a false alarm`, () => {
      const { p0, m, H } = row;
      const weights = { up: m - 1, down: 1 };
      const p1 = caughtRate(p0, 1 / m);
      assert.equal(p1.toFixed(6), row.p1.toFixed(6));
      assert.deepEqual(weightsFor(p0, row.p1), weights);
      const design = designOf(weights, p0, row.cases);
      assert.equal(design.threshold, H);
      assert.equal(design.falseAlarmCases.toFixed(1), row.falseAlarm.toFixed(1));
      const mean = (p: number): string => meanCases(weights, H, p).toFixed(2);
      assert.deepEqual(
        [mean(p1), steadyCases(weights, H, p0, p1).toFixed(2), mean(2 * p0), mean(5 * p0)],
        [row.caught, row.steady, row.twice, row.fiveTimes].map((value) => value.toFixed(2)),
      );
    });
  }

  test('however rare the signal, no digit is lost: up 1, down 1 has a closed form', () => {
    // The mean passage time from i to i + 1 is the sum of (q / p)^j over j = 0..i, divided by p.
    const p = 0.05;
    const ratio = (1 - p) / p;
    let exact = 0;
    for (let i = 0, sum = 0; i < 12; i++) {
      sum += ratio ** i;
      exact += sum / p;
    }
    assert.ok(exact > 1e15);
    assert.ok(Math.abs(meanCases({ up: 1, down: 1 }, 12, p) / exact - 1) < 1e-12);
  });

  test('a bad case adds something, however near to 1 the rate to be caught is', () => {
    const { up, down } = weightsFor(0.3, 0.99);
    assert.ok(up > 0 && Math.abs(caughtRate(0.3, down / (up + down)) - 0.99) <= 0.069, `${up}, ${down}`);
  });

  test('whole weights see the worst rate at most 1.05 times as late as weights ten times as fine', () => {
    for (const [p0, p1] of [
      [0.02, 0.05],
      [0.001, 0.031],
      [0.1, 0.2],
      [0.3, 0.6],
      [0.5, 0.75],
      [0.9, 0.95],
    ] as const) {
      const simple = weightsFor(p0, p1);
      const down = simple.down * 10;
      const exact = { up: Math.round((simple.down * 10) / fineShare(p0, p1)) - down, down };
      const delay = (weights: Weights): number => meanCases(weights, designOf(weights, p0, 20_000).threshold, p1);
      assert.ok(delay(simple) <= 1.05 * delay(exact), `${p0}: ${delay(simple)} and ${delay(exact)}`);
    }
  });

  test('what a watch accepts', () => {
    assert.deepEqual([0.02, 0.021, 0.001, 0.4, 0.99].map(worstOf), [0.05, 0.051, 0.031, 0.7, 0.995]);
    assert.equal(ratesProblem(0.0001, 0.5), undefined);
    assert.equal(ratesProblem(0.05, 0.055), undefined);
    assert.match(ratesProblem(0.05, 0.0549)!, /at least 0\.005 above the baseline 0\.05/);
    assert.match(ratesProblem(0.5, 1)!, /below 1/);
    assert.match(ratesProblem(0, 0.5)!, /at least 0\.0001/);
  });
});

describe('simulated, seed 7', () => {
  const cases = 1_000;
  const runs = 4_000;
  for (const [p0, p1] of [
    [0.02, 0.05],
    [0.05, 0.1],
    [0.4, 0.7],
  ] as const) {
    const designed = () => designOf(weightsFor(p0, p1), p0, cases);
    test(`p0 = ${p0}: the mean number of cases to a false alarm is within 5 % of the exact one`, () => {
      const design = designed();
      const { mean, error } = simulated(prng(7), runs, p0, design, 1);
      assert.ok(
        Math.abs(mean / design.falseAlarmCases - 1) < 0.05,
        `${mean} ± ${error}, exact ${design.falseAlarmCases}`,
      );
    });
    test(`p0 = ${p0}: read by panes of 20 cases it is not below the exact one`, () => {
      const design = designed();
      const { mean, error } = simulated(prng(7), runs, p0, design, 20);
      assert.ok(mean > design.falseAlarmCases - 2 * error, `${mean} ± ${error}, exact ${design.falseAlarmCases}`);
    });
    test(`p0 = ${p0}: the worst rate is seen with the exact mean delay, by panes at most one later`, () => {
      const design = designed();
      const exact = meanCases(design.weights, design.threshold, p1);
      const { mean, error } = simulated(prng(7), runs, p1, design, 1);
      assert.ok(Math.abs(mean - exact) < 3 * error, `${mean} ± ${error}, exact ${exact}`);
      const read = simulated(prng(7), runs, p1, design, 20);
      assert.ok(read.mean < 1.2 * exact + 20 + 3 * read.error, `${read.mean} ± ${read.error}, exact ${exact}`);
    });
  }
});

/** Mean and standard error of the number of cases to a signal, read every `pane` cases. */
function simulated(
  random: Random,
  runs: number,
  rate: number,
  { weights, threshold }: Design,
  pane: number,
): { readonly mean: number; readonly error: number } {
  let sum = 0;
  let squares = 0;
  for (let run = 0; run < runs; run++) {
    let level = 0;
    let cases = 0;
    while (level < threshold) {
      let bad = 0;
      for (let i = 0; i < pane; i++) if (random.chance(rate)) bad++;
      level = Math.max(0, level) + scoreOf(weights, bad, pane);
      cases += pane;
    }
    sum += cases;
    squares += cases * cases;
  }
  const mean = sum / runs;
  return { mean, error: Math.sqrt((squares / runs - mean * mean) / runs) };
}

function fineShare(p0: number, p1: number): number {
  const r1 = -Math.log((1 - p1) / (1 - p0));
  return r1 / Math.log((p1 * (1 - p0)) / (p0 * (1 - p1)));
}
