import { Decoder } from './kafkajs-parts.ts';
import { readBatches } from './record-batches.ts';

/** Version of fetch requests whose responses are read here: every broker since Kafka 2.3 knows it. */
export const fetchVersion = 11;

/**
 * Fetch response of version 11 in the form that kafkajs expects, but with the `FetchedRecords` of a partition as its only message.
 * Layout: kafka.apache.org/protocol.
 */
export async function decodeFetch(raw: Buffer): Promise<object> {
  const decoder = new Decoder(raw);
  const clientSideThrottleTime = decoder.readInt32();
  const errorCode = decoder.readInt16();
  const sessionId = decoder.readInt32();
  const responses = await decoder.readArrayAsync(async (each) => {
    const topicName = each.readString();
    return { topicName, partitions: await each.readArrayAsync(decodePartition) };
  });
  return { throttleTime: 0, clientSideThrottleTime, errorCode, sessionId, responses };
}

async function decodePartition(decoder: Decoder): Promise<object> {
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
  const fetched = bytes === null ? undefined : await readBatches(bytes, aborted);
  const header = { partition, errorCode, highWatermark, lastStableOffset, lastStartOffset, preferredReadReplica };
  // kafkajs reads these two of each message.
  const message = { offset: String((fetched?.nextOffset ?? 0) - 1), isControlRecord: false };
  return { ...header, abortedTransactions: [], messages: fetched === undefined ? [] : [{ ...fetched, ...message }] };
}
