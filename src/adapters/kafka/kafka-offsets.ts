import { type Admin, type Broker, type Cluster, PartitionAssigners } from 'kafkajs';
import { type ClusterFacts, partitionName, type Source, type TopicPartition } from '../../ports.ts';
import { type KafkaSettings, kafkaClient } from './kafka-client.ts';
import { isOutage, type Link } from './kafka-outage.ts';
import { oldestTransaction } from './kafka-transactions.ts';
import { reconnecting } from './reconnecting.ts';
import { topicIdsOf } from './topic-ids.ts';

/** The part of a source that reads offsets and the cluster. Each question is retried through outages until `signal` aborts. */
export type KafkaOffsets = Required<
  Pick<Source, 'bounds' | 'committed' | 'cluster' | 'offsetAt' | 'openTransaction'>
> & {
  /** The high bounds of all partitions of the topics. */
  ends(): Promise<readonly End[]>;
  close(): Promise<void>;
};

/** Where a partition ended at some time. */
export interface End {
  readonly partition: TopicPartition;
  /** Next offset to be written. */
  readonly high: number;
}

/** Reads offsets through an admin client of its own, connected at its first use. */
export function kafkaOffsets(
  settings: KafkaSettings & {
    readonly groupId: string;
    readonly topics: readonly string[];
    readonly signal: AbortSignal;
    readonly link: Link;
  },
): KafkaOffsets {
  const clients = reconnecting(() => connect(settings), { ...settings, silentMs: settings.silentMs, isOutage });
  const ask = clients.use;
  const topicOffsets = shared((topic: string) => ask(({ cluster }) => readBounds(cluster, topic)));
  const committedOffsets = shared((topic: string) =>
    ask(async ({ admin }) => {
      const [answer] = await admin.fetchOffsets({ groupId: settings.groupId, topics: [topic] });
      return answer?.partitions ?? [];
    }),
  );
  const clusterFacts = shared(() => ask((used) => readCluster(used, settings.topics)));
  return {
    async bounds(partition) {
      const { low, high } = await find(partition, topicOffsets, clients.renew);
      return { low: Number(low), high: Number(high) };
    },
    async committed(partition) {
      const { offset } = await find(partition, committedOffsets, clients.renew);
      return Number(offset) < 0 ? undefined : Number(offset);
    },
    async offsetAt(partition, timeMs) {
      const at = Math.max(0, Math.ceil(timeMs));
      const read = (topic: string) => ask(({ admin }) => admin.fetchTopicOffsetsByTimestamp(topic, at));
      return Number((await find(partition, read, clients.renew)).offset);
    },
    cluster: () => clusterFacts(''),
    async ends() {
      const ends: End[] = [];
      for (const topic of settings.topics) {
        for (const { partition, high } of await topicOffsets(topic))
          ends.push({ partition: { topic, partition }, high: Number(high) });
      }
      return ends;
    },
    openTransaction: (partition) => ask(({ cluster }) => oldestTransaction(cluster, partition)),
    close: clients.renew,
  };
}

interface Clients {
  readonly admin: Admin;
  /** The only part of kafkajs that tells high watermarks: the admin client stops at the first open transaction. */
  readonly cluster: Cluster;
  disconnect(): Promise<unknown>;
}

async function connect(settings: KafkaSettings & { readonly groupId: string }): Promise<Clients> {
  const kafka = kafkaClient(settings, 2);
  const admin = kafka.admin();
  const found: Cluster[] = [];
  // Never run: it is made for its cluster, which it gives to assigners only.
  const consumer = kafka.consumer({
    groupId: settings.groupId,
    readUncommitted: true,
    allowAutoTopicCreation: false,
    partitionAssigners: [
      (config) => {
        found.push(config.cluster);
        return PartitionAssigners.roundRobin(config);
      },
    ],
  });
  const disconnect = (): Promise<unknown> => Promise.allSettled([admin.disconnect(), consumer.disconnect()]);
  try {
    await Promise.all([admin.connect(), consumer.connect()]);
  } catch (error) {
    void disconnect();
    throw error;
  }
  return { admin, cluster: found[0]!, disconnect };
}

interface Bounds {
  readonly partition: number;
  readonly low: string;
  readonly high: string;
}

async function readBounds(cluster: Cluster, topic: string): Promise<Bounds[]> {
  await cluster.addMultipleTargetTopics([topic]);
  await cluster.refreshMetadataIfNecessary();
  const partitions = cluster.findTopicPartitionMetadata(topic).map(({ partitionId }) => ({ partition: partitionId }));
  const [high] = await cluster.fetchTopicsOffset([{ topic, partitions, fromBeginning: false }]);
  const [low] = await cluster.fetchTopicsOffset([{ topic, partitions, fromBeginning: true }]);
  const lows = new Map(low?.partitions.map(({ partition, offset }) => [partition, offset]));
  return (high?.partitions ?? []).map(({ partition, offset }) => ({
    partition,
    low: lows.get(partition) ?? '0',
    high: offset,
  }));
}

/** The admin client of kafkajs would end in a TypeError where the last connection breaks meanwhile. */
async function readCluster({ cluster }: Clients, wanted: readonly string[]): Promise<ClusterFacts> {
  await cluster.refreshMetadataIfNecessary();
  const broker = await cluster.findControllerBroker();
  const { clusterId, topicMetadata } = (await broker.metadata([...wanted])) as DescribedCluster;
  const partitions = new Map(topicMetadata.map(({ topic, partitionMetadata }) => [topic, partitionMetadata.length]));
  return { id: clusterId, partitions, topicIds: await topicIdsOf(cluster, wanted) };
}

/** Metadata of kafkajs, with the field that its types leave out. */
type DescribedCluster = Awaited<ReturnType<Broker['metadata']>> & { readonly clusterId: string };

/** One question per topic at a time: the partitions of an assignment all ask at once. */
function shared<T>(read: (topic: string) => Promise<T>): (topic: string) => Promise<T> {
  const pending = new Map<string, Promise<T>>();
  return (topic) => {
    const known = pending.get(topic);
    if (known !== undefined) return known;
    const answer = read(topic).finally(() => pending.delete(topic));
    pending.set(topic, answer);
    return answer;
  };
}

/** Finds a partition in an answer. One that is missing may be newer than the client's metadata: the question is repeated with new ones. */
async function find<T extends { readonly partition: number }>(
  wanted: TopicPartition,
  read: (topic: string) => Promise<readonly T[]>,
  renew: () => Promise<void>,
): Promise<T> {
  const among = (all: readonly T[]): T | undefined => all.find(({ partition }) => partition === wanted.partition);
  const known = among(await read(wanted.topic));
  if (known !== undefined) return known;
  await renew();
  const found = among(await read(wanted.topic));
  if (found === undefined) throw new Error(`${partitionName(wanted)}: the topic has no such partition`);
  return found;
}
