import type { Check } from '../adapters/http/routes.ts';
import { registryFrames } from '../adapters/schema-registry/registry-frames.ts';
import type { ScoreRowFiles } from '../adapters/score-rows/score-rows.ts';
import { systemClock } from '../adapters/system-clock.ts';
import { valuesOfSeveral } from '../formats/prediction/sizes.ts';
import type { Config } from '../config/config.ts';
import { shapingByKey } from '../config/config-hash.ts';
import { plainConfig } from '../config/config-yaml.ts';
import { registryTls } from '../config/kafka-tls.ts';
import { readersOf, settingsOf } from '../config/settings.ts';
import type { Sample, Share } from '../formats/summary/review.ts';
import type { Suspect } from '../formats/summary/suspect.ts';
import type { DeepValidator } from '../scoring/schema/index.ts';
import type { TruthTable } from '../scoring/truth.ts';
import { emptyBook, type FeedbackBook } from '../stream/feedback-book.ts';
import type { Scored } from '../stream/score.ts';
import { type ActiveTruth, activeTruth, withBook } from '../stream/truth-cache.ts';
import { createPipeline, type Pipeline } from '../pipeline/pipeline.ts';
import type { ServiceOptions } from '../pipeline/service.ts';
import type { CheckpointStore, DeadLetters, Frames, Log, ScoreRows, Source } from '../ports.ts';
import type { Telemetry } from '../telemetry.ts';
import { changes } from './changes.ts';
import { reportEvents, type EventReports } from './event-reports.ts';
import { exemplarsOf } from './exemplars.ts';
import { keptSamples } from './kept-samples.ts';
import { telemetryOf } from './service-telemetry.ts';
import { redactedOf } from './shows-content.ts';
import { scoreRowsOf, type SnapshotStores } from './score-rows.ts';
import { createUnmatchedFeedback, type UnmatchedFeedback } from './unmatched-feedback.ts';

/** A member of a group that scores: it folds, saves and commits, and shows nothing by itself. */
export interface Scorer {
  readonly pipeline: Pipeline;
  readonly telemetry: Telemetry;
  readonly scoreRows: ScoreRowFiles | undefined;
  /** The first examples whose truth is contradicted, with hidden values hidden. */
  suspects(): readonly Suspect[];
  /** The failures that were sampled since this was called last. */
  takeFailures(): readonly Sample[];
  /** The random share of events; undefined where it is as it was when this was called last. */
  takeShare(): readonly Share[] | undefined;
  readonly unmatched: UnmatchedFeedback;
  /** Puts a version of the truth, and the feedback so far, in use. The source may run once there is one. */
  useTruth(table: TruthTable, feedback?: FeedbackBook): void;
  /** Says why there is no truth yet. */
  truthProblem(message: string): void;
  readiness(): readonly Check[];
}

export interface ScorerOptions {
  readonly config: Config;
  readonly source: Source;
  readonly checkpoints: CheckpointStore;
  readonly deadLetters: DeadLetters;
  /** The outages of Kafka at present. */
  readonly outages: ReadonlySet<string>;
  readonly log: Log;
  readonly newId: () => string;
  readonly deep: DeepValidator | undefined;
  readonly rebuild: boolean;
  /** Where score rows are written; undefined where they are not. */
  readonly snapshots: SnapshotStores | undefined;
  /** The receiver of scored events in place of score rows. */
  readonly scores?: ScoreRows;
  readonly signal: AbortSignal;
}

/** Wires the parts. Nothing is read before the caller says so. */
export function createScorer(options: ScorerOptions): Scorer {
  const { config, log } = options;
  const settings = settingsOf(config, options.deep);
  const truth: { active: ActiveTruth | undefined; problem: string } = { active: undefined, problem: 'loading' };
  const telemetry = telemetryOf(config);
  const scoreRows = options.snapshots && scoreRowsOf(config, settings.layout, options.snapshots, log, telemetry);
  const { nowMs } = systemClock;
  const failures = waitingFailures();
  const kept = keptSamples(config);
  const events = reportEvents(config, settings, { redact: redactedOf(config.http), nowMs }, (failure, samples) => {
    failures.give(failure);
    kept.add(samples!, failure);
  });
  const pipeline = createPipeline({
    group: config.kafka.group_id,
    settings,
    reader: readersOf(config, options.scores?.addWithoutTruth !== undefined),
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
    onSamples: (samples) => void (config.http.samples > 0 && kept.read(samples).forEach(failures.give)),
    ...listeners(events, exemplarsOf(telemetry, settings.layout, nowMs)),
    scores: options.scores ?? scoreRows,
    frames: framesOf(config),
    signal: options.signal,
  });
  return {
    ...{ pipeline, telemetry, scoreRows, suspects: events.suspects, takeShare: events.takeShare },
    unmatched: createUnmatchedFeedback(),
    takeFailures: failures.take,
    useTruth(files, feedback = emptyBook) {
      const table = withBook(files, feedback);
      events.truthChanged(table);
      truth.active = activeTruth(table, settings.layout.families, settings.toolNaming, feedback);
      Object.assign(telemetry.truth, { version: table.version, rows: table.rows, lastSuccessMs: Date.now() });
      pipeline.truthChanged();
    },
    truthProblem: (message) => void (truth.problem = message),
    readiness: () => readinessOf(pipeline, truth, options.outages),
  };
}

/** Failures that wait to be taken: the oldest make room. */
const failuresMax = 4_096;

function waitingFailures(): { give(failure: Sample): void; take(): Sample[] } {
  const failures: Sample[] = [];
  return {
    give(failure) {
      failures.push(failure);
      if (failures.length > failuresMax) failures.shift();
    },
    take: () => failures.splice(0),
  };
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

/** The configuration in a checkpoint. */
function configurationOf(config: Config): ServiceOptions['configuration'] {
  return {
    settings: shapingByKey(config),
    config: plainConfig(config),
  };
}

function listeners(
  { onAccepted, onScored, onFailed, onRight, onJudged }: EventReports,
  addExemplar: (scored: Scored) => void,
): Pick<ServiceOptions, 'onAccepted' | 'onScored' | 'onFailed' | 'onRight' | 'onJudged'> {
  return {
    onFailed(scored, samples) {
      onFailed?.(scored, samples);
      addExemplar(scored);
    },
    ...{ onAccepted, onScored, onRight, onJudged },
  };
}

function readinessOf(
  { service }: Pipeline,
  truth: { readonly active: ActiveTruth | undefined; readonly problem: string },
  ofKafka: ReadonlySet<string>,
): readonly Check[] {
  const hasTruth = truth.active !== undefined;
  const refused = [...service.refused.values()];
  const { source } = service.options;
  const outages = [...service.outages, ...ofKafka];
  return [
    { name: 'truth', ok: hasTruth, detail: hasTruth ? 'loaded' : truth.problem },
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
      ok: source.joined(),
      detail: source.joined() ? 'joined' : 'not joined',
    },
    { name: 'outages', ok: outages.length === 0, detail: outages.length === 0 ? 'none' : outages.join('; ') },
  ];
}
