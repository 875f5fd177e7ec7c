import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { designEffect } from '../../src/statistics/design-effect.ts';
import { meanCases, scoreOf } from '../../src/statistics/cusum.ts';
import { createDesigns, roundedUp } from '../../src/statistics/watch-design.ts';
import { type Chart, joinedAlarms, newRun, type Run, readPane } from '../../src/statistics/watch-run.ts';
import { prng } from '../sim/prng.ts';

const weights = { up: 29, down: 1 };
const threshold = 282;
/** It ends by 20 good cases; each bad one takes 3 of them back. */
const end = { weights: { up: 3, down: 1 }, threshold: 20 };
const chart: Chart = { weights, threshold, baseline: 0.02, endFor: () => end };
type Counts = readonly [n: number, bad: number];

function read(panes: readonly Counts[], by: Chart = chart, run: Run = newRun()): Run {
  for (const [pane, [n, bad]] of panes.entries()) readPane(run, by, { startMs: pane, endMs: pane + 1, n, bad });
  return run;
}

const quiet: Counts = [100, 2];
const spike: Counts = [100, 60];

const panes = fc.array(
  fc.nat(40).chain((n) => fc.nat(n).map((bad): Counts => [n, Math.floor(bad / 8)])),
  { maxLength: 40 },
);
const sumOf = (given: readonly Counts[]): Counts =>
  given.reduce(([n, bad], [more, worse]) => [n + more, bad + worse], [0, 0]);

describe('a watch reads panes', () => {
  test('law: its statistic is the greatest sum of scores over where to begin, and it begins to fire where that is at the threshold', () => {
    fc.assert(
      fc.property(panes, (given) => {
        for (let to = 1; to <= given.length; to++) {
          const run = read(given.slice(0, to));
          if (run.over.length > 0) return;
          const sums = given.slice(0, to).map((_, from) => {
            const [n, bad] = sumOf(given.slice(from, to));
            return scoreOf(weights, bad, n);
          });
          assert.equal(Math.max(0, run.level), Math.max(0, ...sums));
          if (run.level >= threshold) assert.ok(run.alarm);
          if (run.alarm !== undefined) return;
        }
      }),
    );
  });

  test('law: since is where the likelihood of a change is greatest, and no pane that is not worse than the baseline begins it', () => {
    let fired = 0;
    fc.assert(
      fc.property(panes, fc.nat(39), (calm, spiked) => {
        const given = calm.map(([n, bad], at): Counts => [n, at < spiked ? bad : Math.max(bad, Math.floor(n / 3))]);
        const to = given.findIndex((_, index) => read(given.slice(0, index + 1)).alarm !== undefined);
        if (to < 0) return;
        fired++;
        const { sinceMs, n, bad } = read(given.slice(0, to + 1)).alarm!;
        const sumFrom = (from: number): Counts => sumOf(given.slice(from, to + 1));
        assert.deepEqual([n, bad], sumFrom(sinceMs));
        const [first, worse] = given[sinceMs]!;
        assert.ok(worse > chart.baseline * first, `begins with ${worse} of ${first}`);
        // Over the panes of the sum: all since it was last at 0.
        let level = 0;
        let begin = 0;
        for (const [index, [cases, of]] of given.slice(0, to + 1).entries()) {
          if (cases === 0) continue;
          if (level <= 0) [level, begin] = [0, index];
          level += scoreOf(weights, of, cases);
        }
        const greatest = Math.max(
          ...given.slice(begin, to + 1).map((_, index) => likelihood(...sumFrom(begin + index))),
        );
        assert.ok(Math.abs(likelihood(n, bad) - greatest) <= 1e-9 * greatest);
      }),
      { numRuns: 2_000 },
    );
    assert.ok(fired > 100, `${fired} fired`);
  });

  test('a spike fires in its first pane, since its first pane, with its rate', () => {
    const { alarm } = read([quiet, quiet, [0, 0], spike]);
    assert.deepEqual(alarm, { sinceMs: 3, untilMs: 4, n: 100, bad: 60, beginMs: 4, endMs: undefined });
  });

  test('since does not reach back into calm panes, though the sum does', () => {
    const calm = Array.from({ length: 25 }, (): Counts => [20, 1]);
    const { alarm, level } = read([...calm, spike]);
    assert.equal(level, 25 * 10 + 1_700);
    assert.deepEqual([alarm?.sinceMs, alarm?.n, alarm?.bad], [25, 100, 60]);
  });

  test('it fires as long as the spike and ends soon after, whatever the sum, and fires again', () => {
    const hour = Array.from({ length: 360 }, () => spike);
    const still = read([quiet, ...hour, [10, 0]]);
    assert.ok(still.alarm !== undefined && still.level > 100 * threshold);
    const over = read([quiet, ...hour, [10, 0], [12, 0]]);
    assert.deepEqual([over.alarm, over.level, over.over.length], [undefined, 0, 1]);
    assert.ok(read([quiet, ...hour, [10, 0], [12, 0], quiet, spike]).alarm);
  });
});

