import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileCheckpoints, newCheckpointId } from '../adapters/checkpoint-store/file-checkpoints.ts';
import { limitFileModes } from '../adapters/files/file-mode.ts';
import { fileDeadLetters } from '../adapters/files/file-dead-letters.ts';
import { kafkaDeadLetters } from '../adapters/kafka/kafka-dead-letters.ts';
import type { KafkaSettings } from '../adapters/kafka/kafka-client.ts';
import { kafkaSource } from '../adapters/kafka/kafka-source.ts';
import { missingTopics } from '../adapters/kafka/missing-topics.ts';
import { createLog } from '../adapters/log.ts';
import type { BegunTruth } from '../adapters/truth-files/truth-thread.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Config } from '../config/config.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { retry } from '../pipeline/retry.ts';
import type { Task } from '../pipeline/task.ts';
import type { Consumer, DeadLetters, Log, Source } from '../ports.ts';
import { configHash } from '../config/config-hash.ts';
import { deepOf } from './deep.ts';
import { version } from './context.ts';
import { followTruth } from './follow-truth.ts';
import { runInputLog } from './input-log.ts';
import { checkpointEvery } from './checkpoint-timer.ts';
import { kafkaConnection } from './kafka-connection.ts';
import { dropGroup } from './rebuild.ts';
import type { ScoringService } from './running-service.ts';
import { createScoringService } from './scoring-service.ts';
import { serveService } from './serve.ts';
import { showsContent } from './shows-content.ts';
import { serviceSnapshots, type Snapshots } from './snapshots.ts';
import { topicsOf } from './settings.ts';
import { snapshotStores, stateStore } from './state-store.ts';
import { summaryTable } from './summary-table.ts';
import { type WatchLog, watchLog } from './watch-log.ts';

export interface RunOptions {
  readonly config: Config;
  /** Stop at the ends that the topics have at start. */
  readonly untilEnd: boolean;
  readonly rebuild: boolean;
  /** The truth, as far as its reading has begun. */
  readonly begun: BegunTruth | undefined;
  readonly signal: AbortSignal;
}

/** The service: Kafka in; metrics, summary and dead letters out. Resolves with the exit status. */
export async function run(options: RunOptions): Promise<number> {
  const log = createLog({ ...options.config.log, version });
  const [stopping, ended] = [new AbortController(), new AbortController()];
  try {
    return await Promise.race([serve(options, log, stopping), givenUp(options, log, stopping, ended.signal)]);
  } finally {
    ended.abort();
  }
}

async function serve(options: RunOptions, log: Log, stopping: AbortController): Promise<number> {
  const { config, begun, signal } = options;
  log.info({ config: configHash(config), group: config.kafka.group_id, topics: topicsOf(config) }, 'starting');
  limitFileModes(config.files.mode);
  const store = await stateStore(config);
  const { snapshots, scores } = await snapshotStores(config);
  const checkpoints = fileCheckpoints(store, config.kafka.group_id, { log });
  if (options.rebuild) await dropGroup(store, config, log);
  const deadLetters = deadLettersOf(config, log, stopping.signal);
  const source = sourceOf(options, log);
  const service = createScoringService({
    ...{ config, source, checkpoints, deadLetters, log, newId: newCheckpointId, deep: await deepOf(config) },
    ...{ rebuild: options.rebuild, signal: stopping.signal },
    snapshots: { state: store, scores },
  });
  const http = await serveService(service, config, log);
  log.info({ url: http.url }, 'serving');
  if (config.http.samples > 0 && !showsContent(config.http)) log.info({ host: config.http.host }, contentHidden);
  const connection = kafkaConnection(config, log);
  void warnOfTopics(config, connection, stopping.signal);
  const truthSignal = AbortSignal.any([signal, stopping.signal]);
  const truth = followTruth({ config, connection, service, log, begun, signal: truthSignal });
  try {
    if (!(await Promise.race([truth.ready, truth.failed]))) return 0;
    const timed = {
      snapshots: serviceSnapshots(service, config, snapshots, log),
      watches: watchLog(service, log),
    };
    const consumed = consume(options, service, source, timed, { log, over: stopping.signal });
    await Promise.race([consumed, stoppedByFailure(truth.failed, source)]);
    // Before the end it is only aborted when the stop takes too long.
    if (stopping.signal.aborted) return 1;
    log.info({}, signal.aborted ? 'stopped' : 'reached the ends of the topics');
    return 0;
  } finally {
    stopping.abort();
    await truth.ended;
    await deadLetters.close();
    await checkpoints.close();
    await http.close();
  }
}

