import { gzipSync } from 'node:zlib';
import { metricsPlan } from '../src/adapters/prometheus/metrics-plan.ts';
import {
  createMetricsMemory,
  groupChooser,
  type MetricsMemory,
  type MetricsOptions,
  renderMetrics,
} from '../src/adapters/prometheus/metrics-text.ts';
import { rateOf, readerOf, settingsOf } from '../src/config/settings.ts';
import { plainConfig } from '../src/config/config-yaml.ts';
import { encode } from '../src/formats/checkpoint/checkpoint.ts';
import { groupReading, type GroupStates, restoreOnto } from '../src/service/group-states.ts';
import { watcherOf } from '../src/service/watches.ts';
import { loadConfig } from '../src/config/load.ts';
import { truthFromRecords } from '../src/formats/truth/table.ts';
import { emptyPartition, type PartitionState } from '../src/state/partition.ts';
import { storeOf } from '../src/state/saved.ts';
import { finish } from '../src/state/steps.ts';
import { type WindowCounts, windowCounts } from '../src/state/window-counts.ts';
import { activateTruth, createFold, foldRecords } from '../src/stream/fold.ts';
import { activeTruth } from '../src/stream/truth-cache.ts';
import { createTelemetry } from '../src/telemetry.ts';
import { plannedSettings } from '../src/view/planned.ts';
import type { View, WatchReading } from '../src/view/summary.ts';
import { viewOf } from '../src/view/view.ts';
import type { Watcher } from '../src/view/watcher.ts';
import { watchReadings } from '../src/view/watches.ts';
import { type LoadTraffic, loadTraffic } from './load-traffic.ts';
import { cpuMs } from './measure.ts';

/**
 * What scrapes cost a server: four partitions after a day of traffic in 10 s panes, then a checkpoint of each every 15 s of event time, which the server
 * takes in, and a scrape. Times are of the processor, medians: what else runs on the machine does not change them.
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
const reading = groupReading(config, undefined);
const ofMetrics = plannedSettings(settings, metricsPlan(config.http.metrics));
const { series, groups_exported } = config.limits;
const viewed = { sets: config.slices, rate: rateOf(config), withWindows: true, withBreakdowns: false };
const stages = ['restore', 'watches', 'view', 'counts', 'page', 'scrape', 'gzip'] as const;

interface World {
  readonly name: string;
  readonly models: number;
  readonly agents: number;
  readonly pages: readonly MetricsOptions[];
}

const standard: MetricsOptions = { series, groups: groups_exported, plan: metricsPlan(config.http.metrics) };
const worlds: readonly World[] = [
  { name: '10 models, 10 agents of each', models: 10, agents: 10, pages: [standard] },
  {
    ...{ name: '500 models', models: 500, agents: 1 },
    pages: [standard, { ...standard, groups: 1_000, series: 10_000 }, { ...standard, groups: 1_000, series: 100_000 }],
  },
];
const wanted = process.argv[2];
const topic = 'predictions';
const identity = { cluster: 'bench', partitions, settings: reading.shaping, config: plainConfig(config) };
for (const world of worlds) if (wanted === undefined || world.name.startsWith(wanted)) await report(world);

async function report({ name, models, agents, pages }: World): Promise<void> {
  const traffic = loadTraffic(models, agents);
  const parts = Array.from({ length: partitions }, (_, partition) => filled(traffic, partition));
  const states: GroupStates = new Map();
  const read = (): PartitionState[] => [...states.values()].map(({ state }) => state);
  for (const [partition, part] of parts.entries()) await saveTo(states, part, partition);
  process.stdout.write(`\n${name}: ${read()[0]!.slices.dictionary.list.length} slices a partition\n`);
  let nowMs = startMs + dayMs;
  const watcher = watcherOf(config, settings)!;
  process.stdout.write(`${watchReadings(watcher, read(), nowMs).length} watches\n`);
  const goOn = async (spiking: boolean): Promise<number> => {
    nowMs += everyMs;
    const saved = parts.map(({ add, state }, partition) => {
      add(nowMs, spiking);
      return encodeNext(parts[partition]!, state, partition);
    });
    const start = process.cpuUsage();
    for (const [partition, checkpoint] of saved.entries())
      await restoreOnto(reading, states, { topic, partition }, [checkpoint]);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };
  for (const options of pages) {
    const costs: Cost[] = [];
    const memory = createMetricsMemory();
    for (let scrape = 0; scrape < scrapes; scrape++) {
      const restore = await goOn(false);
      const cost = { restore, ...scraped({ states: read(), nowMs, watcher, memory, options }) };
      if (scrape >= warmup) costs.push(cost);
    }
    tell(options, costs);
  }
  const ofSummary = { ...viewed, withBreakdowns: true, groupsMax: undefined };
  const summary = Array.from({ length: 5 }, () => cpuMs(() => viewOf(read(), settings, nowMs, ofSummary)));
  process.stdout.write(`every group with breakdowns, for page and summary: ${median(summary).toFixed(1)} ms\n`);
  const spike: number[] = [];
  let firing = 0;
  for (let scrape = 0; scrape < spikeScrapes; scrape++) {
    await goOn(true);
    spike.push(
      cpuMs(() => (firing = watchReadings(watcher, read(), nowMs).filter((reading) => reading.firing).length)),
    );
  }
  const [middle, most] = [median(spike), Math.max(...spike)].map((ms) => ms.toFixed(1));
  process.stdout.write(
    `after an hour of a spike ${firing} watches fire; to read them, with causes: ${middle} ms, at most ${most}\n`,
  );
}

/** The next checkpoint of a partition. */
function encodeNext(part: Filled, state: PartitionState, partition: number) {
  const base = part.saved === 0 ? undefined : `${part.saved}`;
  const id = `${++part.saved}`;
  const { nextOffset } = state.numbers;
  const key = { id, nextOffset, group: 'bench', topic, partition };
  return { id, base, bytes: finish(encode(storeOf(state, identity), key, base)) };
}

