import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { groupBytes } from '../../../src/adapters/local-log/frame.ts';
import { segmentReader } from '../../../src/adapters/local-log/segment-reader.ts';
import { segmentPath } from '../../../src/adapters/local-log/segments.ts';
import { recordsOf } from '../../support/local-log.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Offsets and values from an offset up to `end`. */
async function readFrom(folder: string, offset: number, end: number): Promise<[number, string][]> {
  const reader = segmentReader(folder, offset);
  const read: [number, string][] = [];
  for (let next = offset; next < end; next = read.at(-1)![0] + 1) {
    const batch = await reader.read(end);
    assert.ok('records' in batch && batch.records.length <= 500);
    for (const { offset: at, bytes, start, end: stop } of batch.records)
      read.push([at, Buffer.from(bytes.subarray(start, stop)).toString()]);
  }
  await reader.close();
  return read;
}

test('bytes that were not durable when they were read are read again: others may have taken their place', async (context) => {
  const folder = temporaryFolder(context);
  const path = segmentPath(folder, 0);
  const durable = groupBytes(recordsOf('first', 'second'), 0, 1);
  writeFileSync(path, Buffer.concat([durable, groupBytes(recordsOf('failed', 'failed'), 2, 2)]));
  const reader = segmentReader(folder, 0);
  const values = async (end: number): Promise<string[]> => {
    const batch = await reader.read(end);
    assert.ok('records' in batch);
    return batch.records.map(({ bytes, start, end: stop }) => Buffer.from(bytes.subarray(start, stop)).toString());
  };
  assert.deepEqual(await values(2), ['first', 'second']);
  truncateSync(path, durable.length);
  writeFileSync(path, Buffer.concat([readFileSync(path), groupBytes(recordsOf('third', 'and after it'), 2, 3)]));
  assert.deepEqual(await values(3), ['third']);
  await reader.close();
});

test('from any offset on, whatever the sizes of records and segments', async (context) => {
  const folder = temporaryFolder(context);
  const sizes = [10, 300_000, 20, 1_000_000, ...Array.from({ length: 3_000 }, (_, index) => 100 + (index % 300))];
  const all = sizes.map((size, offset): [number, string] => [offset, `${offset} `.padEnd(size, 'x')]);
  for (const [first, end] of [
    [0, 2],
    [2, 2_500],
    [2_500, all.length],
  ] as const)
    writeFileSync(
      segmentPath(folder, first),
      groupBytes(recordsOf(...all.slice(first, end).map(([, text]) => text)), first, 1),
    );
  for (const offset of [0, 1, 2, 3, 1_234, 2_499, 2_500, all.length - 1])
    assert.ok(isDeepStrictEqual(await readFrom(folder, offset, all.length), all.slice(offset)), `from ${offset}`);
});
