import { Decoder } from './kafkajs-parts.ts';
import { type AbortedTransaction, readBatches } from './record-batches.ts';
import type { ReadLimits } from './records.ts';

/** Version of fetch requests whose responses are read here: every broker since Kafka 2.3 knows it. */
export const fetchVersion = 11;

/**
 * Decodes a fetch response of version 11 into the form that kafkajs expects, but with the `FetchedRecords` of a partition as its only
 * message. Compressed batches are read until their plain bytes exceed `batchBytes`; the rest of the response is fetched again, so its
 * partitions are read in an order of which none always is the last. Layout: kafka.apache.org/protocol.
 */
export async function decodeFetch(raw: Buffer, batchBytes: number): Promise<object> {
  const decoder = new Decoder(raw);
  const clientSideThrottleTime = decoder.readInt32();
  const errorCode = decoder.readInt16();
  const sessionId = decoder.readInt32();
  const topics = decoder.readArray((each) => ({
    topicName: each.readString(),
    partitions: each.readArray(readPartition),
  }));
  const limits = { batchBytes, left: batchBytes };
  const all = topics.flatMap(({ partitions }) => partitions);
  const first = Math.floor(Math.random() * all.length);
  const messages = new Map<RawPartition, object[]>();
  for (const each of [...all.slice(first), ...all.slice(0, first)]) messages.set(each, await messagesOf(each, limits));
  const responses = topics.map(({ topicName, partitions }) => ({
    topicName,
    partitions: partitions.map((each) => ({ ...each.header, abortedTransactions: [], messages: messages.get(each) })),
  }));
  return { throttleTime: 0, clientSideThrottleTime, errorCode, sessionId, responses };
}

interface RawPartition {
  readonly header: { readonly highWatermark: string };
  readonly aborted: AbortedTransaction[];
  readonly bytes: Buffer | null;
}

function readPartition(decoder: Decoder): RawPartition {
  const partition = decoder.readInt32();
  const errorCode = decoder.readInt16();
  const highWatermark = decoder.readInt64().toString();
  const lastStableOffset = decoder.readInt64().toString();
  const lastStartOffset = decoder.readInt64().toString();
  const aborted = decoder.readArray((each) => ({
    producerId: Number(each.readInt64()),
    firstOffset: Number(each.readInt64()),
  }));
  const preferredReadReplica = decoder.readInt32();
  const bytes = decoder.readBytes();
  const header = { partition, errorCode, highWatermark, lastStableOffset, lastStartOffset, preferredReadReplica };
  return { header, aborted, bytes };
}

async function messagesOf({ header, aborted, bytes }: RawPartition, limits: ReadLimits): Promise<object[]> {
  if (bytes === null) return [];
  const fetched = await readBatches(bytes, aborted, limits, Number(header.highWatermark));
  // kafkajs reads these two of each message.
  const message = { offset: String((fetched?.nextOffset ?? 0) - 1), isControlRecord: false };
  return fetched === undefined ? [] : [{ ...fetched, ...message }];
}
