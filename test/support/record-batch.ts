import { createRequire } from 'node:module';

/** A record to be written into a batch; deltas count from the batch's first offset and time stamp. */
export interface BatchRecord {
  readonly offsetDelta: number;
  readonly timestampDelta: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, Buffer>>;
}

export interface BatchOptions {
  readonly firstOffset: number;
  readonly firstTimestamp: number;
  readonly records: readonly BatchRecord[];
  /** By default that of the last record. */
  readonly lastOffsetDelta?: number;
  /** 0 to 4: none, gzip, snappy, lz4, zstd. */
  readonly compression?: number;
  readonly producerId?: number;
  readonly transactional?: boolean;
}

interface Encoder {
  readonly buffer: Buffer;
}

const load: NodeJS.Require = createRequire(import.meta.url);
const long: { fromValue(value: number): object } = load('kafkajs/src/utils/long.js');
const encodeRecord: (record: object) => Encoder = load('kafkajs/src/protocol/recordBatch/record/v0/index.js');
const encodeBatch: (batch: object) => Promise<Encoder> = load(
  'kafkajs/src/protocol/recordBatch/v0/index.js',
).RecordBatch;
const crc32c: (bytes: Buffer) => number = load('kafkajs/src/protocol/recordBatch/crc32C/index.js');
const encodeMessageSet: (set: object) => Encoder = load('kafkajs/src/protocol/messageSet/index.js');

/** A record batch, as kafkajs's producer writes it. */
export async function recordBatch(options: BatchOptions): Promise<Buffer> {
  const { firstOffset, firstTimestamp, records, producerId = -1 } = options;
  const encoder = await encodeBatch({
    ...options,
    firstOffset: long.fromValue(firstOffset),
    producerId: long.fromValue(producerId),
    maxTimestamp: firstTimestamp + Math.max(0, ...records.map(({ timestampDelta }) => timestampDelta)),
    lastOffsetDelta: options.lastOffsetDelta ?? records.at(-1)?.offsetDelta ?? 0,
    records: records.map((record) => encodeRecord({ ...record })),
  });
  return encoder.buffer;
}

const lengthAt = 8;
const crcAt = 17;
const recordsAt = 61;
const batchPrefixBytes = 12;
const attributesAt = 21;

/** The batch with the checksum of its bytes as they are now. */
export function sealed(batch: Buffer): Buffer {
  const copy = Buffer.from(batch);
  copy.writeUInt32BE(crc32c(copy.subarray(attributesAt)), crcAt);
  return copy;
}

/** Marks a batch by a bit of its attributes. */
export function withAttribute(batch: Buffer, bit: number): Buffer {
  const marked = Buffer.from(batch);
  marked.writeInt16BE(marked.readInt16BE(attributesAt) | bit, attributesAt);
  return sealed(marked);
}

/** A batch that is not compressed, with its records compressed by `compress`, and the number of the codec. */
export async function compressedBatch(
  batch: Buffer,
  codec: number,
  compress: (records: Buffer) => Buffer | Promise<Buffer>,
): Promise<Buffer> {
  const body = await compress(batch.subarray(recordsAt));
  const made = Buffer.concat([batch.subarray(0, recordsAt), body]);
  made.writeInt32BE(made.length - batchPrefixBytes, lengthAt);
  return withAttribute(made, codec);
}

/** The end of a transaction. */
export async function marker(offset: number, producerId: number, aborts: boolean): Promise<Buffer> {
  const key = Buffer.from([0, 0, 0, aborts ? 0 : 1]);
  const record = { offsetDelta: 0, timestampDelta: 0, key, value: Buffer.alloc(6), headers: {} };
  const options = { firstOffset: offset, firstTimestamp: 0, records: [record], producerId, transactional: true };
  return withAttribute(await recordBatch(options), 0x20);
}

/** Messages in the format before Kafka 0.11, at offsets from `firstOffset` on. */
export function oldMessages(
  firstOffset: number,
  messages: readonly { key: Buffer | null; value: Buffer | null; timestamp: number }[],
): Buffer {
  return Buffer.concat(
    messages.map((message, at) => {
      const { buffer } = encodeMessageSet({ messageVersion: 1, compression: 0, entries: [message] });
      buffer.writeBigInt64BE(BigInt(firstOffset + at), 0);
      return buffer;
    }),
  );
}
