import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { designEffect } from '../../src/statistics/design-effect.ts';
import { meanCases, scoreOf } from '../../src/statistics/cusum.ts';
import { createDesigns, roundedUp } from '../../src/statistics/watch-design.ts';
import { newRun, type Run, readPane } from '../../src/statistics/watch-run.ts';
import { prng } from '../sim/prng.ts';

const weights = { up: 29, down: 1 };
const threshold = 282;
type Pane = readonly [n: number, bad: number];

function read(panes: readonly Pane[], run: Run = newRun()): Run {
  for (const [pane, [n, bad]] of panes.entries())
    readPane(run, weights, threshold, { startMs: pane, endMs: pane + 1, n, bad });
  return run;
}

const quiet: Pane = [100, 2];
const spike: Pane = [100, 60];

describe('a watch reads panes', () => {
  const panes = fc.array(
    fc.nat(40).chain((n) => fc.nat(n).map((bad): Pane => [n, Math.floor(bad / 8)])),
    { maxLength: 40 },
  );

  test('its statistic is the greatest sum of scores over where to begin, and it fires while that is at the threshold, until it has recovered', () => {
    fc.assert(
      fc.property(panes, (given) => {
        const scores = given.map(([n, bad]) => scoreOf(weights, bad, n));
        const sumFrom = (from: number, to: number) => scores.slice(from, to).reduce((sum, score) => sum + score, 0);
        for (let end = 1; end <= given.length; end++) {
          const run = read(given.slice(0, end));
          if (run.over.some(({ endMs }) => endMs! <= end && run.level <= 0)) return;
          const sums = scores.slice(0, end).map((_, from) => sumFrom(from, end));
          const greatest = Math.max(0, ...sums);
          assert.equal(Math.max(0, run.level), greatest);
          assert.equal(run.firing, greatest >= threshold);
          if (greatest > 0) assert.equal(sumFrom(run.sinceMs, end), greatest, 'since is where the greatest sum begins');
        }
      }),
      {
        examples: [
          [
            [
              [100, 13],
              [20, 0],
              [10, 3],
              [400, 0],
            ],
          ],
        ],
      },
    );
  });

  test('a spike fires in its first pane, since its first pane, with its rate', () => {
    const run = read([quiet, quiet, [0, 0], spike]);
    assert.deepEqual([run.firing, run.sinceMs, run.n, run.bad], [true, 3, 100, 60]);
  });

  test('it fires as long as the spike, ends two panes after it though the sum is far from made good, and fires again', () => {
    const hour = Array.from({ length: 360 }, () => spike);
    assert.ok(read([quiet, ...hour]).firing);
    const still = read([quiet, ...hour, [300, 6]]);
    assert.ok(still.firing && still.level > 100 * threshold);
    const over = read([quiet, ...hour, [300, 6], [500, 10]]);
    assert.deepEqual([over.firing, over.level], [false, 0]);
    assert.ok(read([quiet, ...hour, [300, 6], [500, 10], quiet, spike]).firing);
  });

  test('it ends where the sum falls below the threshold, and fires again in the same incident where the rate is still up', () => {
    const near: Pane[] = [
      [100, 13],
      [20, 0],
    ];
    const below = read(near);
    assert.deepEqual([below.firing, below.level, below.incident?.endMs], [false, 270, 2]);
    const again = read([...near, [10, 2]]);
    assert.deepEqual([again.firing, again.sinceMs, again.n, again.over], [true, 0, 130, []]);
    assert.deepEqual([again.incident?.beginMs, again.incident?.endMs], [1, undefined]);
    const over = read([...near, [10, 2], [400, 0]]);
    assert.deepEqual([over.firing, over.level, over.incident], [false, 0, undefined]);
    assert.deepEqual(over.over, [{ sinceMs: 0, untilMs: 3, n: 130, bad: 15, beginMs: 1, endMs: 4 }]);
  });
});

