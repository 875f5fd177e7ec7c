import type { Cluster } from 'kafkajs';
import type { OpenTransaction, TopicPartition } from '../../ports.ts';
import { type AskedBroker, Decoder, Encoder, flexibleRequest } from './kafkajs-parts.ts';

/**
 * Reads the oldest open transaction in a partition, behind which no reader of committed records gets: by DescribeProducers 0 of its leader
 * (kafka.apache.org/protocol). Undefined where there is none, or the broker does not know the request: Kafka 2.7 and older.
 */
export async function oldestTransaction(
  cluster: Cluster,
  { topic, partition }: TopicPartition,
): Promise<OpenTransaction | undefined> {
  await cluster.addTargetTopic(topic);
  await cluster.refreshMetadataIfNecessary();
  const [nodeId] = Object.keys(cluster.findLeaderForPartitions(topic, [partition]));
  if (nodeId === undefined) return undefined;
  const broker = (await cluster.findBroker({ nodeId })) as unknown as AskedBroker;
  if (broker.versions?.[apiKey] === undefined) return undefined;
  const { transactions } = await broker.connectionPool.send(describeProducers(topic, partition));
  return transactions.reduce<OpenTransaction | undefined>(
    (oldest, each) => (oldest !== undefined && oldest.firstOffset <= each.firstOffset ? oldest : each),
    undefined,
  );
}

const apiKey = 61;

interface Described {
  readonly transactions: readonly OpenTransaction[];
}

function describeProducers(topic: string, partition: number) {
  const asked = new Encoder().writeUVarIntString(topic);
  const topics = asked.writeUVarIntArray([new Encoder().writeInt32(partition)]).writeUVarIntBytes();
  const body = new Encoder().writeUVarIntArray([topics]).writeUVarIntBytes();
  return flexibleRequest({ apiKey, apiVersion: 0, apiName: 'DescribeProducers' }, body, decodeProducers);
}

/** Decodes a response to DescribeProducers 0 about one partition. An error in it leaves none. */
export function decodeProducers(bytes: Buffer): Described {
  const decoder = new Decoder(bytes);
  decoder.readTaggedFields();
  decoder.readInt32();
  const topics = decoder.readUVarIntArray((each) => {
    each.readUVarIntString();
    const partitions = each.readUVarIntArray(readPartition);
    each.readTaggedFields();
    return (partitions ?? []).flat();
  });
  return { transactions: (topics ?? []).flat() };
}

/** The transactions that are open. */
function readPartition(decoder: Decoder): OpenTransaction[] {
  decoder.readInt32();
  decoder.readInt16();
  decoder.readUVarIntString();
  const producers = decoder.readUVarIntArray((each) => {
    const [producerId, epoch] = [`${each.readInt64()}`, each.readInt32()];
    each.readInt32();
    const lastMs = Number(each.readInt64());
    each.readInt32();
    const firstOffset = Number(each.readInt64());
    each.readTaggedFields();
    return { producerId, epoch, lastMs, firstOffset };
  });
  decoder.readTaggedFields();
  return (producers ?? []).filter(({ firstOffset }) => firstOffset >= 0);
}
