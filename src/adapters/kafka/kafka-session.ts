import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer as KafkaConsumer, EachBatchPayload } from 'kafkajs';
import type { Log, TopicPartition } from '../../ports.ts';
import { sharedByReaders } from './assigner.ts';
import { type Assignment, inDoubt, joined, outOfRange } from './kafka-assignment.ts';
import { DamagedResponse } from './fetch-response.ts';
import { watchHeldPartitions } from './held-partitions.ts';
import { type Delivery, deliver, noteFetched, withLimit } from './kafka-delivery.ts';
import { type KafkaSettings, kafkaClient } from './kafka-client.ts';
import type { Link } from './kafka-outage.ts';
import { type Answers, watchSilence } from './kafka-silence.ts';
import { onGroup, useOwnDecoder } from './kafka-patches.ts';
import type { Group } from './kafkajs-parts.ts';
import { watchPausedEnds } from './paused-ends.ts';
import { watchTopicIds } from './topic-ids.ts';

export interface SessionSettings extends KafkaSettings {
  readonly groupId: string;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  /** Plain bytes of a compressed batch (`limits.batch_bytes`). */
  readonly batchBytes: number;
}

/** One life of a kafkajs consumer, from connecting to its first failure. */
export interface Session {
  /** Resolves with what ended it. */
  readonly ended: Promise<unknown>;
  /** Leaves the group, or gives up on leaving it after some seconds. */
  close(): Promise<void>;
}

/** How long the group may wait for this member's checkpoint or back pressure. */
export const rebalancePatienceMs = 30_000;
/** Heartbeats are this frequent so that a member hears of a rebalance at once (and at most a third of the session). */
export function heartbeatMs(sessionTimeoutMs: number): number {
  return Math.max(50, Math.min(300, Math.floor(sessionTimeoutMs / 3)));
}

/** Connects, joins the group and delivers, in the background. */
export function openSession(settings: SessionSettings, delivery: Delivery, link: Link, answers: Answers): Session {
  const { assignment } = delivery;
  let closed = false;
  let end: (error: unknown) => void = () => undefined;
  const ended = new Promise<unknown>((resolve) => {
    end = resolve;
  });
  let group: Group | undefined;
  answers.reset();
  const heard = (): void => {
    answers.heard();
    link.up();
  };
  const consumer = newConsumer(settings, (made) => {
    group = made;
    adopt(made, settings, delivery, link, answers);
  });
  const watched = watches(() => group?.cluster, settings, delivery, link, answers);
  consumer.on(consumer.events.CRASH, ({ payload }) => end(payload.error));
  consumer.on(consumer.events.HEARTBEAT, heard);
  consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberId, memberAssignment } }) => {
    if (closed || group === undefined) return;
    heard();
    watched.look();
    const partitions = inOrder(memberAssignment);
    settings.log.info(
      { group: settings.groupId, partitions: memberAssignment },
      `Joined the group with ${partitions.length} partitions`,
    );
    // What a listener throws would look like a failed join.
    guarded(assignment, () => joined(assignment, group!, memberId, partitions));
  });
  void start(consumer, settings, delivery, () => closed).catch(end);
  return {
    ended,
    async close() {
      closed = true;
      watched.end();
      await leave(consumer, settings.log);
    },
  };
}

/** Watches brokers and topics beside the fetches; `look`: at the ids of topics now. */
function watches(
  cluster: () => Group['cluster'] | undefined,
  { topics, sessionTimeoutMs }: SessionSettings,
  delivery: Delivery,
  link: Link,
  answers: Answers,
): { readonly look: () => void; readonly end: () => void } {
  const topicIds = watchTopicIds(cluster, topics, () => inDoubt(delivery.assignment));
  const pausedEnds = watchPausedEnds(cluster, delivery.assignment);
  const held = watchHeldPartitions(cluster, delivery.assignment, sessionTimeoutMs);
  const endSilence = watchSilence(answers, link, sessionTimeoutMs, () => delivery.joining !== undefined);
  const end = (): void => {
    for (const each of [topicIds, pausedEnds, held]) each.end();
    endSilence();
  };
  return { look: topicIds.look, end };
}

async function leave(consumer: KafkaConsumer, log: Log): Promise<void> {
  const left = consumer.disconnect().catch((error: unknown) => {
    log.debug({ error: String(error) }, 'The group was not left in order: its coordinator finds out by itself');
  });
  await withLimit(closeLimitMs, left);
}

const closeLimitMs = 5000;

function newConsumer(settings: SessionSettings, adoptGroup: (group: Group) => void): KafkaConsumer {
  return kafkaClient(settings, 6).consumer({
    groupId: settings.groupId,
    sessionTimeout: settings.sessionTimeoutMs,
    rebalanceTimeout: 2 * rebalancePatienceMs,
    heartbeatInterval: heartbeatMs(settings.sessionTimeoutMs),
    maxWaitTimeInMs: 100,
    minBytes: 1,
    maxBytes: 16 << 20,
    // A fetch is decoded at once: more would hold the event loop for longer.
    maxBytesPerPartition: 1 << 20,
    metadataMaxAge: 30_000,
    allowAutoTopicCreation: false,
    retry: { initialRetryTime: 100, maxRetryTime: 2000, retries: 6, restartOnFailure: async () => false },
    partitionAssigners: [
      (config) => {
        const assigner = sharedByReaders(config, settings.log);
        onGroup(assigner, adoptGroup);
        return assigner;
      },
    ],
  });
}

