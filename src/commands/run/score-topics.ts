import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileCheckpoints, newCheckpointId } from '../../adapters/checkpoint-store/file-checkpoints.ts';
import { firstPartitions } from '../../adapters/checkpoint-store/first-partitions.ts';
import { fileDeadLetters } from '../../adapters/files/file-dead-letters.ts';
import { kafkaDeadLetters } from '../../adapters/kafka/kafka-dead-letters.ts';
import { kafkaSource } from '../../adapters/kafka/kafka-source.ts';
import { topicPartitions } from '../../adapters/kafka/topic-partitions.ts';
import { localSource, partitionsOf, truthPartition } from '../../adapters/local-log/local-source.ts';
import type { SharedLog } from '../../adapters/local-log/shared-log.ts';
import { createLog } from '../../adapters/log.ts';
import type { ObjectStore } from '../../adapters/object-store/object-store.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import type { LoadedTruth } from '../../adapters/truth-files/truth-thread.ts';
import type { Config } from '../../config/config.ts';
import { version } from '../../documents/context.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import { retry } from '../../pipeline/retry.ts';
import { publishedRows } from '../../pipeline/score-rows.ts';
import { retried } from '../../pipeline/service.ts';
import type { Task } from '../../pipeline/task.ts';
import type { Consumer, DeadLetters, Log, Source } from '../../ports.ts';
import { checkpointEvery } from '../../service/checkpoint-timer.ts';
import { followTruth, type FollowTruthOptions } from '../../service/follow-truth.ts';
import { runInputLog } from './input-log.ts';
import { kafkaConnection } from '../../service/kafka-connection.ts';
import { kafkaTruth } from '../../service/kafka-truth.ts';
import { lastFiles } from './last-files.ts';
import { createScorer, type Scorer } from '../../service/scorer.ts';
import type { Reporter } from '../../service/scorer-messages.ts';
import { deepOf, topicsOf } from '../../config/settings.ts';
import { snapshotStores, stateStore } from '../../service/state-store.ts';
import { workersOf } from './workers-of.ts';

/** A member of the group. */
export interface Member {
  readonly config: Config;
  /** Stop at the ends that the topics have at start. */
  readonly untilEnd: boolean;
  readonly rebuild: boolean;
  /** From 1. */
  readonly worker: number;
  /** The log inside; undefined where Kafka is read. */
  readonly inside: SharedLog | undefined;
  /** The truth, as far as its reading has begun. */
  readonly begun: LoadedTruth | undefined;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** Aborted when a stop takes too long, and by `scoreTopics` when it ends. */
  readonly stopping: AbortController;
}

interface Scoring extends Member {
  readonly log: Log;
  readonly scorer: Scorer;
  readonly source: Source;
}

/** Scores the topics of a group as one of its members, with checkpoints, truth and dead letters. Resolves with the exit status. */
export async function scoreTopics(member: Member): Promise<number> {
  const { config, begun, signal, stopping, rebuild, reporter, worker } = member;
  const log = createLog({ ...config.log, version, ...(workersOf(config) > 1 && { thread: worker }) });
  const state = await stateStore(config);
  const stores = await snapshotStores(config);
  const checkpoints = fileCheckpoints(state, config.kafka.group_id, { log });
  const outages = new Set<string>();
  const deadLetters = deadLettersOf(config, { log, outages, signal: stopping.signal });
  const source = sourceOf(member, log, outages);
  const scorer = createScorer({
    ...{ config, source, checkpoints: reporter.reported(checkpoints), deadLetters },
    ...{ outages, log, newId: newCheckpointId },
    ...{ deep: await deepOf(config), rebuild, signal: stopping.signal },
    snapshots: stores && { state, scores: stores.scores },
  });
  const truthSignal = AbortSignal.any([signal, stopping.signal]);
  const truth = followTruth({
    config,
    topic: truthOf(member, { log, outages, signal: truthSignal }),
    scorer,
    log,
    begun,
    signal: truthSignal,
  });
  const reported = reportEvery(reporter, scorer, stopping.signal);
  try {
    if (!(await Promise.race([truth.ready, truth.failed]))) return 0;
    await noteBeginning(member, state, scorer, log);
    const consumed = consume({ ...member, log, scorer, source });
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
    await reported;
    reporter.report(scorer, true);
  }
}

/** Counters that were committed and not reported are lost to Prometheus at a crash. */
const reportMs = 250;

