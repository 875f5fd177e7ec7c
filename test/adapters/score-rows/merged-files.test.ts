import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../../src/adapters/log.ts';
import {
  filesBefore,
  forgetFiles,
  restoredFiles,
  type RowStores,
} from '../../../src/adapters/score-rows/written-rows.ts';
import { type EndedFile, manifestName, manifestText, type RowFile } from '../../../src/formats/snapshot/row-files.ts';
import { memoryStore } from '../../support/memory-store.ts';

const key = { group: 'g', topic: 't', partition: 0 };
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(
  (id, at): EndedFile => ({
    ...{ id, name: `scores-t-0-${at}-${id}.arrow`, rows: 3, firstOffset: 3 * at, nextOffset: 3 * at + 3 },
    ...{ scored: 3 * at + 3, endedMs: 1_000 * at, segments: [] },
  }),
) as [EndedFile, EndedFile, EndedFile, EndedFile];

/** Files as an earlier version left them: a and b became one, and that one with c another. */
async function merged(named: readonly EndedFile[]) {
  const [first, second] = [fileOf('ab', b, 6), fileOf('abc', c, 9)];
  const contents = new Map<string, Uint8Array>();
  const [state, files] = [memoryStore(new Map()), memoryStore(contents)];
  const text = manifestText(key, { name: '', nextOffset: named.at(-1)!.nextOffset, files: named });
  await state.write(`g/t/0/${manifestName(named.at(-1)!)}`, Buffer.from(text));
  await files.write(second.name, Buffer.from('rows'));
  const of = { ab: [a.name, b.name], abc: [first.name, c.name] };
  for (const [name, file] of [
    ['ab', first],
    ['abc', second],
  ] as const)
    await files.write(`_merged/g/t/0/${name}.json`, Buffer.from(recordText(file, of[name])));
  const log = createLog({ level: 'error', pretty: false, version: '0' });
  const stores: RowStores = { group: 'g', state, files, about: {}, keepMs: 1e9, nowMs: () => 0, log };
  return { stores, contents, file: second };
}

function fileOf(id: string, { nextOffset, endedMs }: RowFile, rows: number): RowFile {
  return { name: `scores-t-0-${id}.arrow`, rows, nextOffset, endedMs };
}

function recordText({ name, rows, nextOffset, endedMs }: RowFile, of: readonly string[]): string {
  const file = { name, rows, next_offset: nextOffset, ended: new Date(endedMs).toISOString() };
  return JSON.stringify({ format: 'assay.merged/1', file, of });
}

const plain = ({ name, rows, nextOffset, endedMs }: RowFile): RowFile => ({ name, rows, nextOffset, endedMs });

test('files that an earlier version merged count in the place of their parts', async () => {
  const { stores, file } = await merged([a, b, c, d]);
  const found = await restoredFiles(stores, key, { last: d.name, ended: [] });
  assert.deepEqual(found, { files: [file, plain(d)], ended: [] });
  assert.deepEqual(await filesBefore(stores, key, d.nextOffset), [file, plain(d)]);
});

test('a checkpoint that names a merged file as its last, or as ended, finds the file that it became', async () => {
  const { stores, file } = await merged([a, b, c]);
  const found = await restoredFiles(stores, key, { last: b.name, ended: [c, d] });
  assert.deepEqual(found, { files: [file], ended: [d] });
  assert.deepEqual(await restoredFiles(stores, key, { last: undefined, ended: [a, b, c] }), {
    files: [file],
    ended: [],
  });
});

test('a log that is read from its beginning again leaves no merged file', async () => {
  const { stores, contents, file } = await merged([a, b, c]);
  await forgetFiles(stores, key);
  assert.ok(!contents.has(file.name));
});
