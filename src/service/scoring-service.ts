import type { Check } from '../adapters/http/routes.ts';
import { registryFrames } from '../adapters/schema-registry/registry-frames.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { jsonText } from '../formats/json/json-text.ts';
import { valuesOfSeveral } from '../formats/prediction/sizes.ts';
import { type SummaryDocument, summaryDocument } from '../formats/summary/summary-document.ts';
import { watchesDocument } from '../formats/summary/incident-document.ts';
import type { Config } from '../config/config.ts';
import { configHash, shapingByKey } from '../config/config-hash.ts';
import { plainConfig } from '../config/config-yaml.ts';
import { registryTls } from '../config/kafka-tls.ts';
import type { Json } from '../scoring/json.ts';
import type { Scored } from '../stream/score.ts';
import { type ActiveTruth, activeTruth } from '../stream/truth-cache.ts';
import { limitNames } from '../config/limits.ts';
import type { View } from '../view/summary.ts';
import { createPipeline, type Pipeline } from '../pipeline/pipeline.ts';
import type { ServiceOptions } from '../pipeline/service.ts';
import type { CheckpointStore, DeadLetters, Frames, Log, ScoreRows, Source } from '../ports.ts';
import { createTelemetry, type Links, type Telemetry } from '../telemetry.ts';
import { contextOf, version } from '../documents/context.ts';
import { changes } from './changes.ts';
import { liveView } from './live-view.ts';
import { exemplarsOf } from './exemplars.ts';
import type { DeepValidator } from '../scoring/schema/index.ts';
import { readersOf, settingsOf, topicsOf } from '../config/settings.ts';
import type { ScoringService } from './running-service.ts';
import { redactedOf, shownRows } from './shows-content.ts';
import { scoreRowsOf, type SnapshotStores } from './snapshots.ts';
import { reportEvents, type EventReports } from './event-reports.ts';

export interface ScoringServiceOptions {
  readonly config: Config;
  readonly source: Source;
  readonly checkpoints: CheckpointStore;
  readonly deadLetters: DeadLetters;
  readonly log: Log;
  readonly newId: () => string;
  readonly deep: DeepValidator | undefined;
  readonly rebuild: boolean;
  /** Where score rows and snapshots are written; undefined where they are not. */
  readonly snapshots: SnapshotStores | undefined;
  /** The receiver of scored events in place of score rows. */
  readonly scores?: ScoreRows;
  /** The reports on single events, where other parts keep them. */
  readonly report?: Pick<EventReports, 'samples' | 'report'>;
  readonly signal: AbortSignal;
}

/** Wires the parts. Nothing is read and nothing served before the caller says so. */
export function createScoringService(options: ScoringServiceOptions): ScoringService {
  const { config, log } = options;
  const settings = settingsOf(config, options.deep);
  const truth: { active: ActiveTruth | undefined; problem: string } = { active: undefined, problem: 'loading' };
  const telemetry = telemetryOf(options);
  const scoreRows = options.snapshots && scoreRowsOf(config, settings.layout, options.snapshots, log, telemetry);
  const { nowMs } = systemClock;
  const events = reportEvents(config, settings, { redact: redactedOf(config.http), nowMs });
  const pipeline = createPipeline({
    group: config.kafka.group_id,
    settings,
    reader: readersOf(config),
    source: options.source,
    checkpoints: options.checkpoints,
    deadLetters: options.deadLetters,
    telemetry,
    clock: systemClock,
    log,
    newId: options.newId,
    ...{ configuration: configurationOf(config), changes },
    truth: () => truth.active!,
    ...startOf(config),
    rebuild: options.rebuild,
    ...listeners(events, exemplarsOf(telemetry, settings.layout, nowMs)),
    scores: options.scores ?? scoreRows,
    frames: framesOf(config),
    signal: options.signal,
  });
  const live = liveView(config, pipeline.service);
  const { samples, report } = options.report ?? events;
  const service: ScoringService = {
    pipeline,
    telemetry,
    live,
    ...{ scoreRows, samples, report },
    useTruth(table) {
      events.suspects.truthChanged(table);
      truth.active = activeTruth(table, settings.layout.families, settings.toolNaming);
      Object.assign(telemetry.truth, { version: table.version, rows: table.rows, lastSuccessMs: Date.now() });
      pipeline.truthChanged();
    },
    truthProblem: (message) => void (truth.problem = message),
    summary: async (slice, window) => summaryText(await service.document(), slice, window, config),
    document: async () => documentOf(service, (await live.all()).view, config),
    watches: async () => jsonText(watchesDocument(await live.watches(), samples.latest) as Json),
    readiness: () => readinessOf(pipeline, truth.active !== undefined, truth.problem),
  };
  return service;
}