/** A topic that is only written or read later on is looked for at once. Not fatal: somebody may create it yet. */
async function warnOfTopics({ kafka }: Config, connection: KafkaSettings, signal: AbortSignal): Promise<void> {
  const keys = (['dead_letter_topic', 'truth_topic'] as const).filter((key) => kafka[key] !== undefined);
  if (keys.length === 0) return;
  const topics = keys.map((key) => kafka[key]!);
  // What keeps us from asking keeps the service from reading, which says so.
  const missing = await missingTopics(connection, topics, signal).catch((): string[] => []);
  for (const key of keys) {
    const topic = kafka[key]!;
    if (missing.includes(topic))
      connection.log.error({ topic }, `kafka.${key}: Kafka has no topic ${topic}: create it, or correct its name`);
  }
}

const contentHidden =
  'arguments and outputs of events are hidden: http.host is no loopback address and nobody logs in there (http.web_config); http.show_content: true shows them';

function sourceOf({ config, untilEnd, signal }: RunOptions, log: Log): Source {
  const { kafka } = config;
  return kafkaSource({
    ...kafkaConnection(config, log),
    groupId: kafka.group_id,
    topics: topicsOf(config),
    sessionTimeoutMs: kafka.session_timeout.ms,
    batchBytes: config.limits.batch_bytes,
    untilEnd,
    signal,
  });
}

/** Nothing is consumed any more when a failure comes; it is thrown then. */
async function stoppedByFailure(failure: Promise<never>, source: Source): Promise<never> {
  return failure.catch(async (error) => {
    await source.stop();
    throw error;
  });
}

interface Timed {
  readonly snapshots: Snapshots;
  readonly watches: WatchLog;
}

/** Runs the source with checkpoints, snapshots and watches on their timers; what is left is saved when it ends. */
async function consume(
  { config, signal, untilEnd }: RunOptions,
  service: ScoringService,
  source: Pick<Source, 'run'>,
  { snapshots, watches }: Timed,
  stopping: { readonly log: Log; readonly over: AbortSignal },
): Promise<void> {
  const { pipeline, telemetry } = service;
  const done = new AbortController();
  const over = AbortSignal.any([stopping.over, done.signal]);
  const consumer: Consumer = {
    ...pipeline.consumer,
    async beforeStop() {
      service.scoreRows?.endAll();
      await pipeline.consumer.beforeStop();
      await awaitHeldBack(pipeline, stopping.log, signal);
      await watches.look();
      await snapshots.write();
      // The last moment at which the partitions are held.
      if (untilEnd && !signal.aborted)
        process.stdout.write(`${summaryTable(await service.document(), { all: false })}\n`);
    },
  };
  const inputLog = { notes: telemetry.input, config, log: stopping.log, clock: systemClock };
  const timers = Promise.all([
    checkpointEvery(config.state.checkpoint_every.ms, pipeline, over),
    snapshots.run(over),
    runInputLog(inputLog, over),
    watches.run(over),
  ]);
  try {
    await Promise.race([source.run(consumer), timers]);
  } finally {
    done.abort();
    await timers.catch(() => undefined);
  }
}

/**
 * Partitions whose dead letters cannot be written are waited for at the ends of the topics, but not after a signal: they have no checkpoint
 * then, and their records are read again at the next start.
 */
async function awaitHeldBack({ service, checkpointAll }: Pipeline, log: Log, signal: AbortSignal): Promise<void> {
  const heldBack = (): Task[] => [...service.tasks.values()].filter((task) => task.heldBack !== undefined);
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  while (heldBack().length > 0 && !signal.aborted) {
    await Promise.race([aborted, ...heldBack().map((task) => task.heldBack)]);
    await checkpointAll();
  }
  for (const { name } of heldBack())
    log.warn({ partition: name }, `${name}: its dead letters cannot be written, its last records will be read again`);
}

/**
 * After `grace` a stop that hangs is given up, wherever it hangs: what a checkpoint holds is safe. What is under way is told, and has a
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
    log.error({ grace: grace.text }, 'not stopped within the grace period; giving up what is under way');
  stopping.abort();
  await systemClock.sleep(1_000, ended);
  return 1;
}

function deadLettersOf(config: Config, log: Log, signal: AbortSignal): DeadLetters {
  const { dead_letter_topic } = config.kafka;
  if (dead_letter_topic !== undefined)
    return kafkaDeadLetters({ ...kafkaConnection(config, log), topic: dead_letter_topic, signal });
  const name = `${hostname()}-${process.pid}-${newCheckpointId()}`;
  return fileDeadLetters(join(config.state.dir, 'dead-letters'), name, (operation, onOutage) =>
    retry(operation, { clock: systemClock, log, signal, what: 'writing dead letters', onOutage }),
  );
}
