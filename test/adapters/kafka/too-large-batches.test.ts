import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { compressFrame } from 'lz4-napi';
import { compress as snappy } from 'snappy';
import { type FetchedRecords, readBatches } from '../../../src/adapters/kafka/record-batches.ts';
import type { Measured } from '../../support/batch-reader.ts';
import { registerCodecs, xerialFrame, zstdFrame } from '../../support/codecs.ts';
import { compressedBatch, recordBatch } from '../../support/record-batch.ts';

registerCodecs();

const limit = 1 << 20;
const batchReader = fileURLToPath(new URL('../../support/batch-reader.js', import.meta.url));

const codecs = [
  { name: 'gzip', codec: 1, compress: (bytes: Buffer) => gzipSync(bytes) },
  { name: 'snappy', codec: 2, compress: (bytes: Buffer) => snappy(bytes) },
  { name: 'snappy as the Java library frames it', codec: 2, compress: xerialFrame },
  { name: 'lz4', codec: 3, compress: (bytes: Buffer) => compressFrame(bytes) },
  { name: 'zstd', codec: 4, compress: zstdFrame },
];

for (const { name, codec, compress } of codecs) {
  test(`${name}: a batch of more plain bytes than the limit is not read, its records are known, and it is no problem`, async () => {
    const before = await batchOf(5, [Buffer.from('good')]);
    const bomb = await compressedBatch(await batchOf(6, zeros(32)), codec, compress);
    assert.ok(bomb.length < 8 * limit);
    const { records, nextOffset: reached, problem, unread, growth } = measured(Buffer.concat([before, bomb, before]));
    assert.deepEqual([records, reached, problem], [1, 6, undefined]);
    const { firstOffset, count, nextOffset, unread: refusal } = unread!;
    assert.deepEqual([firstOffset, count, nextOffset], [6, 32, 38]);
    assert.equal(refusal.code, 'too_large');
    assert.match(refusal.detail, /offsets 6 to 37 \(32 records\) has more than 1048576 bytes.*limits\.batch_bytes/);
    assert.ok(growth < 16 * limit, `${growth} bytes for 32 MiB`);
  });

  test(`${name}: exactly the limit is read, one byte less than the records is not`, async () => {
    const plain = await batchOf(0, [random(limit >> 1), random(limit >> 2)]);
    const size = plain.length - 61;
    const batch = await compressedBatch(plain, codec, compress);
    assert.equal((await read(batch, size))?.records.length, 2);
    assert.equal((await read(batch, size - 1))?.unread?.count, 2);
  });
}

test('what is decompressed of one response is bounded: the rest is left to the next fetch', async () => {
  const batches = await Promise.all(
    [0, 1, 2, 3].map(async (offset) => compressedBatch(await batchOf(offset, [random(400_000)]), 1, gzipSync)),
  );
  const fetched = await read(Buffer.concat(batches), limit);
  assert.deepEqual([fetched?.nextOffset, fetched?.problem, fetched?.unread], [3, undefined, undefined]);
});

const claims = [
  { name: 'a snappy block that claims 4 GB', codec: 2, body: Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0]) },
  {
    name: 'a zstd frame that claims 2^60 bytes and a window as large',
    codec: 4,
    body: Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0x09, 0, 0, 0x61]),
  },
  {
    name: 'a zstd frame with a window of 3.75 TB',
    codec: 4,
    body: Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0xff, 0x09, 0, 0, 0x61]),
  },
  {
    name: 'an lz4 frame whose block is larger than the frame allows',
    codec: 3,
    body: Buffer.concat([
      Buffer.from([4, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82, 8, 1, 0, 0, 0x1f, 0x61, 1, 0]),
      Buffer.alloc(256, 0xff),
      Buffer.from([0, 0x50, 0x61, 0x61, 0x61, 0x61, 0x61, 0, 0, 0, 0]),
    ]),
  },
];

for (const { name, codec, body } of claims) {
  test(`${name}: is no reason to allocate it`, async () => {
    const { records, nextOffset, problem, unread, growth } = measured(
      await compressedBatch(await batchOf(0, [Buffer.from('x')]), codec, () => body),
    );
    assert.deepEqual([records, nextOffset], [0, undefined]);
    assert.ok(problem !== undefined || unread !== undefined);
    assert.ok(growth < 16 * limit, `${growth} bytes`);
  });
}

function read(bytes: Buffer, batchBytes: number): Promise<FetchedRecords | undefined> {
  return readBatches(bytes, [], { batchBytes, left: batchBytes });
}

/** What a process of its own reads, and by how much its memory grows for it. */
function measured(bytes: Buffer): Measured {
  const { stdout, stderr } = spawnSync(process.execPath, [batchReader, String(limit)], {
    input: bytes,
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as Measured;
}

function batchOf(firstOffset: number, values: readonly Buffer[]): Promise<Buffer> {
  const records = values.map((value, offsetDelta) => ({
    offsetDelta,
    timestampDelta: 0,
    key: null,
    value,
    headers: {},
  }));
  return recordBatch({ firstOffset, firstTimestamp: 0, records });
}

function zeros(count: number): Buffer[] {
  return Array.from({ length: count }, () => Buffer.alloc(limit));
}

function random(length: number): Buffer {
  return Buffer.from(Uint8Array.from({ length }, (_, at) => Math.imul(at + 1, 2654435761) >>> 13));
}