/** Where partitions begin, and what becomes of a gap in their logs. */
function startOf({ kafka: { from, on_gap: onGap } }: Config) {
  return { from: typeof from === 'string' ? from : { timeMs: from.ms }, onGap };
}

/** Values may be framed where a schema registry is named. */
function framesOf({ kafka: { schema_registry: registry }, limits }: Config): Frames | undefined {
  if (registry === undefined) return undefined;
  const { url, username = '', password } = registry;
  return registryFrames({
    url,
    login: password === undefined ? undefined : { username, password },
    tls: () => registryTls(registry),
    recordBytes: limits.record_bytes,
    limits: { depth: limits.depth, values: valuesOfSeveral * limits.values },
    clock: systemClock,
  });
}

function telemetryOf({ config, snapshots }: ScoringServiceOptions): Telemetry {
  return createTelemetry({
    build: { version, revision: process.env['ASSAY_REVISION'] ?? 'unknown', node: process.version },
    configHash: configHash(config),
    links: linksOf(config),
    topics: topicsOf(config),
    limits: limitNames,
    checkpointIntervalMs: config.state.checkpoint_every.ms,
    snapshotIntervalMs: snapshots && config.snapshots.every.ms,
  });
}

function linksOf({ links: { page, dashboard, runbooks } }: Config): Links {
  const bare = (url: string | undefined): string | undefined => url?.replace(/\/+$/, '');
  return { page: bare(page), dashboard: bare(dashboard), runbooks: bare(runbooks) };
}

/** The configuration in a checkpoint. */
function configurationOf(config: Config): ServiceOptions['configuration'] {
  return {
    settings: shapingByKey(config),
    config: plainConfig(config),
  };
}

function documentOf({ pipeline, telemetry, report }: ScoringService, view: View, config: Config): SummaryDocument {
  const { version: used, rows } = telemetry.truth;
  const partitions = [...pipeline.service.tasks.keys()];
  return summaryDocument(
    view,
    contextOf(config, used === undefined ? null : { version: used, rows }, partitions, telemetry.input.firsts),
    report(),
  );
}

function summaryText(document: SummaryDocument, slice: string, window: string, config: Config): string {
  const { groups, watches, incidents, input, ...rest } = document;
  const isShown = (group: { readonly slice: Readonly<Record<string, string>> }): boolean =>
    Object.keys(group.slice).join() === slice;
  const shown = {
    input: shownRows(input, config),
    groups: groups.filter((group) => isShown(group) && group.window === window),
    watches: watches.filter(isShown),
    incidents: incidents.filter(isShown),
  };
  return jsonText({ ...rest, ...shown } as unknown as Json);
}

function listeners(
  { onFailed, onRight, onJudged }: EventReports,
  addExemplar: (scored: Scored) => void,
): Pick<ServiceOptions, 'onFailed' | 'onRight' | 'onJudged'> {
  return {
    onFailed(scored) {
      onFailed?.(scored);
      addExemplar(scored);
    },
    ...{ onRight, onJudged },
  };
}

function readinessOf({ service }: Pipeline, hasTruth: boolean, truthProblem: string): readonly Check[] {
  const refused = [...service.refused.values()];
  const outages = [...service.outages];
  return [
    { name: 'truth', ok: hasTruth, detail: hasTruth ? 'loaded' : truthProblem },
    {
      name: 'partitions',
      ok: refused.length === 0 && service.restoring.size === 0,
      detail:
        refused.length > 0
          ? refused.join('; ')
          : `${service.tasks.size} held, ${service.restoring.size} being restored`,
    },
    {
      name: 'group',
      ok: service.options.source.joined(),
      detail: service.options.source.joined() ? 'joined' : 'not joined yet',
    },
    { name: 'outages', ok: outages.length === 0, detail: outages.length === 0 ? 'none' : outages.join('; ') },
  ];
}
