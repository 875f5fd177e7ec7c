import type { Check } from '../../adapters/http/routes.ts';
import type { KafkaSettings } from '../../adapters/kafka/kafka-client.ts';
import { type KafkaIntake, kafkaIntake } from '../../adapters/kafka/kafka-intake.ts';
import { topicPartitions } from '../../adapters/kafka/topic-partitions.ts';
import { createLog } from '../../adapters/log.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import type { Config } from '../../config/config.ts';
import { configHash } from '../../config/config-hash.ts';
import { hasLogInside, serviceConfig } from '../../config/log-inside.ts';
import { topicsOf } from '../../config/settings.ts';
import { version } from '../../documents/context.ts';
import type { Intake, Log } from '../../ports.ts';
import { besideKafka, refusedBeside } from '../../service/door.ts';
import { groupReading } from '../../service/group-states.ts';
import { createHearing, type Hearing } from '../../service/hear-scorer.ts';
import { kafkaConnection } from '../../service/kafka-connection.ts';
import { type LogInside, openLogInside } from '../../service/log-inside.ts';
import { mergedChecks } from '../../service/merge-reports.ts';
import { createReadModel, documentOf, type ReadModel } from '../../service/read-model.ts';
import { serveModel } from '../../service/serve.ts';
import { showsContent } from '../../service/shows-content.ts';
import { stampNotes } from '../../service/stamp-notes.ts';
import { serviceSnapshots, type Snapshots } from '../../service/snapshots.ts';
import { snapshotStores, stateStore } from '../../service/state-store.ts';
import { summaryTable } from '../../terminal/summary-table.ts';
import { widthOf } from '../../terminal/terminal-text.ts';
import { watchFeedback } from './feedback-log.ts';
import { lastFiles } from './last-files.ts';
import { dropGroup } from './rebuild.ts';
import { measuredCheck, watchUnmeasured } from './unmeasured-log.ts';
import { watchLog } from './watch-log.ts';
import { startWorkers } from './workers.ts';
import { workersOf } from './workers-of.ts';

export interface RunOptions {
  readonly config: Config;
  /** Stop at the ends that the topics have at start. */
  readonly untilEnd: boolean;
  readonly rebuild: boolean;
  readonly signal: AbortSignal;
  /** Ports after `http.port` that are tried where that one is taken. Default: none. */
  readonly portsMore?: number;
  /** Called with the address once it takes records and shows pages. */
  readonly onServing?: (url: string) => void;
  /** The summary is printed after a signal too. */
  readonly endsWithSummary?: boolean;
}

/** The service: Kafka or the log inside in; metrics, summary and dead letters out. Resolves with the exit status. */
export async function run(options: RunOptions): Promise<number> {
  const log = createLog({ ...options.config.log, version });
  const [stopping, ended] = [new AbortController(), new AbortController()];
  try {
    return await Promise.race([serve(options, log, stopping), givenUp(options, log, stopping, ended.signal)]);
  } finally {
    ended.abort();
  }
}

async function serve({ config: given, ...options }: RunOptions, log: Log, stopping: AbortController): Promise<number> {
  const config = serviceConfig(given);
  const { group_id: group } = config.kafka;
  log.info({ config: configHash(config), group, topics: topicsOf(config) }, 'starting');
  const state = await stateStore(config);
  const stores = await snapshotStores(config);
  if (stores === undefined) log.info({}, 'snapshots.dir is not set: neither snapshots nor score rows are written');
  if (options.rebuild) await dropGroup(state, config, log);
  const count = workersOf(config);
  const readiness = (of: ReadModel): readonly Check[] => readinessOf(of, count);
  const model = createReadModel({ config, writesSnapshots: stores !== undefined, readiness });
  if (!hasLogInside(given)) void noteTopics(config, kafkaConnection(config, log, model.outages), stopping.signal);
  const hearing = createHearing(model, groupReading(config, state), log);
  const snapshots = stores && serviceSnapshots(model, stores.snapshots, log);
  const inside = hasLogInside(given)
    ? await openLogInside({ config, outages: model.outages, untilEnd: options.untilEnd, log })
    : undefined;
  const produced = intakeOf(config, kafkaConnection(config, log, model.outages), stopping.signal);
  const intake = inside?.intake ?? produced;
  try {
    return await showAndScore({ ...{ config, ...options, log, stopping }, model, hearing, snapshots, inside, intake });
  } finally {
    await produced?.close();
    await inside?.close();
  }
}

/** The producer into Kafka of records that are sent over HTTP; undefined where the settings name none. */
function intakeOf(config: Config, connection: KafkaSettings, signal: AbortSignal): KafkaIntake | undefined {
  if (config.ingest.to === undefined) return undefined;
  const {
    topics: [events],
    truth_topic: truth,
    feedback_topic: feedback,
  } = config.kafka;
  return kafkaIntake({ ...connection, topics: { events: events!, truth, feedback }, signal });
}

interface Scoring extends RunOptions {
  readonly log: Log;
  /** Aborted when a stop takes too long. */
  readonly stopping: AbortController;
  readonly model: ReadModel;
  readonly hearing: Hearing;
  readonly snapshots: Snapshots | undefined;
  readonly inside: LogInside | undefined;
  /** The taker of records that are sent over HTTP; undefined where they come from Kafka alone. */
  readonly intake: Intake | undefined;
}

