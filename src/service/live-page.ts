import { liveRoute, pageRoute } from '../adapters/http/page-routes.ts';
import type { Route } from '../adapters/http/answering.ts';
import { jsonText } from '../formats/json/json-text.ts';
import {
  type LiveFrame,
  type LiveReading,
  liveDocument,
  type ServiceState,
  totalId,
} from '../formats/summary/live-document.ts';
import { sliceId } from '../formats/summary/live-group.ts';
import { sliceOf } from '../formats/summary/watch-document.ts';
import { configHash } from '../config/config-hash.ts';
import type { Json } from '../scoring/json.ts';
import { zOfLevel } from '../scoring/quantile.ts';
import { inputReport } from '../view/input-report.ts';
import { version } from '../documents/context.ts';
import { createHistory, type History } from './history.ts';
import { pageFile } from '../documents/package-folder.ts';
import { eventReportOf, type ReadModel, shownTruth, truthCounts } from './read-model.ts';
import { settingsOf } from '../config/settings.ts';
import { shownRows } from './shows-content.ts';

const pointEveryMs = 5_000;
/** An hour. */
const pointsMax = 720;
const historyGroupsMax = 24;
/** Services beside the page that it offers. */
type Takes = Pick<ServiceState, 'has_review' | 'takes_records'>;

/** The page and its data. Keeps the history of the last hour from now on, on a timer that holds no process alive. */
export function livePageRoutes(model: ReadModel, takes: Takes): readonly Route[] {
  const { config } = model;
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
  const history = createHistory({
    epoch: crypto.randomUUID(),
    everyMs: pointEveryMs,
    pointsMax,
    groupsMax: historyGroupsMax,
    layout: settingsOf(config, undefined).layout,
    marks: config.page.marks,
  });
  setInterval(() => addPoint(history, model), pointEveryMs).unref();
  return [
    pageRoute(pageFile, version),
    liveRoute({
      slices: [...sets, ''],
      windows: [...windows, 'all'],
      focus: totalId,
      document: ({ since, ...asked }) => {
        const about = { frame, service: serviceState(model, takes), history: history.since(since, asked.slice) };
        return jsonText(liveDocument({ ...asked, ...about, ...shownOf(model) }) as unknown as Json);
      },
    }),
  ];
}

/** The parts of the page's data that a read model gives. */
function shownOf(model: ReadModel) {
  const { config, samples, telemetry } = model;
  const { view, windows: counts } = model.views.all();
  return {
    view,
    suspects: eventReportOf(model).suspects,
    at: new Date().toISOString(),
    truth: shownTruth(model),
    windows_counts: counts,
    input: shownRows(inputReport(view.records, view.input, telemetry.input.firsts, truthCounts(telemetry)), config),
    failures: (slice, fits) => samples.latest(slice, fits).map(({ review: _, ...failure }) => failure),
    keptFailures: samples.kept,
    ofArguments: samples.ofArguments,
  } satisfies Partial<LiveReading>;
}

function serviceState(model: ReadModel, takes: Takes): ServiceState {
  const { partitions, checkpoints, live } = model.telemetry;
  return {
    ...takes,
    checks: model.readiness(),
    partitions: [...partitions].map(([name, { position, high, watermarkMs }]) => ({
      name,
      lag: Number.isNaN(high - position) ? null : Math.max(0, high - position),
      watermark: isoTime(watermarkMs),
    })),
    partitions_of: partitionsOf(model),
    checkpoint_at: isoTime(checkpoints.lastSuccessMs),
    lost_records: live.lostRecords,
    truth_reload_failures: live.truthReloadFailures,
    limits: Object.fromEntries([...live.limits].filter(([, times]) => times > 0)),
  };
}

/** Partitions of the topics of which any is held. */
function partitionsOf({ states }: ReadModel): number {
  const counts = new Map<string, number>();
  for (const { partition, identity } of states.values())
    counts.set(partition.topic, Math.max(identity.partitions, counts.get(partition.topic) ?? 0));
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function addPoint(history: History, { states, telemetry, views }: ReadModel): void {
  const view = views.counts();
  const firing = views.watches().watches.filter((watch) => watch.firing);
  const lags = [...telemetry.partitions.values()].map(({ position, high }) => Math.max(0, high - position) || 0);
  history.add(Date.now(), view, {
    pending: view.records.pending,
    lag: lags.reduce((sum, one) => sum + one, 0),
    partitions: [...states.keys()].sort().join(),
    states: [...states.values()].map(({ state }) => state),
    firing: new Set(firing.map((watch) => sliceId(sliceOf(watch)))),
  });
}

function isoTime(ms: number): string | null {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null;
}