async function reportEvery(reporter: Reporter, scorer: Scorer, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    reporter.report(scorer);
    await systemClock.sleep(reportMs, over);
  }
}

function sourceOf({ config, untilEnd, worker, inside, signal }: Member, log: Log, outages: Set<string>): Source {
  const { kafka } = config;
  if (inside !== undefined) {
    const partitions = partitionsOf(inside, worker, workersOf(config));
    return localSource({ shared: inside, partitions, untilEnd, log, signal });
  }
  return kafkaSource({
    ...kafkaConnection(config, log, outages),
    groupId: kafka.group_id,
    topics: topicsOf(config),
    sessionTimeoutMs: kafka.session_timeout.ms,
    batchBytes: config.limits.batch_bytes,
    untilEnd,
    signal,
  });
}

/** The log of a part, its outages at present, and what ends it. */
interface Running {
  readonly log: Log;
  readonly outages: Set<string>;
  readonly signal: AbortSignal;
}

function truthOf({ config, inside }: Member, running: Running): FollowTruthOptions['topic'] {
  const { log, signal } = running;
  if (inside === undefined) return kafkaTruth(config, running);
  const source = localSource({ shared: inside, partitions: [truthPartition], untilEnd: false, log, signal });
  return { topics: [truthPartition.topic], hasTruth: true, source };
}

/** Waits until a source has stopped after a failure, and throws the failure. */
async function stoppedByFailure(failure: Promise<never>, source: Source): Promise<never> {
  return failure.catch(async (error) => {
    await source.stop();
    throw error;
  });
}

/** Notes how many partitions the topics have when the group begins, where the partitions of that time do not begin at their beginning. */
async function noteBeginning(
  { config, inside, signal }: Member,
  state: ObjectStore,
  { pipeline: { service } }: Scorer,
  log: Log,
): Promise<void> {
  const { from, group_id: group } = config.kafka;
  if (inside !== undefined || from === 'earliest') return;
  const topics = topicsOf(config);
  const present = await topicPartitions(kafkaConnection(config, log), topics, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (present === undefined) return;
  const outage = 'noting the partitions at the start';
  for (const topic of topics) {
    const now = { group, topic, present: present.get(topic) ?? 0 };
    const first = await retried(service, { what: outage, outage }, () => firstPartitions(state, now));
    service.begunWith.set(topic, first);
  }
}

/** Runs the source with checkpoints on a timer; what is left is saved when it ends. */
async function consume({ config, signal, log, stopping, reporter, scorer, source }: Scoring): Promise<void> {
  const { pipeline, telemetry } = scorer;
  const untilLate = lastFiles({ config, log, signal, stopping });
  const done = new AbortController();
  const over = AbortSignal.any([stopping.signal, done.signal]);
  const consumer: Consumer = {
    ...pipeline.consumer,
    revoked(partition) {
      pipeline.consumer.revoked(partition);
      reporter.revoked(partition);
    },
    async beforeStop() {
      scorer.scoreRows?.endAll();
      await pipeline.checkpointAll();
      await awaitHeldBack(pipeline, log, signal);
      await untilLate(publishedRows(pipeline.service));
    },
  };
  const timers = Promise.all([
    checkpointEvery(config.state.checkpoint_every.ms, pipeline, over),
    runInputLog(
      { notes: telemetry.input, notices: () => noticesOf(pipeline, config), config, log, clock: systemClock },
      over,
    ),
  ]);
  try {
    await Promise.race([source.run(consumer), timers]);
  } finally {
    done.abort();
    await untilLate(timers.catch(() => undefined));
  }
}

/** Notices of the readers of all topics. */
function noticesOf({ service }: Pipeline, { kafka }: Config): Iterable<string> {
  return new Set(kafka.topics.flatMap((topic) => service.options.reader(topic).notices?.() ?? []));
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

function deadLettersOf(config: Config, { log, outages, signal }: Running): DeadLetters {
  const { dead_letter_topic } = config.kafka;
  if (dead_letter_topic !== undefined)
    return kafkaDeadLetters({ ...kafkaConnection(config, log, outages), topic: dead_letter_topic, signal });
  const name = `${hostname()}-${process.pid}-${newCheckpointId()}`;
  return fileDeadLetters(join(config.state.dir, 'dead-letters'), name, (operation, onOutage) =>
    retry(operation, { clock: systemClock, log, signal, what: 'writing dead letters', onOutage }),
  );
}
