import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../src/statistics/random.ts';
import { type Learning, type Reference, referenceOf } from '../../src/statistics/learning.ts';
import { type Chart, newRun, readPane } from '../../src/statistics/watch-run.ts';

const seed = 5;
const hourMs = 3_600_000;
const weights = { up: 19, down: 1 };
const endFor = () => ({ weights: { up: 3, down: 1 }, threshold: 20 });
const chartWith = (threshold: number): Chart => ({ weights, threshold, baseline: 0.02, endFor });

test(`seed ${seed}: what is learned of panes with spikes is the sum of those that it names`, () => {
  const random = seeded(seed);
  let spiked = 0;
  for (let round = 0; round < 300; round++) {
    const paneMs = [240_000, 1_200_000, hourMs, 2 * hourMs][round % 4]!;
    const panes = 20 + Math.floor(random() * 200);
    const counts = new Float64Array(2 * panes);
    const [from, length] = [Math.floor(random() * panes), Math.floor(random() * 40)];
    for (let pane = Math.floor(random() * 10); pane < panes; pane++) {
      if (random() < 0.2) continue;
      const n = Math.floor(random() * 40);
      const rate = pane >= from && pane < from + length ? 0.5 : 0.02;
      counts[2 * pane] = n;
      for (let one = 0; one < n; one++) if (random() < rate) counts[2 * pane + 1]! += 1;
    }
    // What is known decides when it fires: a sum that is wrong shows in what is left out.
    const learning = { panes, paneMs, chartFor };
    const found = referenceOf(counts, learning);
    assert.deepEqual(found, naiveReference(counts, learning), `round ${round}`);
    if (found.fired.length > 0) spiked++;
  }
  assert.ok(spiked > 50, `${spiked} spikes`);
});

test('a spike in the first pane is left out where there is a chart from the start', () => {
  const counts = Float64Array.from([40, 20, 400, 1, 400, 1]);
  const always = { panes: 3, paneMs: hourMs, chartFor: () => chartWith(100) };
  assert.deepEqual(referenceOf(counts, always), { n: 400, bad: 1, end: 2, fired: [0] });
});

function chartFor(n: number, bad: number): Chart | undefined {
  return n < 100 ? undefined : chartWith(60 + (2_000 * bad) / n);
}

/** By the definition: every sum anew. */
function naiveReference(counts: Float64Array, { panes, paneMs, chartFor }: Learning): Reference {
  const first = Math.max(
    0,
    Array.from({ length: panes }, (_, pane) => counts[2 * pane]!).findIndex((n) => n > 0),
  );
  const fired = new Set<number>();
  const endAt = (pane: number): number =>
    pane - Math.ceil(((pane - first) * paneMs >= 48 * hourMs ? 24 * hourMs : hourMs) / paneMs);
  const sumsTo = (end: number): [n: number, bad: number] => {
    const sums: [number, number] = [0, 0];
    for (let pane = first; pane < end; pane++)
      if (!fired.has(pane)) for (const at of [0, 1] as const) sums[at] += counts[2 * pane + at]!;
    return sums;
  };
  const run = newRun();
  let chart: Chart | undefined;
  for (let pane = first; pane < panes; pane++) {
    if ((pane - first) % (hourMs / paneMs) === 0) chart = chartFor(...sumsTo(endAt(pane))) ?? chart;
    if (chart === undefined) continue;
    const [n, bad] = [counts[2 * pane]!, counts[2 * pane + 1]!];
    readPane(run, chart, { startMs: pane, endMs: pane + 1, n, bad });
    if (run.alarm !== undefined) for (let one = run.alarm.sinceMs; one <= pane; one++) fired.add(one);
  }
  const end = endAt(panes);
  const [n, bad] = sumsTo(end);
  return { n, bad, end, fired: [...fired].filter((pane) => pane < end).sort((a, b) => a - b) };
}
