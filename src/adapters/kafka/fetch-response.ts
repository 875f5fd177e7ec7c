import { Decoder } from './kafkajs-parts.ts';
import type { KnownGaps } from './offset-gaps.ts';
import { type AbortedTransaction, type FetchedRecords, readBatches } from './record-batches.ts';
import type { ReadLimits } from './records.ts';

/** Version of fetch requests whose responses are read here: every broker since Kafka 2.3 knows it. */
export const fetchVersion = 11;

/** Some partitions of a topic in a fetch request. */
export interface AskedTopic {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number; readonly fetchOffset: string }[];
}

/** The response to a fetch contradicts itself or its request: it was changed on its way, and is asked for again. */
export class DamagedResponse extends Error {
  override readonly name = 'DamagedResponse';
}

/**
 * Decodes a fetch response of version 11 into the form that kafkajs expects, but with the `FetchedRecords` of a partition as its only
 * message. Compressed batches are read until their plain bytes exceed `batchBytes`; the rest of the response is fetched again, so its
 * partitions are read in an order that begins anywhere. No checksum covers the bytes around the batches: partitions must be
 * those of the request, and fields without a use are left out. Layout: kafka.apache.org/protocol.
 */
export async function decodeFetch(
  raw: Buffer,
  batchBytes: number,
  request: { readonly topics: readonly AskedTopic[] },
  gaps: KnownGaps,
): Promise<object> {
  const { throttleTime, topics } = readResponse(raw);
  const asked = new Map(request.topics.flatMap(positions));
  const limits = { batchBytes, left: batchBytes };
  const all = topics.flatMap(({ topicName, partitions }) =>
    partitions.map((raw) => ({ raw, name: `${topicName}/${raw.header.partition}` })),
  );
  const first = Math.floor(Math.random() * all.length);
  const messages = new Map<RawPartition, FetchedRecords[]>();
  for (const { raw, name } of [...all.slice(first), ...all.slice(0, first)]) {
    const position = asked.get(name);
    if (position === undefined) throw new DamagedResponse(`${name} was not asked for, or comes twice`);
    asked.delete(name);
    messages.set(raw, await messagesOf(raw, limits, (bytes) => gaps.before(name, bytes, position)));
  }
  const responses = topics.map(({ topicName, partitions }) => ({
    topicName,
    partitions: partitions.map((each) => ({ ...each.header, abortedTransactions: [], messages: messages.get(each) })),
  }));
  return { throttleTime: 0, clientSideThrottleTime: Math.min(throttleTime, throttleMostMs), responses };
}

/** A broker asks for a second or so; more is damage. */
const throttleMostMs = 10_000;

function positions({ topic, partitions }: AskedTopic): [string, number][] {
  return partitions.map(({ partition, fetchOffset }) => [`${topic}/${partition}`, Number(fetchOffset)]);
}

interface RawTopic {
  readonly topicName: string;
  readonly partitions: RawPartition[];
}

function readResponse(raw: Buffer): { readonly throttleTime: number; readonly topics: RawTopic[] } {
  try {
    const decoder = new Decoder(raw);
    const throttleTime = decoder.readInt32();
    // Error code and id of a fetch session: there is none.
    decoder.readBytes(6);
    const topics = readArray(decoder, (each) => ({
      topicName: each.readString(),
      partitions: readArray(each, readPartition),
    }));
    return { throttleTime, topics };
  } catch (error) {
    throw new DamagedResponse(`its lengths contradict each other (${(error as Error).message})`);
  }
}

interface RawPartition {
  readonly header: { readonly partition: number; readonly highWatermark: string };
  readonly aborted: AbortedTransaction[];
  readonly bytes: Buffer | null;
}

function readPartition(decoder: Decoder): RawPartition {
  const partition = decoder.readInt32();
  const errorCode = decoder.readInt16();
  const highWatermark = decoder.readInt64().toString();
  const lastStableOffset = decoder.readInt64().toString();
  const lastStartOffset = decoder.readInt64().toString();
  const aborted = readArray(decoder, (each) => ({
    producerId: Number(each.readInt64()),
    firstOffset: Number(each.readInt64()),
  }));
  // The replica to read from: none, as the request has no rack.
  decoder.readInt32();
  const bytes = decoder.readBytes(lengthOf(decoder));
  const header = { partition, errorCode, highWatermark, lastStableOffset, lastStartOffset };
  return { header, aborted, bytes };
}

/** Up to the end of the bytes, whatever length is said. */
function readArray<T>(decoder: Decoder, read: (decoder: Decoder) => T): T[] {
  const all: T[] = [];
  for (let left = decoder.readInt32(); left > 0; left--) all.push(read(decoder));
  return all;
}

function lengthOf(decoder: Decoder): number {
  const length = decoder.readInt32();
  if (length >= -1 && decoder.canReadBytes(length)) return length;
  throw new Error(`${length} bytes`);
}

async function messagesOf(
  { header, aborted, bytes }: RawPartition,
  limits: ReadLimits,
  gaps: (bytes: Buffer) => Buffer,
): Promise<FetchedRecords[]> {
  if (bytes === null) return [];
  const fetched = await readBatches(gaps(bytes), aborted, limits, Number(header.highWatermark));
  // kafkajs reads these two of each message.
  const message = { offset: String((fetched?.nextOffset ?? 0) - 1), isControlRecord: false };
  return fetched === undefined ? [] : [{ ...fetched, ...message }];
}
