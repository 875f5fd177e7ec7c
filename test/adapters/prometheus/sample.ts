import { labels, predictedNames } from '../../../src/scoring/label.ts';
import { meanOf, rateWith, z95 } from '../../../src/scoring/reading.ts';
import { rejectCodes } from '../../../src/state/reject.ts';
import { createDesigns } from '../../../src/statistics/watch-design.ts';
import {
  consumedRecords,
  createTelemetry,
  type ExportedView,
  ingestPath,
  limitReached,
  modelCounters,
  modelSeries,
  observe,
  partitionGauges,
  type Telemetry,
  topicCounters,
} from '../../../src/telemetry.ts';
import type { Blocks, Group, View, WatchReading } from '../../../src/view/summary.ts';
import { noInputCounts } from '../../../src/state/input.ts';

/** Index of a counter's first series among those of a model. */
export function seriesAt(name: string): number {
  return modelSeries.findIndex(({ counter }) => counter.name === name);
}

const rate = rateWith(z95);

/** A name with all that the text format must escape. */
export const hostileModel = 'gpt "4"\\\n} 1\nassay_fake 1';

/** Blocks of a group in which `correct` of 4 decisions were right. */
export function sampleBlocks(correct: number): Blocks {
  return {
    decision: {
      n: 4,
      accuracy: rate(correct, 4),
      macro_f1: correct / 4,
      macro_f1_present: null,
      confusion: byLabel((gold) => Object.fromEntries(predictedNames.map((name) => [name, name === gold ? 1 : 0]))),
      per_class: { direct: { f1: 1, support: 1 } },
      tool_hall: rate(0, 0),
      invalid: 0,
    },
    tool_calls: { strict: { f1: meanOf(1.5, 2), band: 'good', tp: 3 }, skipped: 1 },
    trajectory: null,
  };
}

export function sampleGroup(
  dimensions: readonly string[],
  values: readonly string[],
  window: string,
  blocks: Blocks,
): Group {
  return { dimensions, values, window, scored: 4, blocks: () => blocks, row: new Float64Array(0) };
}

export function sampleView(groups: readonly Group[]): ExportedView {
  const rejected = { not_json: 1, schema: 2 };
  const records = {
    read: 12,
    scored: 4,
    pending: 3,
    expired: 1,
    duplicates: 1,
    open_runs: 0,
    steps: 0,
    runs: 0,
    late: 1,
    unverified: 0,
    judgements: 0,
    feedback: 0,
    calls_not_recorded: 0,
    malformed_calls: 0,
    unread_calls: 0,
    unscored: 7,
    rejected,
  };
  const view: View = {
    ...{ asOfMs: 1_777_608_599_000, records, groups, folded: false, watches: [sampleWatch()] },
    ...{ coverage: rateWith(1.96)(4, 11), input: noInputCounts() },
  };
  return {
    view,
    windows: [
      { window: 'all', scored: 4, pending: 3, expired: 1, rejected: 3 },
      { window: '5m', scored: 2, pending: 1, expired: 0, rejected: 1 },
    ],
  };
}

export const sampleStability: Blocks = {
  stability: {
    k: 5,
    groups_seen: 3,
    groups_complete: 2,
    stability: rate(1, 2),
    mean_consistency: meanOf(1.6, 2),
    pass_hat_k: { '2': meanOf(0.5, 2) },
    per_label: { direct: { stability: rate(0, 0), groups_seen: 1 } },
  },
};

/** A telemetry, and the view that goes with it. */
export interface Sample extends Telemetry {
  readonly shown: ExportedView;
}

/** A small telemetry with something in every metric. */
export function sampleTelemetry(groups: readonly Group[] = sampleGroups()): Sample {
  const telemetry = createTelemetry({
    build: { version: '0.1.0', revision: 'abc123', node: 'v20.19.0' },
    configHash: 'c0ffee',
    links: { page: 'https://assay.test' },
    topics: ['predictions'],
    limits: ['pending', 'series'],
    checkpointIntervalMs: 5000,
    snapshotIntervalMs: 60_000,
  });
  fill(telemetry);
  return { ...telemetry, shown: sampleView(groups) };
}

