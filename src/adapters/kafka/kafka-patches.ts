import { createRequire } from 'node:module';

/**
 * Fixes to kafkajs 2.2.4, which is no longer maintained, in two places: how it decodes a fetch response, and a way to its consumer
 * group object. Both leave other clients of the process as they are.
 */
export function patchKafkaJs(): void {
  const { prototype } = load('kafkajs/src/consumer/consumerGroup.js') as { prototype: Group & { [patched]?: true } };
  if (prototype[patched]) return;
  prototype[patched] = true;
  const connect = prototype.connect;
  prototype.connect = function (this: Group) {
    for (const assigner of this.assigners) adopters.get(assigner)?.(this);
    return connect.call(this);
  };
  (load('kafkajs/src/protocol/requests/fetch/v11/response.js') as { decode: typeof decodeFetch }).decode = decodeFetch;
}

/** The part of kafkajs's ConsumerGroup that is used. One lives from the start of a consumer to its stop or crash. */
export interface Group {
  readonly assigners: readonly object[];
  readonly cluster: { refreshMetadata(): Promise<void>; isConnected(): boolean };
  readonly memberId: string | null;
  /** Made anew at each join, with the member id and generation of that join: commits through it are fenced by them. */
  readonly offsetManager: OffsetManager | null;
  connect(): Promise<void>;
  joinAndSync(): Promise<void>;
  heartbeat(options: { interval: number }): Promise<void>;
  fetch(nodeId: string): Promise<FetchedBatch[]>;
  recoverFromFetch(error: Error): Promise<void>;
  pause(partitions: readonly TopicPartitions[]): void;
  resume(partitions: readonly TopicPartitions[]): void;
  seek(position: { topic: string; partition: number; offset: string }): void;
  /** The next fetch of the partition starts after `offset`. */
  resolveOffset(position: { topic: string; partition: number; offset: string }): void;
}

export interface OffsetManager {
  /** One attempt. */
  commitOffsets(offsets: {
    topics: { topic: string; partitions: { partition: number; offset: string; metadata: null }[] }[];
  }): Promise<void>;
}

export interface TopicPartitions {
  readonly topic: string;
  readonly partitions: number[];
}

/** kafkajs's Batch, before its handler sees it. */
export interface FetchedBatch {
  readonly topic: string;
  readonly partition: number;
  readonly highWatermark: string;
  readonly rawMessages: readonly unknown[];
  isEmpty(): boolean;
}

/** Calls `adopt` with the group object of the consumer that was given `assigner`, before it joins. */
export function onGroup(assigner: object, adopt: (group: Group) => void): void {
  adopters.set(assigner, adopt);
}

const patched: unique symbol = Symbol('patched');
const adopters: WeakMap<object, (group: Group) => void> = new WeakMap();
const load: NodeJS.Require = createRequire(import.meta.url);
const Decoder = load('kafkajs/src/protocol/decoder.js') as new (bytes: Buffer) => Decoder;
const decodeRecordBatch = load('kafkajs/src/protocol/recordBatch/v0/decoder.js') as (
  from: Decoder,
) => Promise<RecordBatch>;
const decodeMessageSet = load('kafkajs/src/protocol/messageSet/decoder.js') as (
  from: Decoder,
  size: number,
) => Promise<Message[]>;

interface Decoder {
  readInt8(): number;
  readInt16(): number;
  readInt32(): number;
  readInt64(): bigint;
  readString(): string;
  readBytes(length: number): Buffer;
  canReadBytes(length: number): boolean;
  readArray<T>(read: (decoder: Decoder) => T): T[];
  readArrayAsync<T>(read: (decoder: Decoder) => Promise<T>): Promise<T[]>;
}

interface Message {
  offset: string;
  isControlRecord: boolean;
  readonly key: Buffer | null;
}

interface RecordBatch {
  readonly firstOffset: string;
  readonly lastOffsetDelta: number;
  readonly producerId: string;
  readonly inTransaction: boolean;
  readonly isControlBatch: boolean;
  readonly maxTimestamp: string;
  readonly records: Message[];
}

interface AbortedTransaction {
  readonly producerId: string;
  readonly firstOffset: bigint;
}