/** Of a change from the baseline to the rate of these cases. */
function likelihood(n: number, bad: number): number {
  if (bad <= chart.baseline * n) return 0;
  const rate = bad / n;
  const good = n === bad ? 0 : (n - bad) * Math.log((1 - rate) / (1 - chart.baseline));
  return bad * Math.log(rate / chart.baseline) + good;
}

describe('where an alarm begins and ends', () => {
  test('a pane without cases changes nothing', () => {
    for (const given of [[], [quiet], [spike], [spike, [10, 0]], [spike, [20, 0]]] satisfies Counts[][])
      assert.deepEqual(read([[0, 0]], chart, read(given)), read(given));
  });

  test('a sum that is back at 0 begins anew', () => {
    const levels = [read([[30, 1]]), read([[29, 1], spike]), read([[30, 1], spike])].map(({ level }) => level);
    assert.deepEqual(levels, [0, 1_701, 1_700]);
  });

  test('it fires from the threshold on, also below it, until the chart of the end is at its own', () => {
    assert.deepEqual(
      [read([[18, 10]]), read([[19, 10]])].map(({ alarm }) => alarm !== undefined),
      [true, false],
    );
    const still = read([
      [18, 10],
      [19, 0],
    ]);
    assert.ok(still.alarm !== undefined && still.level < threshold);
    assert.deepEqual(still.recovery, { sinceMs: 1, n: 19, bad: 0, level: 19 });
    const { over } = read([
      [18, 10],
      [20, 0],
    ]);
    assert.deepEqual(over, [{ sinceMs: 0, untilMs: 1, n: 18, bad: 10, beginMs: 1, endMs: 2 }]);
  });

  test('bad cases take the recovery back: until then the rate was up', () => {
    const [less, none] = [read([spike, [15, 0], [5, 1]]), read([spike, [15, 0], [10, 7]])];
    assert.deepEqual(less.recovery, { sinceMs: 1, n: 20, bad: 1, level: 16 });
    assert.deepEqual([less.alarm?.untilMs, less.alarm?.n], [1, 100]);
    assert.deepEqual([none.recovery, none.alarm?.untilMs, none.alarm?.n, none.alarm?.bad], [undefined, 3, 125, 67]);
  });

  test('it ends where nothing is left of its sum', () => {
    const slow: Chart = { ...chart, endFor: () => ({ ...end, threshold: 1_000 }) };
    const [last, over] = [
      read(
        [
          [18, 10],
          [281, 0],
        ],
        slow,
      ),
      read(
        [
          [18, 10],
          [282, 0],
        ],
        slow,
      ),
    ];
    assert.deepEqual([last.level, last.over, over.level, over.over.length], [1, [], 0, 1]);
  });

  test('it fires where the threshold comes down to its sum', () => {
    const run = read(
      [
        [40, 30],
        [500, 0],
      ],
      { ...chart, threshold: 1_000 },
    );
    assert.deepEqual([run.alarm, run.level], [undefined, 360]);
    readPane(run, chart, { startMs: 2, endMs: 3, n: 1, bad: 0 });
    assert.deepEqual([run.alarm?.beginMs, run.alarm?.sinceMs, run.alarm?.n], [3, 0, 541]);
  });
});

test('alarms within half an hour are one incident, with the cases of both', () => {
  const minuteMs = 60_000;
  const alarm = (from: number, to: number | undefined) => ({
    ...{ sinceMs: from * minuteMs, untilMs: (from + 2) * minuteMs, n: 100, bad: 60 },
    ...{ beginMs: (from + 1) * minuteMs, endMs: to === undefined ? undefined : to * minuteMs },
  });
  const [first, second, third] = [alarm(0, 5), alarm(34, 40), alarm(70, undefined)];
  const both = { ...second, sinceMs: 0, beginMs: first.beginMs, n: 200, bad: 120 };
  assert.deepEqual(joinedAlarms({ over: [first, second], alarm: third }), [both, third]);
  assert.deepEqual(joinedAlarms({ over: [first], alarm: undefined }), [first]);
  assert.deepEqual(joinedAlarms(newRun()), []);
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
          for (const run = newRun(); run.alarm === undefined; cases += k)
            readPane(
              run,
              { ...design, threshold: level, endFor: () => end },
              { startMs: cases, endMs: cases + k, n: k, bad: badRuns() },
            );
        return cases / runs;
      };
      const designed = design.falseAlarmCases;
      const divided = meanCasesWith(design.threshold * effect);
      const undivided = meanCasesWith(design.threshold);
      assert.ok(divided > designed, `${divided}, designed ${designed}`);
      assert.ok(undivided < most * designed, `${undivided}, designed ${designed}`);
    });
});