function sampleGroups(): Group[] {
  return [
    sampleGroup([], [], 'all', { ...sampleBlocks(3), ...sampleStability }),
    sampleGroup(['model'], [hostileModel], 'all', { ...sampleBlocks(3), ...sampleStability }),
    sampleGroup(['model', 'tags.user-tier'], ['a', 'gold'], 'all', sampleBlocks(4)),
    sampleGroup([], [], '5m', sampleBlocks(2)),
    sampleGroup(['model'], [hostileModel], '5m', sampleBlocks(2)),
  ];
}

function fill(telemetry: Telemetry): void {
  const partition = { topic: 'predictions', partition: 0 };
  consumedRecords(telemetry, partition).records = 11;
  const watermarkMs = 1_777_608_539_000;
  const eventTimeMs = watermarkMs + 60_000;
  Object.assign(partitionGauges(telemetry, partition), { position: 11, high: 15, watermarkMs, eventTimeMs });
  telemetry.lastResponseMs = eventTimeMs;
  partitionGauges(telemetry, { topic: 'predictions', partition: 1 });
  Object.assign(topicCounters(telemetry, 'predictions'), { scored: 4, expired: 1, duplicate: 1, rejected: 3 });
  telemetry.published.rejects[rejectCodes.indexOf('schema')] = 2;
  telemetry.published.late = 1;
  telemetry.live.rebalances = 2;
  limitReached(telemetry, 'pending', 7);
  const findings = { label: 2, tool: 1, arguments: 0, rules: 0 };
  const unmatched = new Map([['1', 'event_id e']]);
  Object.assign(telemetry.truth, { version: 'v1', rows: 300, lastSuccessMs: 1_777_608_500_500, findings, unmatched });
  telemetry.checkpoints.lastSuccessMs = 1_777_608_598_000;
  for (const seconds of [0.5, 5, 100_000]) observe(telemetry.truthDelaySeconds, seconds);
  observe(telemetry.batchSeconds, 0.004);
  Object.assign(ingestPath(telemetry.ingest, '/v1/events'), { records: 3, bytes: 900 }).requests.set(429, 1);
  telemetry.ingest.rejects.set('not_json', 2);
  observe(telemetry.ingest.appendSeconds, 0.002);
  const model = modelCounters(telemetry, hostileModel);
  model.cells.forEach((_, cell) => {
    model.cells[cell] = cell + 1;
  });
  model.cells[seriesAt('calls_matched')] = 99;
  model.unknownToolCalls = 6;
}

function byLabel<T>(of: (label: string) => T): Record<string, T> {
  return Object.fromEntries(labels.map((label) => [label, of(label)]));
}

/** A watch that fires. */
const sampleWatch = (): WatchReading => ({
  watch: 'decision.tool_hall',
  dimensions: ['model'],
  values: [hostileModel],
  firing: true,
  design: createDesigns()(0.05, 0.1, 1_000),
  designEffect: 1,
  statistic: 70,
  span: { sinceMs: 1_777_608_000_000, n: 200, bad: 50 },
  recovery: { sinceMs: 1_777_608_120_000, n: 10, bad: 1 },
  before: { n: 10_000, bad: 40 },
  causes: [
    {
      ...{ part: { gold: 'cannot_answer', predicted: 'tool_call' }, byRate: 0.75, byMix: 0 },
      ...{ before: { n: 10_000, bad: 30 }, since: { n: 200, bad: 40 } },
    },
  ],
  incidents: [
    {
      ...{ sinceMs: 1_777_608_000_000, untilMs: 1_777_608_300_000, n: 200, bad: 50 },
      ...{ beginMs: 1_777_608_060_000, endMs: undefined },
    },
  ],
});
