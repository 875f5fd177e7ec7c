import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import kafkajs from 'kafkajs';
import { compressFrame } from 'lz4-napi';
import { javaFrame } from './codecs.ts';
import type { TestKafka } from './kafka.ts';
import { withAttribute } from './record-batch.ts';

/** The body of a compressed batch, whose records are zeros: few bytes that stand for many. */
export interface Bomb {
  readonly codec: 'gzip' | 'snappy' | 'lz4' | 'zstd';
  readonly body: Buffer;
  readonly records: number;
}

export type BombForm = 'gzip' | 'snappy' | 'snappy of Java' | 'lz4' | 'zstd';

/** Some records of so many plain bytes together, as a codec writes them. The zstd frame does not say its size. */
export async function bomb(form: BombForm, bytes: number, records = 5): Promise<Bomb> {
  const parts = Array.from({ length: records }, (_, at) => zeroRecord(at, Math.floor(bytes / records)));
  const codec = form === 'snappy of Java' ? 'snappy' : form;
  return { codec, body: await writers[form](parts), records };
}

/** A snappy block of zeros that claims another length than it has. */
export function snappyClaim(claim: number, zeros: number): Buffer {
  return Buffer.concat([groups(claim), ...snappyElements({ head: Buffer.from([0]), zeros })]);
}

/** A record that lies uncompressed in a batch of its own, in the place of such a body, and the batch with that body. */
export interface Forgery {
  readonly value: Buffer;
  /** Puts the body where the record is found, with a right checksum. */
  forge(response: Buffer): void;
}

/** A batch of snappy that no broker takes: its one record gives it a place in the log. */
export function forgery(body: Buffer): Forgery {
  const headBytes = (body.length > 8_200 ? 6 : 4) + 4;
  const value = Buffer.alloc(body.length - headBytes - 1, randomBytes(32));
  return {
    value,
    forge(response) {
      const start = response.indexOf(value) - headBytes - 61;
      if (start < 0) return;
      const batch = response.subarray(start, start + 61 + body.length);
      body.copy(batch, 61);
      withAttribute(batch, 2).copy(batch);
    },
  };
}

/** Writes it to partition 0. The broker reads it as any batch, record by record. */
export async function produceBomb(kafka: TestKafka, topic: string, { codec, body, records }: Bomb): Promise<void> {
  const { CompressionCodecs } = kafkajs;
  const type = ({ gzip: 1, snappy: 2, lz4: 3, zstd: 4 } as const)[codec];
  const usual = CompressionCodecs[type];
  CompressionCodecs[type] = () => ({ compress: async () => body, decompress: async () => Buffer.alloc(0) });
  try {
    await kafka.produce(
      topic,
      Array.from({ length: records }, () => ({ value: '', partition: 0 })),
      codec,
    );
  } finally {
    CompressionCodecs[type] = usual;
  }
}

/** A record, but for the zeros that its end is made of. */
interface ZeroRecord {
  readonly head: Buffer;
  readonly zeros: number;
}

function zeroRecord(offsetDelta: number, valueBytes: number): ZeroRecord {
  const noKey = 1;
  const head = Buffer.concat([
    Buffer.from([0, 0]),
    groups(2 * offsetDelta),
    Buffer.from([noKey]),
    groups(2 * valueBytes),
  ]);
  // The last zero says that there are no headers.
  const zeros = valueBytes + 1;
  return { head: Buffer.concat([groups(2 * (head.length + zeros)), head]), zeros };
}

const writers: Readonly<Record<BombForm, (parts: readonly ZeroRecord[]) => Buffer | Promise<Buffer>>> = {
  gzip: (parts) => Buffer.concat(parts.flatMap(gzipMembers)),
  snappy: (parts) => Buffer.concat([groups(plainBytes(parts)), ...parts.flatMap(snappyElements)]),
  'snappy of Java': (parts) =>
    javaFrame(parts.map((part) => Buffer.concat([groups(plainBytes([part])), ...snappyElements(part)]))),
  lz4: (parts) => compressFrame(Buffer.concat(parts.flatMap(({ head, zeros }) => [head, Buffer.alloc(zeros)]))),
  zstd: (parts) => {
    const blocks = parts.flatMap(zstdBlocks);
    const last = blocks.at(-1)!;
    last[0]! |= 1;
    return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]), ...blocks]);
  },
};

function plainBytes(parts: readonly ZeroRecord[]): number {
  return parts.reduce((sum, { head, zeros }) => sum + head.length + zeros, 0);
}

/** One for the head, and as many for the zeros as it takes. */
function gzipMembers({ head, zeros }: ZeroRecord): Buffer[] {
  const most = 1 << 24;
  const full = gzipSync(Buffer.alloc(most));
  const rest = gzipSync(Buffer.alloc(zeros % most));
  return [gzipSync(head), ...Array.from({ length: Math.floor(zeros / most) }, () => full), rest];
}

/** A literal of the head and a zero, then copies of the byte before. */
function snappyElements({ head, zeros }: ZeroRecord): Buffer[] {
  const copy = (length: number): Buffer => Buffer.from([((length - 1) << 2) | 2, 1, 0]);
  const full = copy(64);
  const [count, rest] = [Math.floor((zeros - 1) / 64), (zeros - 1) % 64];
  const copies = Buffer.alloc(3 * count, full);
  return [Buffer.from([head.length << 2]), head, Buffer.from([0]), copies, ...(rest === 0 ? [] : [copy(rest)])];
}

/** A block of the head as it is, then runs of zeros. */
function zstdBlocks({ head, zeros }: ZeroRecord): Buffer[] {
  const most = 131_072;
  const header = (type: 0 | 1, length: number): Buffer => {
    const bytes = Buffer.alloc(3);
    bytes.writeUIntLE((type << 1) | (length << 3), 0, 3);
    return bytes;
  };
  const run = (length: number): Buffer => Buffer.concat([header(1, length), Buffer.from([0])]);
  const runs = Array.from({ length: Math.floor(zeros / most) }, () => run(most));
  return [Buffer.concat([header(0, head.length), head]), ...runs, run(zeros % most)];
}

/** A number in 7-bit groups, the least first. */
function groups(number: number): Buffer {
  const bytes: number[] = [];
  for (let left = number; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) | 128);
  }
}
