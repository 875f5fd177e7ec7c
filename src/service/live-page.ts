import { liveRoute, pageRoute } from '../adapters/http/page-routes.ts';
import type { Route } from '../adapters/http/server.ts';
import { jsonText } from '../formats/json/json-text.ts';
import {
  type LiveDocument,
  type LiveFrame,
  liveDocument,
  type ServiceState,
  totalId,
} from '../formats/summary/live-document.ts';
import { sliceId } from '../formats/summary/live-group.ts';
import { sliceOf } from '../formats/summary/watch-document.ts';
import type { Config } from '../config/config.ts';
import { configHash } from '../config/config-hash.ts';
import type { Json } from '../scoring/json.ts';
import { zOfLevel } from '../scoring/quantile.ts';
import { inputReport } from '../view/input-report.ts';
import type { View } from '../view/summary.ts';
import type { ExportedView } from '../telemetry.ts';
import { version } from '../documents/context.ts';
import { createHistory, type History } from './history.ts';
import { pageFile } from '../documents/package-folder.ts';
import type { Samples } from './samples.ts';
import type { ScoringService } from './running-service.ts';
import { settingsOf } from '../config/settings.ts';
import { shownRows } from './shows-content.ts';

const pointEveryMs = 5_000;
/** An hour. */
const pointsMax = 720;
const historyGroupsMax = 24;
/** However many look at the page, the state is read once in this time. */
const viewAgeMaxMs = 1_000;

/** The page and its data. Keeps the history of the last hour from now on, on a timer that holds no process alive. */
export function livePageRoutes(service: ScoringService, samples: Samples, config: Config): readonly Route[] {
  const sets = config.slices.map((set) => set.join());
  const windows = config.time.windows.map(({ text }) => text);
  const frame: LiveFrame = {
    version,
    mode: config.metrics.mode,
    config_hash: configHash(config),
    z: zOfLevel(config.metrics.interval),
    sets,
    windows: ['all', ...windows],
  };
  const all = recent(() => service.live.all(), viewAgeMaxMs);
  const history = createHistory({
    epoch: crypto.randomUUID(),
    everyMs: pointEveryMs,
    pointsMax,
    groupsMax: historyGroupsMax,
    layout: settingsOf(config, undefined).layout,
  });
  setInterval(() => void addPoint(history, service), pointEveryMs).unref();
  return [
    pageRoute(pageFile, version),
    liveRoute({
      slices: [...sets, ''],
      windows: [...windows, 'all'],
      focus: totalId,
      document: async ({ slice, window, focus, failed, since }) => {
        const shown = await all();
        const document = liveDocument({
          ...reading(service, shown),
          input: inputRows(service, shown.view, config),
          frame,
          slice,
          window,
          focus,
          failed,
          history: history.since(since, slice),
          failures: samples.latest,
          ofArguments: samples.ofArguments,
        });
        return jsonText(document as unknown as Json);
      },
    }),
  ];
}

function inputRows({ telemetry }: ScoringService, { records, input }: View, config: Config): LiveDocument['input'] {
  return shownRows(inputReport(records, input, telemetry.input.firsts), config);
}

function reading(
  service: ScoringService,
  { view, windows }: ExportedView,
): Pick<LiveDocument, 'at' | 'truth' | 'windows_counts' | 'service' | 'suspects'> & { readonly view: View } {
  const { telemetry } = service;
  const { version: truthVersion, rows } = telemetry.truth;
  return {
    view,
    suspects: service.report().suspects,
    at: new Date().toISOString(),
    truth: truthVersion === undefined ? null : { version: truthVersion, rows },
    windows_counts: windows,
    service: serviceState(service),
  };
}

function serviceState(service: ScoringService): ServiceState {
  const { partitions, checkpoints, live } = service.telemetry;
  return {
    checks: service.readiness(),
    partitions: [...partitions].map(([name, { position, high, watermarkMs }]) => ({
      name,
      lag: Number.isNaN(high - position) ? null : Math.max(0, high - position),
      watermark: isoTime(watermarkMs),
    })),
    partitions_of: partitionsOf(service),
    checkpoint_at: isoTime(checkpoints.lastSuccessMs),
    lost_records: live.lostRecords,
    truth_reload_failures: live.truthReloadFailures,
    limits: Object.fromEntries([...live.limits].filter(([, times]) => times > 0)),
  };
}

/** Partitions of the topics of which any is held. */
function partitionsOf({ pipeline: { service } }: ScoringService): number {
  const counts = new Map<string, number>();
  for (const { partition, identity } of service.tasks.values())
    counts.set(partition.topic, Math.max(identity.partitions, counts.get(partition.topic) ?? 0));
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

async function addPoint(history: History, service: ScoringService): Promise<void> {
  const [view, { watches }] = [await service.live.counts(), await service.live.watches()];
  const firing = watches.filter((watch) => watch.firing).map((watch) => sliceId(sliceOf(watch)));
  const lags = [...service.telemetry.partitions.values()].map(
    ({ position, high }) => Math.max(0, high - position) || 0,
  );
  const lag = lags.reduce((sum, one) => sum + one, 0);
  const partitions = [...service.pipeline.service.tasks.keys()].sort().join();
  history.add(Date.now(), view, { pending: view.records.pending, lag, partitions, firing: new Set(firing) });
}

function isoTime(ms: number): string | null {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null;
}

/** Makes a value when asked for one, and keeps it for a while. */
function recent<T>(make: () => T, ageMaxMs: number): () => T {
  let held: { readonly atMs: number; readonly value: T } | undefined;
  return () => {
    const nowMs = performance.now();
    if (held === undefined || nowMs - held.atMs > ageMaxMs) held = { atMs: nowMs, value: make() };
    return held.value;
  };
}
