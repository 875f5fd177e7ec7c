import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFetch } from '../../../src/adapters/kafka/fetch-response.ts';
import { knownGaps } from '../../../src/adapters/kafka/offset-gaps.ts';
import type { FetchedRecords } from '../../../src/adapters/kafka/record-batches.ts';
import { recordBatch } from '../../support/record-batch.ts';

const limit = 1 << 20;
/** Offset of the only topic's partitions, as they were asked for. */
const starts = [0, 300, 64];
const topic = 'predictions';
const request = {
  topics: [{ topic, partitions: starts.map((start, partition) => ({ partition, fetchOffset: String(start) })) }],
};

test('no bit of a response can flip so that a record comes from another place', async () => {
  const sound = response(await Promise.all(starts.map((start) => batches(start, start + 5, start + 10))));
  assert.deepEqual(
    (await read(sound)).map(({ content }) => content?.records.length),
    [15, 15, 15],
  );
  let refused = 0;
  for (let bit = 0; bit < 8 * sound.length; bit++) {
    const damaged = Buffer.from(sound);
    damaged[bit >> 3]! ^= 1 << (bit & 7);
    const all = await read(damaged).catch((error: Error) => {
      assert.equal(error.name, 'DamagedResponse', `bit ${bit}: ${error.stack}`);
      return [];
    });
    if (all.length === 0) refused++;
    for (const { partition, content } of all) assertTrue(partition, content, `bit ${bit}`);
  }
  assert.ok(refused > 100, `${refused} of ${8 * sound.length}`);
});

test('a gap between offsets, as compaction leaves them, is believed when it comes again', async () => {
  const gaps = knownGaps();
  const compacted = response([await batches(0, 7, 20), await batches(290, 295, 300), await batches(64, 69, 74)]);
  const lengths = async (bytes: Buffer): Promise<unknown[]> =>
    (await read(bytes, gaps)).map(({ content }) => content?.records.length);
  assert.deepEqual(await lengths(compacted), [5, undefined, 15]);
  assert.deepEqual(await lengths(compacted), [15, 15, 15]);
  assert.deepEqual(await lengths(response([await batches(0, 7, 22), ...(await none(2))])), [10, undefined, undefined]);
});

test('a partition that was not asked for, or comes twice, is damage', async () => {
  const parts = await none(3);
  await assert.rejects(read(response([...parts, parts[0]!])), /predictions\/3 was not asked for, or comes twice/);
  const twice = response(parts);
  twice.writeInt32BE(1, twice.indexOf(topic) + topic.length + 4);
  await assert.rejects(read(twice), /predictions\/1 was not asked for, or comes twice/);
});

interface Decoded {
  readonly throttleTime: number;
  readonly clientSideThrottleTime: number;
  readonly responses: readonly {
    readonly partitions: readonly { readonly partition: number; readonly messages: readonly FetchedRecords[] }[];
  }[];
}

async function read(bytes: Buffer, gaps = knownGaps()) {
  const { responses, clientSideThrottleTime } = (await decodeFetch(bytes, limit, request, gaps)) as Decoded;
  assert.ok(clientSideThrottleTime <= 10_000);
  return responses.flatMap(({ partitions }) =>
    partitions.map(({ partition, messages }) => ({ partition, content: messages[0] })),
  );
}

/** Records at the offsets that their values name, the first ones of the partition. */
function assertTrue(partition: number, content: FetchedRecords | undefined, name: string): void {
  const start = starts[partition]!;
  const offsets = (content?.records ?? []).map((record) => record.offset);
  const values = (content?.records ?? []).map(({ bytes, start, end }) =>
    Buffer.from(bytes).toString('utf8', start, end),
  );
  assert.deepEqual(
    values,
    offsets.map((offset) => `record ${offset}`),
    name,
  );
  assert.deepEqual(
    offsets,
    offsets.map((_, at) => start + at),
    name,
  );
  assert.equal(content?.nextOffset ?? start, start + offsets.length, name);
}

/** Three batches of five records each, or fewer. */
async function batches(...offsets: number[]): Promise<Buffer> {
  const made = offsets.map((firstOffset) => {
    const records = Array.from({ length: 5 }, (_, at) => ({
      ...{ offsetDelta: at, timestampDelta: 0, key: null, headers: {} },
      value: Buffer.from(`record ${firstOffset + at}`),
    }));
    return recordBatch({ firstOffset, firstTimestamp: 0, records });
  });
  return Buffer.concat(await Promise.all(made));
}

function none(count: number): Promise<Buffer[]> {
  return Promise.all(Array.from({ length: count }, () => batches()));
}

/** Version 11, of one topic, whose partitions are numbered from 0. */
function response(partitions: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(10 + 4 + 2 + topic.length + 4);
  head.writeInt32BE(1, 10);
  head.writeInt16BE(topic.length, 14);
  head.write(topic, 16);
  head.writeInt32BE(partitions.length, head.length - 4);
  const parts = partitions.map((bytes, partition) => {
    const header = Buffer.alloc(4 + 2 + 3 * 8 + 4 + 4 + 4);
    header.writeInt32BE(partition, 0);
    header.writeBigInt64BE(1_000n, 6);
    header.writeInt32BE(-1, 30);
    header.writeInt32BE(-1, 34);
    header.writeInt32BE(bytes.length, 38);
    return Buffer.concat([header, bytes]);
  });
  return Buffer.concat([head, ...parts]);
}