const noBrokers = 'kafka.brokers is empty: events are taken over HTTP, and kept in a log of its own';

async function showAndScore(scoring: Scoring): Promise<number> {
  const { config, log, model, inside, intake, signal, portsMore = 0, onServing } = scoring;
  const refused = inside === undefined ? refusedBeside(config) : undefined;
  const door = intake === undefined ? { shut: besideKafka } : { intake, refused, signal };
  const http = await serveModel(model, log, { door, portsMore });
  log.info({ url: http.url }, 'serving');
  onServing?.(http.url);
  if (inside !== undefined) log.info({ folder: inside.shared.folder, events: `${http.url}/v1/events` }, noBrokers);
  if (config.http.samples > 0 && !showsContent(config.http)) log.info({ host: config.http.host }, contentHidden);
  try {
    return await score(scoring);
  } finally {
    await http.close();
  }
}

/** Has workers score, and writes snapshots and the log of watches meanwhile. Where a worker fails, all are stopped. */
async function score({ config, signal, stopping, model, hearing, snapshots, ...options }: Scoring): Promise<number> {
  const { inside, log, untilEnd, rebuild, endsWithSummary = false } = options;
  const untilLate = lastFiles({ config, log, signal, stopping });
  const watches = watchLog(model, log);
  const done = new AbortController();
  const over = AbortSignal.any([done.signal, stopping.signal]);
  const timers = Promise.all([
    ...[snapshots?.run(over), watches.run(over)],
    ...[watchUnmeasured(model, log, over), watchFeedback(model.telemetry, log, over)],
  ]);
  const request = { config, untilEnd, rebuild, inside: inside?.shared };
  const workers = startWorkers({ count: workersOf(config), request, hearing, graceMs: config.grace.ms, stopping });
  signal.addEventListener('abort', workers.stop);
  if (signal.aborted) workers.stop();
  try {
    const statuses = await Promise.race([
      workers.ended,
      timers.then(() => workers.ended),
      inside?.lost ?? workers.ended,
    ]);
    await hearing.settled();
    watches.look();
    await untilLate(snapshots?.writeLast() ?? Promise.resolve());
    const status = Math.max(...statuses);
    if (status === 0 && (endsWithSummary || (untilEnd && !signal.aborted)))
      process.stdout.write(`${summaryTable(documentOf(model), { all: false, width: widthOf(process.stdout) })}\n`);
    return status;
  } catch (error) {
    // What the others have scored is theirs to save.
    workers.stop();
    throw error;
  } finally {
    await workers.end();
    done.abort();
    await untilLate(timers.catch(() => undefined));
  }
}

function readinessOf({ reports, outages, telemetry }: ReadModel, count: number): readonly Check[] {
  const checks = [...reports.values()].map(({ readiness }) => readiness);
  const own = [...outages];
  return [
    ...mergedChecks(checks),
    { name: 'threads', ok: reports.size === count, detail: `${reports.size} of ${count} run` },
    { name: 'server', ok: own.length === 0, detail: own.length === 0 ? 'no outage' : own.join('; ') },
    measuredCheck(telemetry),
  ];
}

/**
 * Every topic is looked for at once, also one that is only written or read later on; not fatal: it may be created yet. Then the log says who
 * stamps the records.
 */
async function noteTopics(config: Config, connection: KafkaSettings, signal: AbortSignal): Promise<void> {
  const { kafka } = config;
  const others = (['dead_letter_topic', 'truth_topic', 'feedback_topic'] as const).map((key) => ({
    key,
    topic: kafka[key],
  }));
  const named = [...kafka.topics.map((topic) => ({ key: 'topics', topic })), ...others];
  const topics = named.flatMap(({ topic }) => topic ?? []);
  // What keeps us from asking keeps the service from reading, which says so.
  const known = await topicPartitions(connection, topics, signal).catch(() => undefined);
  for (const { key, topic } of named)
    if (topic !== undefined && known?.has(topic) === false)
      connection.log.error({ topic }, `kafka.${key}: Kafka has no topic ${topic}: create it, or correct its name`);
  if (signal.aborted) return;
  for (const note of await stampNotes(config, connection.log)) connection.log.info({}, note);
}

const contentHidden =
  'arguments and outputs of events are hidden: http.host is no loopback address and no login is asked for there (http.web_config); http.show_content: true shows them';

/**
 * After `grace` a stop that hangs is given up, wherever it hangs: what a checkpoint holds is safe. Work under way is signalled, and has a
 * second to close. Resolves with the exit status.
 */
async function givenUp(
  { config: { grace }, signal }: RunOptions,
  log: Log,
  stopping: AbortController,
  ended: AbortSignal,
): Promise<number> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  log.info({ grace: grace.text }, 'stopping');
  await systemClock.sleep(grace.ms, ended);
  if (!ended.aborted)
    log.error({ grace: grace.text }, 'not stopped within the grace period; giving up the work under way');
  stopping.abort();
  await systemClock.sleep(1_000, ended);
  return 1;
}
