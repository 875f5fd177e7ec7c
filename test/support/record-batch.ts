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

const attributesAt = 21;

/** Marks a batch by a bit of its attributes. */
export function withAttribute(batch: Buffer, bit: number): Buffer {
  const marked = Buffer.from(batch);
  marked.writeInt16BE(marked.readInt16BE(attributesAt) | bit, attributesAt);
  return marked;
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
