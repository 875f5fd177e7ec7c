import { performance } from 'node:perf_hooks';
import { createPageMemory, type PageOptions, type Rendering, renderMetrics } from '../src/adapters/prometheus/page.ts';
import { finish } from '../src/state/steps.ts';
import { rateOf, readerOf, settingsOf } from '../src/app/settings.ts';
import { watcherOf } from '../src/app/watches.ts';
import { truthFromRecords } from '../src/formats/truth/table.ts';
import { loadConfig } from '../src/config/load.ts';
import { activateTruth, createFold, foldRecords } from '../src/stream/fold.ts';
import { emptyPartition, type PartitionState } from '../src/state/partition.ts';
import type { View } from '../src/view/summary.ts';
import { activeTruth } from '../src/stream/truth-cache.ts';
import { viewOf } from '../src/view/view.ts';
import { watchReadings } from '../src/view/watches.ts';
import { windowCounts } from '../src/state/window-counts.ts';
import { createTelemetry } from '../src/telemetry.ts';
import { groups, type LoadTraffic, loadTraffic } from './load-traffic.ts';

/** What a scrape costs after a day of 100 slices in four partitions: every window from 10 s panes, and the page of some 10,000 series. */

const partitions = 4;
const events = 400_000;
const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 0, 1);
const rounds = 15;

const { config } = loadConfig({});
const settings = settingsOf(config, undefined);
const traffic = loadTraffic();
const filledPartitions = Array.from({ length: partitions }, (_, partition) => filled(traffic, partition));
const states = filledPartitions.map(({ state }) => state);
const asOfMs = startMs + dayMs;
const view = (withBreakdowns: boolean, groupsMax: number | undefined): View =>
  viewOf(states, settings, asOfMs, {
    sets: config.slices,
    rate: rateOf(config),
    withWindows: true,
    withBreakdowns,
    groupsMax,
  });

report('view for the page of metrics', () => void view(false, config.limits.groups_exported));
report('view for the summary, with breakdowns', () => void view(true, undefined));
report('counts of windows', () => void windowCounts(states, settings, asOfMs));
const exported = { view: view(false, config.limits.groups_exported), windows: windowCounts(states, settings, asOfMs) };
const telemetry = createTelemetry({
  build: { version: 'bench', revision: 'bench', node: process.version },
  configHash: 'bench',
  topics: ['predictions'],
  limits: [],
  checkpointIntervalMs: 5_000,
  snapshotIntervalMs: undefined,
});
const memory = createPageMemory();
const { series: seriesMax, groups_exported: groupsMax } = config.limits;
const bounds: PageOptions = { series: seriesMax, groups: groupsMax, listed: config.http.metrics };
const rendering: Rendering = { format: 'text', nowMs: startMs };
const rendered = (): string => finish(renderMetrics(telemetry, exported, memory, bounds, rendering));
const page = rendered();
const series = page.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
report(`rendering ${series} series`, () => void rendered());

reportWatches();

/** Watches between scrapes 15 s apart, of which the events are read meanwhile: beside the view and the page of the same scrape. */
function reportWatches(): void {
  const watcher = watcherOf(config, settings)!;
  const first = timed(() => watchReadings(watcher, states, asOfMs));
  const watched = watchReadings(watcher, states, asOfMs);
  const groupsWatched = new Set(watched.map(({ dimensions, values }) => JSON.stringify([dimensions, values])));
  const shares: number[] = [];
  const times: number[] = [];
  for (let scrape = 1; scrape <= 4 * 15; scrape++) {
    const nowMs = asOfMs + 15_000 * scrape;
    for (const { add } of filledPartitions) add(nowMs);
    const watchMs = timed(() => watchReadings(watcher, states, nowMs));
    const viewMs = timed(() => view(false, config.limits.groups_exported));
    times.push(watchMs);
    shares.push(watchMs / (viewMs + timed(() => rendered())));
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const text = [first, mean(times), Math.max(...times)].map((time) => time.toFixed(1));
  process.stdout.write(
    `${watched.length} watches of ${groupsWatched.size} groups: first ${text[0]} ms, then ${text[1]} ms (at most ${text[2]}), ${(100 * mean(shares)).toFixed(1)} % of view and page\n`,
  );
}

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

interface Filled {
  readonly state: PartitionState;
  /** Adds events up to a time, at the rate of the day. */
  add(untilMs: number): void;
}

function filled({ truth, event }: LoadTraffic, partition: number): Filled {
  const state = emptyPartition(settings);
  const table = truthFromRecords(truth);
  activateTruth(state, table);
  const active = activeTruth(table, settings.layout.families);
  const fold = createFold(state, readerOf(config, false));
  const everyMs = (dayMs * partitions) / events;
  let number = 0;
  const add = (untilMs: number): void => {
    for (; startMs + everyMs * (number + 1) <= untilMs; number++) {
      const tsMs = startMs + Math.floor(everyMs * (number + 1));
      const bytes = Buffer.from(event((number * 7_919 + partition) % groups, 0, tsMs).value);
      const record = { bytes, start: 0, end: bytes.length, key: null, offset: number, timestamp: tsMs };
      foldRecords(fold, [record], 0, 1, active);
    }
  };
  add(startMs + dayMs);
  return { state, add };
}

function report(name: string, run: () => void): void {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    run();
    if (round > 0) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const text = [times[rounds >> 1]!, times[0]!, times.at(-1)!].map((time) => time.toFixed(1));
  process.stdout.write(`${name.padEnd(40)} ${text[0]} ms (${text[1]} to ${text[2]})\n`);
}