test('a rate that was up for a while is one incident, however often its sum crosses the threshold', () => {
  const random = prng(20261127);
  const n = 3;
  const badOf = (rate: number) => Array.from({ length: n }).filter(() => random.chance(rate)).length;
  let crossed = 0;
  for (let incident = 0; incident < 100; incident++) {
    const run = newRun();
    let fired = 0;
    for (let pane = 0; pane < 2_000; pane++) {
      const before = run.firing;
      const bad = badOf(pane < 120 ? 0.1 : 0.015);
      readPane(run, weights, threshold, { startMs: pane, endMs: pane + 1, n, bad });
      if (run.firing && !before) fired++;
    }
    if (fired > 1) crossed++;
    assert.equal(run.over.length, Math.min(1, fired), `incident ${incident}`);
  }
  assert.ok(crossed > 20, `${crossed} crossed it again`);
});

describe('where a watch begins and ends', () => {
  test('a pane without cases changes nothing', () => {
    const below: Pane[] = [
      [100, 13],
      [20, 0],
    ];
    for (const panes of [[], [quiet], [spike], [spike, [10, 0]], below] satisfies Pane[][])
      assert.deepEqual(read([[0, 0]], read(panes)), read(panes));
  });

  test('a sum that is back at 0 begins anew', () => {
    assert.deepEqual(
      [read([[30, 1]]), read([[29, 1], spike]), read([[30, 1], spike])].map(({ level, sinceMs }) => [level, sinceMs]),
      [
        [0, 0],
        [1_701, 0],
        [1_700, 1],
      ],
    );
  });

  test('it fires at the threshold, and ends where the chart in the other direction is at it', () => {
    assert.deepEqual([read([[18, 10]]).firing, read([[19, 10]]).firing], [true, false]);
    const still = read([spike, [281, 0]]);
    assert.deepEqual([still.firing, still.back, still.over], [true, 281, []]);
    const over = read([spike, [282, 0]]);
    assert.deepEqual([over.firing, over.back, over.over.length], [false, 0, 1]);
    // Cases of the spike take back what was good.
    const [taken, again] = [read([spike, [281, 0], [10, 1], [20, 0]]), read([spike, [10, 1], [282, 0]])];
    assert.deepEqual([taken.back, taken.firing, again.firing], [281, true, false]);
  });

  test('it ends where its sum is made good, whatever threshold there has come to be', () => {
    const run = read([[18, 10]]);
    readPane(run, weights, 1_000, { startMs: 1, endMs: 2, n: 281, bad: 0 });
    assert.deepEqual([run.firing, run.level, run.over.length], [false, 1, 0]);
    readPane(run, weights, 1_000, { startMs: 2, endMs: 3, n: 1, bad: 0 });
    assert.deepEqual([run.level, run.over], [0, [{ sinceMs: 0, untilMs: 1, n: 18, bad: 10, beginMs: 1, endMs: 2 }]]);
  });

  test('it fires where the threshold comes down to its sum, however far that has fallen', () => {
    const run = newRun();
    readPane(run, weights, 1_000, { startMs: 0, endMs: 1, n: 40, bad: 30 });
    readPane(run, weights, 1_000, { startMs: 1, endMs: 2, n: 500, bad: 0 });
    assert.deepEqual([run.firing, run.level], [false, 360]);
    readPane(run, weights, threshold, { startMs: 2, endMs: 3, n: 1, bad: 0 });
    assert.deepEqual([run.firing, run.level, run.incident?.beginMs], [true, 359, 3]);
  });

  test('its incident is what the sum had reached at its greatest', () => {
    const [first, ...rest] = [spike, [30, 1], [10, 0], spike] as const;
    assert.deepEqual(read([first, ...rest.slice(0, 2)]).incident, { ...read([first]).incident });
    assert.deepEqual(read([first, ...rest]).incident, {
      ...{ sinceMs: 0, untilMs: 4, n: 240, bad: 121 },
      ...{ beginMs: 1, endMs: undefined },
    });
  });
});

