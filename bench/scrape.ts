import { gzipSync } from 'node:zlib';
import { pagePlan } from '../src/adapters/prometheus/page-plan.ts';
import {
  createPageMemory,
  groupChooser,
  type PageMemory,
  type PageOptions,
  renderMetrics,
} from '../src/adapters/prometheus/page.ts';
import { rateOf, readerOf, settingsOf } from '../src/config/settings.ts';
import { watcherOf } from '../src/service/watches.ts';
import { loadConfig } from '../src/config/load.ts';
import { truthFromRecords } from '../src/formats/truth/table.ts';
import { clearChanges } from '../src/state/containers/table.ts';
import { emptyPartition, type PartitionState } from '../src/state/partition.ts';
import type { Steps } from '../src/state/steps.ts';
import { windowCounts } from '../src/state/window-counts.ts';
import { activateTruth, createFold, foldRecords } from '../src/stream/fold.ts';
import { activeTruth } from '../src/stream/truth-cache.ts';
import { createTelemetry } from '../src/telemetry.ts';
import { createGroupCache, type GroupCache } from '../src/view/group-reader.ts';
import { plannedSettings } from '../src/view/planned.ts';
import { viewOf, viewSteps } from '../src/view/view.ts';
import type { Watcher } from '../src/view/watcher.ts';
import { prepareWatches, watchReadings } from '../src/view/watches.ts';
import { type LoadTraffic, loadTraffic } from './load-traffic.ts';
import { cpuMs } from './measure.ts';

/**
 * What scrapes cost the event loop: four partitions after a day of traffic in 10 s panes, then a scrape every 15 s of event time, with the events
 * that came meanwhile and a checkpoint. Times are of the processor, medians: what else runs on the machine does not change them; but the longest step is as it was.
 */

const partitions = 4;
const events = 400_000;
const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 0, 1);
const everyMs = 15_000;
const runs = 5;
const scrapes = 120;
/** Until then the times are those of V8's compiler too. */
const warmup = 60;
/** An hour in which every model calls tools that there are not. */
const spikeScrapes = 240;
const inventedTools = 500;

const { config } = loadConfig({});
const settings = settingsOf(config, undefined);
const ofPage = plannedSettings(settings, pagePlan(config.http.metrics));
const { series, groups_exported } = config.limits;
const viewed = { sets: config.slices, rate: rateOf(config), withWindows: true, withBreakdowns: false };
const stages = ['watches', 'view', 'counts', 'page', 'scrape', 'gzip'] as const;

interface World {
  readonly name: string;
  readonly models: number;
  readonly agents: number;
  readonly pages: readonly PageOptions[];
}

const standard: PageOptions = { series, groups: groups_exported, plan: pagePlan(config.http.metrics) };
const worlds: readonly World[] = [
  { name: '10 models, 10 agents of each', models: 10, agents: 10, pages: [standard] },
  {
    ...{ name: '500 models', models: 500, agents: 1 },
    pages: [standard, { ...standard, groups: 1_000, series: 10_000 }, { ...standard, groups: 1_000, series: 100_000 }],
  },
];
const wanted = process.argv[2];
for (const world of worlds) if (wanted === undefined || world.name.startsWith(wanted)) report(world);

function report({ name, models, agents, pages }: World): void {
  const traffic = loadTraffic(models, agents);
  const parts = Array.from({ length: partitions }, (_, partition) => filled(traffic, partition));
  const states = parts.map(({ state }) => state);
  process.stdout.write(`\n${name}: ${states[0]!.slices.dictionary.list.length} slices a partition\n`);
  let nowMs = startMs + dayMs;
  const watcher = watcherOf(config, settings)!;
  const firstMs = cpuMs(() => watchReadings(watcher, states, nowMs));
  const { length } = watchReadings(watcher, states, nowMs);
  process.stdout.write(`${length} watches, read the first time: ${firstMs.toFixed(1)} ms\n`);
  for (const options of pages) {
    const costs: Cost[] = [];
    const memory = createPageMemory();
    const kept = createGroupCache();
    for (let scrape = 0; scrape < scrapes; scrape++) {
      nowMs += everyMs;
      addUntil(parts, nowMs);
      const cost = scraped({ states, nowMs, watcher, memory, kept, options });
      if (scrape >= warmup) costs.push(cost);
    }
    tell(options, costs);
  }
  const summary = Array.from({ length: 5 }, () =>
    cpuMs(() =>
      viewOf(states, settings, nowMs, { ...viewed, withBreakdowns: true, groupsMax: undefined, watcher: undefined }),
    ),
  );
  process.stdout.write(`every group with breakdowns, for page and summary: ${median(summary).toFixed(1)} ms\n`);
  const spike: number[] = [];
  let firing = 0;
  const longest = { ms: 0 };
  for (let scrape = 0; scrape < spikeScrapes; scrape++) {
    nowMs += everyMs;
    addUntil(parts, nowMs, true);
    timedSteps(
      prepareWatches(watcher, states, () => nowMs),
      longest,
    );
    spike.push(
      cpuMs(() => (firing = watchReadings(watcher, states, nowMs).filter((reading) => reading.firing).length)),
    );
  }
  const [middle, most] = [median(spike), Math.max(...spike)].map((ms) => ms.toFixed(1));
  process.stdout.write(
    `after an hour of a spike ${firing} watches fire; to read them, with causes: ${middle} ms, at most ${most}; longest step before that ${longest.ms.toFixed(1)} ms\n`,
  );
}

