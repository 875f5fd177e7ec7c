import { once } from 'node:events';
import { type Consumer, partitionName, type Source, type TopicPartition } from '../../ports.ts';
import { type Assignment, byTopic, lost, newAssignment } from './kafka-assignment.ts';
import { newDelivery } from './kafka-delivery.ts';
import { stopAtEnds } from './kafka-ends.ts';
import { type Answers, newAnswers } from './kafka-silence.ts';
import { type KafkaOffsets, kafkaOffsets } from './kafka-offsets.ts';
import { backOff, isOutage, kafkaLink, type Link, rootCause } from './kafka-outage.ts';
import { heartbeatMs, openSession, rebalancePatienceMs, type Session, type SessionSettings } from './kafka-session.ts';

export interface KafkaSourceOptions extends SessionSettings {
  /** Stop when the group has reached the ends that the topics had at `run`. */
  readonly untilEnd?: boolean | undefined;
  /** Aborting it is the same as `stop`. */
  readonly signal: AbortSignal;
}

/**
 * The records of some topics, read as a member of a consumer group. Positions are the consumer's own; commits are never read to
 * resume from. Outages are retried for ever; `run` rejects at what no retry can heal (access refused, a bug).
 */
export function kafkaSource(options: KafkaSourceOptions): Source {
  const link = kafkaLink(options, {
    doing: 'reading',
    rights: `Read on the topics ${options.topics.join(', ')} and on the group ${options.groupId}`,
  });
  const over = new AbortController();
  const offsets = kafkaOffsets({ ...options, signal: over.signal, link });
  const halt = newHalt();
  const answers = newAnswers();
  let running: Running | undefined;
  const stop = async (): Promise<void> => {
    halt.stop();
    await running?.done.catch(() => undefined);
    over.abort();
    await offsets.close();
  };
  const run = async (consumer: Consumer): Promise<void> => {
    if (running !== undefined) throw new Error('A Kafka source runs once');
    const fail = (error: unknown): void => {
      assignment.stopping = true;
      halt.fail(error);
    };
    const assignment = newAssignment(consumer, { fail, changed: () => undefined, log: options.log });
    running = { assignment, done: runUntilHalt(options, assignment, { offsets, halt, link, answers }) };
    const onAbort = (): void => void stop();
    options.signal.addEventListener('abort', onAbort);
    if (options.signal.aborted) onAbort();
    try {
      await running.done;
    } catch (error) {
      throw link.explained(error);
    } finally {
      options.signal.removeEventListener('abort', onAbort);
      over.abort();
      await offsets.close();
    }
  };
  const commit: Source['commit'] = (wanted) => commitOnce(running?.assignment, wanted, options);
  const joined: Source['joined'] = () => running?.assignment.group !== undefined && link.isUp();
  const connection: Source['connection'] = () => ({ answeredMs: answers.untilMs() });
  const { bounds, committed, cluster, offsetAt, openTransaction } = offsets;
  return { run, stop, commit, bounds, committed, cluster, offsetAt, openTransaction, joined, connection };
}

interface Running {
  readonly assignment: Assignment;
  readonly done: Promise<void>;
}

interface Halt {
  /** Resolves at the first `stop` or `fail`. */
  readonly asked: Promise<void>;
  readonly failed: Promise<void>;
  readonly signal: AbortSignal;
  stop(): void;
  fail(error: unknown): void;
  throwIfFailed(): void;
}

function newHalt(): Halt {
  const asking = new AbortController();
  const failing = new AbortController();
  return {
    asked: once(asking.signal, 'abort').then(() => undefined),
    failed: once(failing.signal, 'abort').then(() => undefined),
    signal: asking.signal,
    stop: () => asking.abort(),
    fail(error) {
      failing.abort(error);
      asking.abort();
    },
    throwIfFailed: () => failing.signal.throwIfAborted(),
  };
}

interface Parts {
  readonly offsets: KafkaOffsets;
  readonly halt: Halt;
  readonly link: Link;
  readonly answers: Answers;
}

async function runUntilHalt(
  options: KafkaSourceOptions,
  assignment: Assignment,
  { offsets, halt, link, answers }: Parts,
): Promise<void> {
  if (options.untilEnd) await Promise.race([halt.asked, stopAtEnds(assignment, offsets, halt, options.log)]);
  const delivery = newDelivery(assignment, {
    heartbeatMs: heartbeatMs(options.sessionTimeoutMs),
    patienceMs: rebalancePatienceMs,
  });
  let attempt = 0;
  while (!halt.signal.aborted) {
    const { memberId } = assignment;
    const session = openSession(options, delivery, link, answers);
    const crash = await Promise.race([halt.asked, session.ended.then((error) => ({ error }))]);
    if (crash === undefined) return await finish(assignment, session, halt);
    lost(assignment);
    await session.close();
    if (!isOutage(crash.error)) throw crash.error;
    link.down(crash.error);
    if (assignment.memberId !== memberId) attempt = 0;
    await backOff(attempt++, halt.signal).catch(() => undefined);
  }
  await finish(assignment, undefined, halt);
}

/** The batch in work ends, then the consumer saves and commits, still a member; then the group is left. */
async function finish(assignment: Assignment, session: Session | undefined, halt: Halt): Promise<void> {
  assignment.stopping = true;
  const all = [...assignment.partitions.values()];
  assignment.group?.pause(byTopic(all.map(({ partition }) => partition)));
  try {
    await Promise.race([assignment.batch, halt.failed]);
    halt.throwIfFailed();
    await assignment.consumer.beforeStop();
    halt.throwIfFailed();
  } finally {
    lost(assignment);
    await session?.close();
  }
}

/** One attempt, through the member id and generation of the current join: the group refuses those of a member that it has replaced. */
async function commitOnce(
  assignment: Assignment | undefined,
  wanted: Parameters<Source['commit']>[0],
  { log, groupId }: KafkaSourceOptions,
): Promise<readonly TopicPartition[]> {
  // The group checks the member, not whether it owns the partition.
  const held = wanted.filter((each) => assignment?.partitions.get(partitionName(each))?.opened);
  if (assignment?.commits === undefined || held.length === 0) return [];
  const topics = held.map(({ topic, partition, nextOffset }) => ({
    topic,
    partitions: [{ partition, offset: String(nextOffset), metadata: null }],
  }));
  try {
    await assignment.commits.commitOffsets({ topics });
  } catch (error) {
    log.debug(
      { group: groupId, error: rootCause(error).message },
      'The group did not take a commit; the next one includes it',
    );
    return [];
  }
  return held.map(({ topic, partition }) => ({ topic, partition }));
}