describe('designs', () => {
  test('say how late they see the worst rate, and twice that or half of what is left', () => {
    const designs = createDesigns();
    for (const [baseline, worst, twice] of [
      [0.02, 0.05, 0.1],
      [0.3, 0.6, 0.8],
    ] as const) {
      const design = designs(baseline, worst, 1_000)!;
      const cases = (rate: number) => meanCases(design.weights, design.threshold, rate);
      assert.deepEqual([design.baseline, design.worst], [baseline, worst]);
      assert.deepEqual([design.delayCases, design.delayCasesAtTwice], [cases(worst), cases(twice)]);
    }
  });

  test('are no more than 10,000 in memory, those that are none among them', () => {
    const designs = createDesigns();
    const one = designs(0.02, 0.05, 200);
    for (let cases = 1; cases < 10_000; cases++) designs(0.02, 0.021, cases);
    assert.equal(designs(0.02, 0.05, 200), one);
    designs(0.02, 0.021, 10_000);
    const again = designs(0.02, 0.05, 200);
    assert.deepEqual([again === one, again], [false, one]);
  });
});

test('numbers are rounded up to two digits', () => {
  assert.deepEqual(
    [0.001, 0.0213, 0.0999, 0.1, 0.101, 1, 200, 201, 40_100].map(roundedUp),
    [0.001, 0.022, 0.1, 0.1, 0.11, 1, 200, 210, 41_000],
  );
});

test('law: a number of two digits stays as it is written', () => {
  for (let exponent = -5; exponent <= 5; exponent++)
    for (let digits = 10; digits < 100; digits++) {
      const value = Number(`${digits}e${exponent}`);
      assert.equal(roundedUp(value), value);
    }
});

describe('the design effect', () => {
  const near = (found: number, expected: number) => assert.ok(Math.abs(found - expected) < 1e-4, `${found}`);
  test('of worked cases', () => {
    near(designEffect([20, 20, 20], 2), 1.3408);
    near(designEffect([10, 10, 10], 2), 1.3483);
    near(designEffect([50, 0, 0, 0, 0, 50], 5), 5);
    assert.equal(designEffect([0, 0, 0, 0, 0, 50], 5), 1, 'all alike');
    assert.equal(designEffect([10, 9, 10], 2), 1, 'too few');
    assert.equal(designEffect([0, 60, 0], 2), 1, 'less alike than chance');
    assert.equal(designEffect([100, 100], 1), 1);
  });

  for (const [icc, p0, p1, most] of [
    [0.1, 0.02, 0.05, 0.8],
    [0.3, 0.1, 0.2, 0.5],
    [0.6, 0.1, 0.2, 0.5],
  ] as const)
    test(`of runs that repeat, icc ${icc}: with it there are as many cases between false alarms as designed, without it at most ${most} of them; seed 11`, () => {
      const random = prng(11);
      const k = 5;
      const design = createDesigns()(p0, p1, 2_000)!;
      // An example is alike in all of its runs with probability icc, else each run has its own chance.
      const badRuns = (): number => {
        const alike = random.chance(icc) ? random.chance(p0) : undefined;
        return Array.from({ length: k }, () => alike ?? random.chance(p0)).filter(Boolean).length;
      };
      const histogram = new Float64Array(k + 1);
      for (let i = 0; i < 100_000; i++) histogram[k - badRuns()]! += 1;
      const effect = designEffect(histogram, k);
      assert.ok(Math.abs(effect / (1 + (k - 1) * icc) - 1) < 0.1, `${effect}`);
      const meanCasesWith = (level: number): number => {
        let cases = 0;
        const runs = 400;
        for (let i = 0; i < runs; i++)
          for (const run = newRun(); !run.firing; cases += k)
            readPane(run, design.weights, level, { startMs: cases, endMs: cases + k, n: k, bad: badRuns() });
        return cases / runs;
      };
      const designed = design.falseAlarmCases;
      const divided = meanCasesWith(design.threshold * effect);
      const undivided = meanCasesWith(design.threshold);
      assert.ok(divided > designed, `${divided}, designed ${designed}`);
      assert.ok(undivided < most * designed, `${undivided}, designed ${designed}`);
    });
});