async function saveTo(states: GroupStates, part: Filled, partition: number): Promise<void> {
  await restoreOnto(reading, states, { topic, partition }, [encodeNext(part, part.state, partition)]);
}

interface Scrape {
  readonly states: readonly PartitionState[];
  readonly nowMs: number;
  readonly watcher: Watcher;
  readonly memory: MetricsMemory;
  readonly options: MetricsOptions;
}

/** By stage; `characters` and `series` are those of the page. */
type Cost = Readonly<Record<(typeof stages)[number] | 'characters' | 'series', number>>;

function scraped({ states, nowMs, watcher, memory, options }: Scrape): Omit<Cost, 'restore'> {
  const telemetry = createTelemetry({
    build: { version: 'bench', revision: 'bench', node: process.version },
    configHash: 'bench',
    topics: ['predictions'],
    limits: [],
    checkpointIntervalMs: 5_000,
    snapshotIntervalMs: undefined,
  });
  let readings: readonly WatchReading[] = [];
  const watches = cpuMs(() => (readings = watchReadings(watcher, states, nowMs)));
  let shown: View;
  const view = cpuMs(() => {
    const choose = groupChooser(telemetry, memory, options);
    shown = viewOf(states, ofMetrics, nowMs, { ...viewed, groupsMax: undefined, choose, watches: readings });
  });
  let windows: WindowCounts[] = [];
  const counts = cpuMs(() => (windows = windowCounts(states, settings, nowMs)));
  let text = '';
  const page = cpuMs(() => {
    text = renderMetrics(telemetry, { view: shown!, windows }, memory, options, { format: 'text', nowMs });
  });
  const gzip = cpuMs(() => gzipSync(text, { level: 1 }));
  return {
    ...{ watches, view, counts, page, scrape: watches + view + counts + page, gzip },
    characters: text.length,
    series: text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length,
  };
}

function tell({ groups, series: most }: MetricsOptions, costs: readonly Cost[]): void {
  const of = (name: keyof Cost): string => median(costs.map((cost) => cost[name])).toFixed(1);
  const [last] = costs.slice(-1);
  const size = `${last!.series} series, ${(last!.characters / 1e6).toFixed(2)} MB`;
  process.stdout.write(`at most ${groups} groups, ${most} series: ${size}\n`);
  process.stdout.write(`  ${stages.map((stage) => `${stage} ${of(stage)} ms`).join(', ')}\n`);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

interface Filled {
  readonly state: PartitionState;
  /** Checkpoints made so far. */
  saved: number;
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
  return { state, add, saved: 0 };
}

function invented(value: string, number: number): string {
  const tool_calls = [{ name: `ghost_${number % inventedTools}`, arguments: {} }];
  return JSON.stringify({ ...JSON.parse(value), label: 'tool_call', tool_calls });
}
