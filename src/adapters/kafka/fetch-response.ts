import { Decoder } from './kafkajs-parts.ts';
import { type FetchedRecords, readBatches } from './record-batches.ts';

/** All that a fetch has brought of one partition. kafkajs takes it for one message, which is at the last offset. */
export interface Parcel extends FetchedRecords {
  readonly offset: string;
  readonly isControlRecord: false;
}

/** Version of fetch requests whose responses are read here: every broker since Kafka 2.3 knows it. */
export const fetchVersion = 11;

/**
 * Fetch response of version 11, in the form in which kafkajs wants it, with one parcel a partition in place of its messages. Layout:
 * kafka.apache.org/protocol.
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
  return { ...header, abortedTransactions: [], messages: fetched === undefined ? [] : [parcelOf(fetched)] };
}

function parcelOf(fetched: FetchedRecords): Parcel {
  return { ...fetched, offset: String((fetched.nextOffset ?? 0) - 1), isControlRecord: false };
}