async function start(
  consumer: KafkaConsumer,
  settings: SessionSettings,
  delivery: Delivery,
  isClosed: () => boolean,
): Promise<void> {
  await consumer.connect();
  if (!isClosed()) await consumer.subscribe({ topics: [...settings.topics], fromBeginning: true });
  // Closed while it connected: nothing but this would end the connection.
  if (isClosed()) return await consumer.disconnect();
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    partitionsConsumedConcurrently: 1,
    eachBatch: (payload) => eachBatch(delivery, payload),
  });
}

async function eachBatch(delivery: Delivery, payload: EachBatchPayload): Promise<void> {
  const { assignment } = delivery;
  const delivered = deliver(delivery, payload);
  assignment.batch = delivered.catch(() => undefined);
  try {
    await delivered;
    guarded(assignment, assignment.changed);
  } catch (error) {
    // kafkajs handles its own errors (of heartbeats); another one is the consumer's.
    if (String((error as Error | undefined)?.name).startsWith('KafkaJS')) throw error;
    assignment.fail(error);
  }
}

/** Puts our rules in place of those of a kafkajs consumer group. */
function adopt(
  group: Group,
  { batchBytes, log }: SessionSettings,
  delivery: Delivery,
  link: Link,
  answers: Answers,
): void {
  const { assignment } = delivery;
  useOwnDecoder(group, batchBytes);
  const { joinAndSync, fetch, recoverFromFetch } = group;
  // Every way to a new join passes here, also that of a fetcher that found a new partition while a batch of another one is in work.
  group.joinAndSync = () => {
    delivery.joining ??= (async () => {
      if (group.memberId) await beforeJoin(group, delivery);
      await joinAndSync.call(group);
    })().finally(() => {
      delivery.joining = undefined;
    });
    return delivery.joining;
  };
  group.fetch = async (nodeId) => {
    const { epoch } = assignment;
    try {
      return noteFetched(delivery, await answers.awaited(fetch.call(group, nodeId)), epoch);
    } catch (error) {
      // A join in the middle of a fetch takes the topic away under its feet.
      if (error instanceof TypeError && assignment.epoch !== epoch) return [];
      throw error;
    }
  };
  group.recoverFromFetch = async (error: Error & { readonly type?: string }) => {
    if (error.name === 'KafkaJSOffsetOutOfRange') return outOfRange(assignment, error as Error & TopicPartition);
    if (isUseless(error)) {
      if (!newLeader.has(error.type)) log.warn({}, `A response of Kafka cannot be used: ${error.message}; asked again`);
      // kafkajs would join again, and have the whole group rebalance, where new metadata are enough.
      if (error.type === 'UNKNOWN_TOPIC_OR_PARTITION') inDoubt(assignment);
      await sleep(newLeaderMs);
      return await group.cluster.refreshMetadata();
    }
    if (/Connection|NoBroker|BrokerNotFound/.test(error.name) && !group.cluster.isConnected()) link.down(error);
    await recoverFromFetch.call(group, error);
  };
}

/** A fetch was answered, damaged or with an error that another attempt may not meet: all but missing rights. */
function isUseless(error: Error & { readonly type?: string }): boolean {
  if (error instanceof DamagedResponse) return true;
  return error.name === 'KafkaJSProtocolError' && !error.type?.endsWith('_AUTHORIZATION_FAILED');
}

const newLeader: ReadonlySet<string | undefined> = new Set([
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'UNKNOWN_TOPIC_OR_PARTITION',
]);
/** Brokers hear of a new leader one after the other; this is Kafka's own `retry.backoff.ms`. */
const newLeaderMs = 100;

/** Still a member, with all its partitions: the consumer saves and commits, and the group waits. */
async function beforeJoin(group: Group, delivery: Delivery): Promise<void> {
  const { assignment } = delivery;
  if (assignment.stopping) return;
  assignment.rebalancing = true;
  const interval = delivery.heartbeatMs;
  const beating = setInterval(() => void group.heartbeat({ interval }).catch(() => undefined), interval);
  try {
    await withLimit(delivery.patienceMs, assignment.consumer.save());
  } catch (error) {
    assignment.fail(error);
  } finally {
    clearInterval(beating);
  }
}

function guarded(assignment: Assignment, act: () => void): void {
  try {
    act();
  } catch (error) {
    assignment.fail(error);
  }
}

function inOrder(assigned: { readonly [topic: string]: readonly number[] }): TopicPartition[] {
  return Object.keys(assigned)
    .sort()
    .flatMap((topic) => [...assigned[topic]!].sort((a, b) => a - b).map((partition) => ({ topic, partition })));
}
