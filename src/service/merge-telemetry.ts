import {
  consumedRecords,
  type Histogram,
  limitReached,
  modelCounters,
  type Telemetry,
  topicCounters,
} from '../telemetry.ts';
import type { ReceivedReport } from './read-model.ts';
import { unmatchedByAll } from './unmatched-feedback.ts';

/**
 * Adds the growth of one thread's telemetry since its last report to the telemetry of all. What `all` counts itself (wrong logins, limits of
 * the page) stays in it.
 */
export function addGrowth(all: Telemetry, now: Telemetry, before: Telemetry | undefined): void {
  const { published, live } = before ?? {};
  for (const [topic, counts] of now.published.topics)
    addNumbers(topicCounters(all, topic), counts, published?.topics.get(topic));
  addCells(all.published.rejects, now.published.rejects, published?.rejects);
  for (const name of publishedCounts) all.published[name] += now.published[name] - (published?.[name] ?? 0);
  for (const [name, { records, ...partition }] of now.live.consumed)
    consumedRecords(all, partition).records += records - (live?.consumed.get(name)?.records ?? 0);
  for (const [limit, times] of now.live.limits) limitReached(all, limit, times - (live?.limits.get(limit) ?? 0));
  for (const name of liveCounts) all.live[name] += now.live[name] - (live?.[name] ?? 0);
  for (const [model, counters] of now.models) {
    const [into, known] = [modelCounters(all, model), before?.models.get(model)];
    addCells(into.cells, counters.cells, known?.cells);
    into.unknownToolCalls += counters.unknownToolCalls - (known?.unknownToolCalls ?? 0);
  }
  for (const name of histograms) addObserved(all[name], now[name], before?.[name]);
  forgetNoTruth(all, now, before);
  for (const [kind, first] of now.input.firsts) if (!all.input.firsts.has(kind)) all.input.firsts.set(kind, first);
  for (const [key, exemplar] of now.exemplars)
    if (!((all.exemplars.get(key)?.tsMs ?? Number.NEGATIVE_INFINITY) > exemplar.tsMs)) all.exemplars.set(key, exemplar);
}

/** Forgets the example without truth that a thread named: truth has come for it. */
function forgetNoTruth({ input: { firsts } }: Telemetry, now: Telemetry, before: Telemetry | undefined): void {
  const of = (telemetry: Telemetry | undefined): string | undefined => telemetry?.input.firsts.get('no_truth')?.value;
  const named = firsts.get('no_truth')?.value;
  if (named !== undefined && named === of(before) && named !== of(now)) firsts.delete('no_truth');
}

const publishedCounts = ['late', 'steps', 'lateSteps'] as const;
const liveCounts = ['rebalances', 'lostRecords', 'truthReloadFailures', 'truthRejects', 'wrongLogins'] as const;
const histograms = ['truthDelaySeconds', 'runSeconds', 'batchSeconds', 'checkpointSeconds'] as const;

/** Sets what is no counter to what the threads say now: of several, the truth loaded last, and the checkpoint that is behind most. */
export function setGauges(all: Telemetry, report: ReadonlyMap<number, ReceivedReport>): void {
  const parts = [...report.values()].map(({ telemetry }) => telemetry);
  all.partitions.clear();
  for (const { partitions } of parts) for (const [name, gauges] of partitions) all.partitions.set(name, gauges);
  const truths = parts.map(({ truth }) => truth).filter(({ version }) => version !== undefined);
  Object.assign(all.truth, truths.sort((a, b) => a.lastSuccessMs - b.lastSuccessMs).at(-1));
  all.truth.unmatched = unmatchedByAll([...report.values()].flatMap(({ unmatched }) => unmatched ?? []));
  const saved = parts
    .filter(({ partitions }) => partitions.size > 0)
    .map(({ checkpoints }) => checkpoints.lastSuccessMs);
  all.lastResponseMs = Math.min(...parts.map(({ lastResponseMs }) => lastResponseMs));
  const known = saved.filter((ms) => !Number.isNaN(ms));
  if (known.length > 0) all.checkpoints.lastSuccessMs = Math.min(...known);
  all.work.clear();
  for (const [thread, { telemetry, timeOrigin, heardMs }] of report) {
    // One that falls silent is work that does not end.
    all.work.set(`thread ${thread}`, heardMs);
    for (const [name, since] of telemetry.work) all.work.set(name, since + timeOrigin - performance.timeOrigin);
  }
}

function addCells(into: Float64Array, now: Float64Array, before: Float64Array | undefined): void {
  for (let i = 0; i < into.length; i++) into[i]! += now[i]! - (before?.[i] ?? 0);
}

function addNumbers<Counts extends { [name in keyof Counts]: number }>(
  into: Counts,
  now: Counts,
  before: Counts | undefined,
): void {
  for (const name of Object.keys(now) as (keyof Counts)[])
    into[name] = (into[name] + now[name] - (before?.[name] ?? 0)) as Counts[keyof Counts];
}

function addObserved(into: Histogram, now: Histogram, before: Histogram | undefined): void {
  addCells(into.counts, now.counts, before?.counts);
  into.sum += now.sum - (before?.sum ?? 0);
}