function addUntil(parts: readonly Filled[], untilMs: number, spiking = false): void {
  for (const { add, state } of parts) {
    add(untilMs, spiking);
    clearChanges(state.breakdowns.table);
  }
}

interface Scrape {
  readonly states: readonly PartitionState[];
  readonly nowMs: number;
  readonly watcher: Watcher;
  readonly memory: PageMemory;
  readonly kept: GroupCache;
  readonly options: PageOptions;
}

/** By stage; `step` is the longest, `characters` and `series` are those of the page. */
type Cost = Readonly<Record<(typeof stages)[number] | 'step' | 'characters' | 'series', number>>;

function scraped({ states, nowMs, watcher, memory, kept, options }: Scrape): Cost {
  const telemetry = createTelemetry({
    build: { version: 'bench', revision: 'bench', node: process.version },
    configHash: 'bench',
    topics: ['predictions'],
    limits: [],
    checkpointIntervalMs: 5_000,
    snapshotIntervalMs: undefined,
  });
  const longest = { ms: 0 };
  const watches = cpuMs(() => {
    timedSteps(
      prepareWatches(watcher, states, () => nowMs),
      longest,
    );
    watchReadings(watcher, states, nowMs);
  });
  // The watches have been read a moment ago: what they cost once more is left out.
  const again = cpuMs(() => watchReadings(watcher, states, nowMs));
  let exported: Parameters<typeof renderMetrics>[1];
  let counts = 0;
  const view = cpuMs(() => {
    const choose = groupChooser(telemetry, memory, options);
    const steps = viewSteps(states, ofPage, nowMs, { ...viewed, groupsMax: undefined, choose, watcher, kept });
    const read = timedSteps(steps, longest);
    counts = cpuMs(() => (exported = { view: read, windows: windowCounts(states, settings, nowMs) }));
  });
  let text = '';
  const page = cpuMs(() => {
    text = timedSteps(renderMetrics(telemetry, exported!, memory, options, { format: 'text', nowMs }), longest);
  });
  const gzip = cpuMs(() => gzipSync(text, { level: 1 }));
  const all = { watches, view: view - again - counts, counts, page };
  return {
    ...all,
    scrape: watches + view - again + page,
    gzip,
    step: longest.ms,
    characters: text.length,
    series: text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length,
  };
}

function timedSteps<T>(steps: Steps<T>, longest: { ms: number }): T {
  for (;;) {
    const stepMs = performance.now();
    const step = steps.next();
    longest.ms = Math.max(longest.ms, performance.now() - stepMs);
    if (step.done) return step.value;
  }
}

function tell({ groups, series: most }: PageOptions, costs: readonly Cost[]): void {
  const of = (name: keyof Cost): string => median(costs.map((cost) => cost[name])).toFixed(1);
  const [last] = costs.slice(-1);
  const size = `${last!.series} series, ${(last!.characters / 1e6).toFixed(2)} MB`;
  process.stdout.write(`at most ${groups} groups, ${most} series: ${size}\n`);
  const share = (100 * median(costs.map(({ watches, scrape }) => watches / scrape))).toFixed(1);
  const text = stages.map((stage) => `${stage} ${of(stage)} ms`).join(', ');
  const mean = costs.reduce((sum, { watches }) => sum + watches, 0) / costs.length;
  process.stdout.write(
    `  ${text}; longest step ${of('step')} ms; watches ${share} % of a scrape; on average, with what is learned anew, ${mean.toFixed(1)} ms\n`,
  );
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

interface Filled {
  readonly state: PartitionState;
  /** Adds events up to a time, at the rate of the day. */
  add(untilMs: number, spiking?: boolean): void;
}

function filled({ groups, truth, event }: LoadTraffic, partition: number): Filled {
  const state = emptyPartition(settings);
  const table = truthFromRecords(truth);
  activateTruth(state, table);
  const active = activeTruth(table, settings.layout.families);
  const fold = createFold(state, readerOf(config, false));
  const apartMs = (dayMs * partitions) / events;
  let number = 0;
  const add = (untilMs: number, spiking = false): void => {
    for (; startMs + apartMs * (number + 1) <= untilMs; number++) {
      const tsMs = startMs + Math.floor(apartMs * (number + 1));
      const group = (Math.floor(number / runs) * 7_919 + partition) % groups;
      const { value } = event(group, number % runs, tsMs);
      const bytes = Buffer.from(spiking ? invented(value, number) : value);
      const record = { bytes, start: 0, end: bytes.length, offset: number, timestamp: tsMs };
      foldRecords(fold, [record], 0, 1, active);
    }
  };
  add(startMs + dayMs);
  return { state, add };
}

function invented(value: string, number: number): string {
  const tool_calls = [{ name: `ghost_${number % inventedTools}`, arguments: {} }];
  return JSON.stringify({ ...JSON.parse(value), label: 'tool_call', tool_calls });
}
