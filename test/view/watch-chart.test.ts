import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createDesigns } from '../../src/statistics/watch-design.ts';
import { createEndDesigns } from '../../src/statistics/watch-end.ts';
import { newRun, type Run, readPane } from '../../src/statistics/watch-run.ts';
import { chartAt, chartMoment, chartOf, noChart } from '../../src/view/watch-chart.ts';
import { cellAt, readWatchPanes } from '../../src/view/watch-panes.ts';
import { segmentsAt } from '../../src/view/watch-segments.ts';
import { runs } from '../support/soak.ts';
import { type Cases, watchedPartition, watcherWith, watchSettings } from '../support/watched-traffic.ts';

// Panes of 10 s and, before the last hour, of 4 min; what is a minute and a pane old is settled.
const settings = watchSettings(['5m', '1h', '24h']);
const startMs = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;
const designs = [0.05, 0.2].map((worst) => createDesigns()(0.02, worst, 1_000)!);
const [design, other] = [designs[0]!, designs[1]!];
const ends = createEndDesigns();

/** One chart of the total, and what it reads. */
function charted() {
  const partition = watchedPartition(settings);
  const { panes } = watcherWith(settings, {});
  const chart = noChart();
  const read = (minute: number, by = { design, effect: 1 }): Run => {
    const asOfMs = startMs + minute * minuteMs;
    readWatchPanes(panes, [partition.state], asOfMs);
    const group = panes.groups.find(({ dimensions }) => dimensions.length === 0)!;
    const run = chartAt(panes, { group, rate: 0, chart }, { ...by, ends }, chartMoment(settings.windows, asOfMs));
    group.changed.fill(Number.POSITIVE_INFINITY);
    return run;
  };
  /** By definition: every pane of the segments, the oldest first. */
  const readAnew = (minute: number, by = { design, effect: 1 }): Run => {
    const run = newRun();
    const group = panes.groups.find(({ dimensions }) => dimensions.length === 0)!;
    for (const { tier, paneMs, first, last } of segmentsAt(settings.windows, startMs + minute * minuteMs))
      for (let pane = first; pane <= last; pane++) {
        const at = cellAt(panes, tier, pane, 0);
        const [n, bad] = [group.counts[tier]![at]!, group.counts[tier]![at + 1]!];
        readPane(run, chartOf(by.design, by.effect, ends), {
          startMs: pane * paneMs,
          endMs: (pane + 1) * paneMs,
          n,
          bad,
        });
      }
    return run;
  };
  const add = (minute: number, n = 100, bad = 2): void =>
    partition.add({ model: 'm', tsMs: startMs + Math.round(minute * minuteMs), n, bad } satisfies Cases);
  return { chart, read, readAnew, add };
}

const steps = fc.array(
  fc.record({
    on: fc.constantFrom(0, 0.05, 0.3, 1.5, 30),
    back: fc.constantFrom(0, 0, 0.5, 1, 2, 10, 70, 300),
    n: fc.integer({ min: 1, max: 300 }),
    share: fc.constantFrom(0, 0.02, 0.3, 1),
    design: fc.constantFrom(design, design, design, other),
    effect: fc.constantFrom(1, 1, 1, 3),
    isRead: fc.boolean(),
  }),
  { minLength: 5, maxLength: 25 },
);

test('law: a chart that is kept reads what one reads that begins with the first pane', () => {
  fc.assert(
    fc.property(steps, (drawn) => {
      const { read, readAnew, add } = charted();
      let minute = 0;
      for (const { on, back, n, share, isRead, ...by } of drawn) {
        minute += on;
        add(minute - back, n, Math.floor(n * share));
        if (isRead) assert.deepEqual(read(minute, by), readAnew(minute, by));
      }
    }),
    { numRuns: runs(30, 2_000) },
  );
});

/** Cases every minute for two hours, and a chart of them. */
function ofTwoHours() {
  const charts = charted();
  for (let minute = 0; minute <= 120; minute++) charts.add(minute);
  charts.read(120);
  return charts;
}

test('cases that are alike ask for as much more', () => {
  const { read, add } = ofTwoHours();
  const bad = Math.ceil((design.threshold + 100) / design.weights.up);
  add(120, bad, bad);
  const [one, three] = [read(120), read(120, { design, effect: 3 })];
  assert.deepEqual([one.alarm !== undefined, three.alarm, three.level], [true, undefined, one.level]);
  add(120, 3 * bad, 3 * bad);
  assert.ok(read(120, { design, effect: 3 }).alarm);
});

test('a chart that was as at first within a pane of the day goes on right when the day has taken that pane', () => {
  const { read, readAnew, add } = charted();
  for (let minute = 0; minute <= 240; minute++) {
    // For an hour never at 0, nor at the threshold.
    const bad = minute < 121 ? 2 : minute === 121 ? 6 : 3 + Number(minute % 3 === 0);
    add(minute, minute === 121 ? 115 : 100, bad);
    const run = read(minute);
    assert.deepEqual(run, readAnew(minute), `minute ${minute}`);
    if (minute > 121 && minute <= 181) assert.ok(run.level > 0 && run.alarm === undefined, `minute ${minute}`);
  }
});