/** Fetch response, version 11 (every broker since Kafka 2.3). Layout: kafka.apache.org/protocol, and kafkajs's own decoder. */
async function decodeFetch(raw: Buffer): Promise<object> {
  const decoder = new Decoder(raw);
  const clientSideThrottleTime = decoder.readInt32();
  const errorCode = decoder.readInt16();
  const sessionId = decoder.readInt32();
  const responses = await decoder.readArrayAsync(async (each) => ({
    topicName: each.readString(),
    partitions: await each.readArrayAsync(decodePartition),
  }));
  return { throttleTime: 0, clientSideThrottleTime, errorCode, sessionId, responses };
}

async function decodePartition(decoder: Decoder): Promise<object> {
  const partition = decoder.readInt32();
  const errorCode = decoder.readInt16();
  const highWatermark = decoder.readInt64().toString();
  const lastStableOffset = decoder.readInt64().toString();
  const lastStartOffset = decoder.readInt64().toString();
  const aborted = decoder.readArray((each) => ({
    producerId: each.readInt64().toString(),
    firstOffset: each.readInt64(),
  }));
  const preferredReadReplica = decoder.readInt32();
  const messages = await decodeMessages(decoder, aborted);
  const header = { partition, errorCode, highWatermark, lastStableOffset, lastStartOffset, preferredReadReplica };
  // Aborted records are marked already: nothing is left for kafkajs's own filter, which lets some of them through.
  return { ...header, abortedTransactions: [], messages };
}

async function decodeMessages(decoder: Decoder, aborted: AbortedTransaction[]): Promise<Message[]> {
  const size = decoder.readInt32();
  if (size <= 0 || !decoder.canReadBytes(size)) return [];
  const bytes = decoder.readBytes(size);
  const batches = new Decoder(bytes);
  if (bytes.readInt8(magicAt) !== recordBatchMagic) return await decodeMessageSet(batches, size);
  const open = openTransactions(aborted);
  const messages: Message[] = [];
  while (batches.canReadBytes(recordBatchOverheadBytes)) {
    const batch = await decodeRecordBatch(batches).catch((error: Error) => {
      // The tail of a response may hold a part of a batch, which is fetched again.
      if (error.name === 'KafkaJSPartialMessageError') return undefined;
      throw error;
    });
    if (batch === undefined) break;
    const isAborted = open.isAborted(batch);
    const skipped = isAborted || batch.isControlBatch;
    // One at a time: as arguments of one push, some 125,000 records overflow the stack.
    for (const record of batch.records) {
      record.isControlRecord = skipped;
      messages.push(record);
    }
    markEnd(messages, batch);
  }
  return messages;
}

const magicAt = 16;
const recordBatchMagic = 2;
const recordBatchOverheadBytes = 49;

/**
 * Tells of one batch after the other whether it belongs to an aborted transaction. As in Kafka's own client (CompletedFetch): transactions are aborted from their
 * first offset to the abort marker of their producer; several may be open at once.
 */
function openTransactions(aborted: AbortedTransaction[]): { isAborted(next: RecordBatch): boolean } {
  const ahead = [...aborted].sort((a, b) => (a.firstOffset < b.firstOffset ? -1 : 1));
  const producers = new Set<string>();
  let next = 0;
  return {
    isAborted(batch) {
      const lastOffset = BigInt(batch.firstOffset) + BigInt(batch.lastOffsetDelta);
      while (next < ahead.length && ahead[next]!.firstOffset <= lastOffset) producers.add(ahead[next++]!.producerId);
      if (isAbortMarker(batch)) producers.delete(batch.producerId);
      return batch.inTransaction && producers.has(batch.producerId);
    },
  };
}

/** The key of a control record: version and type, int16 each; type 0 aborts. */
function isAbortMarker({ isControlBatch, records }: RecordBatch): boolean {
  return isControlBatch && records[0]?.key?.readInt16BE(2) === 0;
}

/** Records that compaction took from the end of a batch leave no trace of its last offset, without which a reader gets stuck. */
function markEnd(messages: Message[], batch: RecordBatch): void {
  const { records, firstOffset, lastOffsetDelta, ...context } = batch;
  const lastOffset = (BigInt(firstOffset) + BigInt(lastOffsetDelta)).toString();
  if (records.length > 0 && records[records.length - 1]!.offset === lastOffset) return;
  messages.push({
    offset: lastOffset,
    isControlRecord: true,
    key: null,
    ...{ value: null, headers: {}, timestamp: batch.maxTimestamp, magicByte: recordBatchMagic, attributes: 0 },
    ...{ batchContext: { firstOffset, lastOffsetDelta, ...context } },
  });
}
