import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Random, seeded } from '../../src/statistics/random.ts';
import { createDesigns } from '../../src/statistics/watch-design.ts';
import { createEndDesigns, endDesignOf } from '../../src/statistics/watch-end.ts';
import { worstOf } from '../../src/statistics/watch-rates.ts';
import { joinedAlarms, newRun, type Run, readPane } from '../../src/statistics/watch-run.ts';
import { chartOf } from '../../src/view/watch-chart.ts';
import { runs } from '../support/soak.ts';

/* How alarms end, on simulated traffic: panes of 10 s with some cases each, a calm hour, a spike of a minute to six hours, and calm again. */

const seed = 20261128;
const paneMs = 10_000;
const [designs, ends] = [createDesigns(), createEndDesigns()];
/** So rare are false alarms that each second incident is one of the spike. */
const falseAlarmCases = 10_000_000;

interface Traffic {
  readonly random: Random;
  readonly baseline: number;
  readonly rate: number;
  readonly casesPerPane: number;
  readonly minutes: number;
}

/** Traffic of a rate of each baseline, and what a spike makes of it. */
function drawn(random: Random, rateOf: (baseline: number) => number): Traffic {
  const baseline = [0.005, 0.01, 0.02, 0.05, 0.1][Math.floor(5 * random())]!;
  const casesPerPane = [1, 2, 5, 10][Math.floor(4 * random())]!;
  return { random, baseline, rate: rateOf(baseline), casesPerPane, minutes: 360 ** random() };
}

/** Reads so many panes of a rate, or those until it holds; returns their cases. */
function readOn(
  run: Run,
  traffic: Traffic,
  { rate, panes }: { rate: number; panes: number },
  until = () => false,
): number {
  const { random, baseline, casesPerPane } = traffic;
  const chart = chartOf(designs(baseline, worstOf(baseline), falseAlarmCases)!, 1, ends);
  let cases = 0;
  for (let pane = 0; pane < panes && !until(); pane++) {
    let bad = 0;
    for (let at = 0; at < casesPerPane; at++) if (random() < rate) bad++;
    const startMs = lastMs.get(run) ?? 0;
    lastMs.set(run, startMs + paneMs);
    readPane(run, chart, { startMs, endMs: startMs + paneMs, n: casesPerPane, bad });
    cases += casesPerPane;
  }
  return cases;
}
const lastMs = new WeakMap<Run, number>();
const hour = 360;

/** Cases from the recovery to the end, and the incidents that there were; undefined where the spike was not seen. */
function incident(traffic: Traffic): { readonly endCases: number; readonly incidents: number } | undefined {
  const run = newRun();
  readOn(run, traffic, { rate: traffic.baseline, panes: hour });
  readOn(run, traffic, { rate: traffic.rate, panes: Math.round(6 * traffic.minutes) });
  const isSeen = run.alarm !== undefined;
  const endCases = readOn(run, traffic, { rate: traffic.baseline, panes: 10 * hour }, () => run.alarm === undefined);
  readOn(run, traffic, { rate: traffic.baseline, panes: hour });
  return isSeen ? { endCases, incidents: joinedAlarms(run).length } : undefined;
}

function incidents(count: number, random: Random, rateOf: (baseline: number) => number) {
  const found: NonNullable<ReturnType<typeof incident>>[] = [];
  while (found.length < count) {
    const one = incident(drawn(random, rateOf));
    if (one !== undefined) found.push(one);
  }
  return found;
}

test(`an alarm of a spike to 30 % or more ends within 60 cases of the recovery in 95 % of 1,000, seed ${seed}`, (context) => {
  const random = seeded(seed);
  const found = incidents(1_000, random, () => 0.3 + 0.6 * random()).map(({ endCases }) => endCases);
  found.sort((a, b) => a - b);
  context.diagnostic(`median ${found[500]}, 95 % ${found[950]}, most ${found[999]} cases`);
  assert.ok(found[950]! <= 60, `${found[950]}`);
});

test(`no spike of 2,000 is two incidents, seed ${seed}`, () => {
  const random = seeded(seed + 1);
  const found = incidents(2_000, random, () => 0.3 + 0.6 * random());
  assert.deepEqual(
    found.filter((one) => one.incidents !== 1),
    [],
  );
});

describe(`false ends while a rate is up, seed ${seed}`, () => {
  for (const times of [1, 1.5, 2, 4])
    test(`at ${times} times the worst rate there is at most one in 500 cases`, (context) => {
      const random = seeded(seed + 2);
      for (const baseline of [0.005, 0.02, 0.05, 0.1]) {
        const traffic = { ...drawn(random, () => times * worstOf(baseline)), baseline, casesPerPane: 1 };
        const run = newRun();
        let [cases, over] = [0, 0];
        for (const isEnough = runs(30_000, 300_000); cases < isEnough; ) {
          readOn(run, traffic, { rate: traffic.rate, panes: 100_000 }, () => run.alarm !== undefined);
          cases += readOn(run, traffic, { rate: traffic.rate, panes: isEnough - cases }, () => run.alarm === undefined);
          if (run.alarm === undefined) over++;
        }
        context.diagnostic(`baseline ${baseline}: one in ${Math.round(cases / over)} cases`);
        // Of so many ends the number varies by its root.
        assert.ok(over <= cases / 500 + 2 * Math.sqrt(cases / 500), `baseline ${baseline}: ${over} in ${cases}`);
      }
    });
});

describe('the design of an end', () => {
  test('table: threshold, cases to a false end, cases to the end', () => {
    for (const [baseline, rate, threshold, falseEnd, toEnd] of [
      [0.02, 0.05, 70, 514, 126.4],
      [0.02, 0.2, 22, 598, 26.7],
      [0.02, 0.5, 17, 221_882, 18.93],
      [0.1, 0.2, 26, 545, 64.7],
      [0.1, 0.5, 39, 7_962, 19.66],
    ] as const) {
      const design = endDesignOf(baseline, rate);
      assert.deepEqual([design.rate, design.threshold], [rate, threshold]);
      assert.ok(Math.abs(design.falseEndCases / falseEnd - 1) < 0.05, `${design.falseEndCases}`);
      assert.ok(Math.abs(design.endCases / toEnd - 1) < 0.01, `${design.endCases}`);
    }
  });

  test('is for the rate of the alarm, rounded down', () => {
    const rates = [0, 0.049, 0.05, 0.13, 0.5, 0.849, 1].map((rate) => ends(0.02, 0.05, rate).rate);
    assert.deepEqual(rates, [0.035, 0.035, 0.05, 0.1, 0.5, 0.8, 0.95]);
    assert.equal(ends(0.96, 0.98, 0.99).rate, 0.98);
    assert.equal(ends(0.02, 0.05, 0.51), ends(0.02, 0.05, 0.52), 'computed once');
  });
});
