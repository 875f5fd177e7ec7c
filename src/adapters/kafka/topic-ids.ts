import { type Looking, lookEvery } from './looking.ts';
import { type AskedBroker, Decoder, Encoder, flexibleRequest } from './kafkajs-parts.ts';

/** The part of a cluster of kafkajs that finds a broker to ask. */
export interface AskedCluster {
  refreshMetadataIfNecessary(): Promise<void>;
  findControllerBroker(): Promise<object>;
}

/**
 * Reads the ids of topics, by name, by Metadata 10 (kafka.apache.org/protocol). A topic that is deleted and made again has another id: all
 * else may be as before. Empty where the broker has no ids: Kafka 2.7 and older.
 */
export async function topicIdsOf(
  cluster: AskedCluster,
  topics: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  await cluster.refreshMetadataIfNecessary();
  const broker = (await cluster.findControllerBroker()) as AskedBroker;
  if ((broker.versions?.[apiKey]?.maxVersion ?? 0) < apiVersion) return new Map();
  return await broker.connectionPool.send(metadataRequest(topics));
}

/**
 * Calls `recreated` when a topic has another id than before. Fetches name topics: in one that is recreated and filled again between two of
 * them, they read on where they were. Looks every two seconds, and when it is asked to.
 */
export function watchTopicIds(
  cluster: () => AskedCluster | undefined,
  topics: readonly string[],
  recreated: () => void,
): Looking {
  const known = new Map<string, string>();
  return lookEvery(everyMs, async () => {
    const asked = cluster();
    if (asked === undefined) return;
    const ids = await topicIdsOf(asked, topics);
    const isOther = [...ids].some(([topic, id]) => (known.get(topic) ?? id) !== id);
    // One that is gone for now keeps the id that it had.
    for (const [topic, id] of ids) known.set(topic, id);
    if (isOther) recreated();
  });
}

const everyMs = 2_000;
const apiKey = 3;
const apiVersion = 10;

function metadataRequest(topics: readonly string[]) {
  const noTags = (encoder: Encoder): Encoder => encoder.writeUVarIntBytes();
  // By name: the id of each is zero.
  const asked = topics.map((topic) => noTags(new Encoder().writeBuffer(Buffer.alloc(16)).writeUVarIntString(topic)));
  // No topic is made by asking, and no rights are asked for, of the cluster and of topics.
  const body = new Encoder().writeUVarIntArray(asked).writeBoolean(false).writeBoolean(false).writeBoolean(false);
  return flexibleRequest({ apiKey, apiVersion, apiName: 'Metadata' }, noTags(body), decodeTopicIds);
}

/** Decodes the ids of topics in a response to Metadata 10. A topic with an error is left out. */
export function decodeTopicIds(bytes: Buffer): ReadonlyMap<string, string> {
  const decoder = new Decoder(bytes);
  decoder.readTaggedFields();
  decoder.readInt32();
  decoder.readUVarIntArray(skipBroker);
  decoder.readUVarIntString();
  decoder.readInt32();
  const topics = decoder.readUVarIntArray(readTopic) ?? [];
  return new Map(topics.flatMap(({ error, name, id }) => (error === 0 && name !== null ? [[name, id]] : [])));
}

function skipBroker(decoder: Decoder): void {
  decoder.readInt32();
  decoder.readUVarIntString();
  decoder.readInt32();
  decoder.readUVarIntString();
  decoder.readTaggedFields();
}

function readTopic(decoder: Decoder) {
  const [error, name] = [decoder.readInt16(), decoder.readUVarIntString()];
  const id = decoder.readBytes(16)!.toString('hex');
  decoder.readBoolean();
  decoder.readUVarIntArray(skipPartition);
  decoder.readInt32();
  decoder.readTaggedFields();
  return { error, name, id };
}

function skipPartition(decoder: Decoder): void {
  decoder.readInt16();
  // Number, leader and its epoch.
  for (let field = 0; field < 3; field++) decoder.readInt32();
  // Replicas, those in sync, those offline.
  for (let list = 0; list < 3; list++) decoder.readUVarIntArray((each) => each.readInt32());
  decoder.readTaggedFields();
}
