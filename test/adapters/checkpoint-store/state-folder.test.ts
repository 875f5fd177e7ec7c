import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileCheckpoints } from '../../../src/adapters/checkpoint-store/file-checkpoints.ts';
import {
  findPartition,
  listFolder,
  listState,
  statePartitions,
} from '../../../src/adapters/checkpoint-store/state-folder.ts';
import type { TopicPartition } from '../../../src/ports.ts';
import { advance, createCounting, takeCheckpoint } from '../../support/counting-store.ts';
import { storeIn } from '../../support/folder-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const none = () => undefined;
const log = { debug: none, info: none, warn: none, error: none };

/** Four checkpoints of a partition: a and b snapshots, c and d deltas, ten records apart. */
async function fill(dir: string, group: string, partition: TopicPartition): Promise<void> {
  const checkpoints = fileCheckpoints(storeIn(dir), group, { log });
  const counting = createCounting();
  for (const [number, id] of ['a', 'b', 'c', 'd'].entries()) {
    advance(counting, counting.nextOffset + 10);
    await checkpoints.save(partition, takeCheckpoint(counting, partition, id, number < 2));
  }
  await checkpoints.close();
}

async function lines(dir: string): Promise<unknown[]> {
  const found = [];
  for await (const line of listState(storeIn(dir))) found.push(JSON.parse(line));
  return found;
}

test('list: a line a checkpoint, valid where it can be restored', async (context) => {
  const dir = temporaryFolder(context);
  await fill(dir, 'g', { topic: 'b', partition: 10 });
  await fill(dir, 'g', { topic: 'b', partition: 2 });
  await fill(dir, 'g', { topic: '.a', partition: 0 });
  writeFileSync(`${dir}/dead-letters.ndjson`, '{}\n');
  mkdirSync(`${dir}/g/b/other`);
  const all = await lines(dir);
  assert.equal(all.length, 12);
  assert.deepEqual(
    all.map((line) => Object.values(line as object).slice(0, 4)),
    [
      ['.a', 0],
      ['b', 2],
      ['b', 10],
    ].flatMap(([topic, partition]) => [10, 20, 30, 40].map((at) => [topic, partition, at, true])),
  );
  assert.deepEqual(Object.keys(all[0]!), ['topic', 'partition', 'next_offset', 'valid', 'bytes']);
});

test('list: damage to a file takes what builds on it', async (context) => {
  const dir = temporaryFolder(context);
  await fill(dir, 'g', { topic: 't', partition: 0 });
  const [partition] = await statePartitions(storeIn(dir));
  const valid = async () => (await listFolder(storeIn(dir), partition!.folder)).map((file) => file.valid);
  const [a, , c] = await listFolder(storeIn(dir), partition!.folder);
  writeFileSync(join(dir, c!.path), '');
  assert.deepEqual(await valid(), [true, true, false, false]);
  writeFileSync(join(dir, a!.path), 'ASSAYCUT');
  assert.deepEqual(await valid(), [false, true, false, false]);
  assert.equal((await listFolder(storeIn(dir), partition!.folder))[0]!.bytes, 8);
});

test('drop: by topic and number, by number where one topic has it, by group where several have it', async (context) => {
  const dir = temporaryFolder(context);
  for (const [group, topic, partition] of [
    ['g', 't', 0],
    ['g', 't', 1],
    ['g', 'u', 1],
    ['h', 'u', 1],
  ] as const) {
    await fill(dir, group, { topic, partition });
  }
  const folderOf = async (name: string) => (await findPartition(storeIn(dir), name)).folder;
  assert.equal(await folderOf('0'), 'g/t/0');
  assert.equal(await folderOf('t/1'), 'g/t/1');
  assert.equal(await folderOf('h/u/1'), 'h/u/1');
  await assert.rejects(findPartition(storeIn(dir), '1'), /--partition 1 means several in .*g\/t\/1, g\/u\/1, h\/u\/1/);
  await assert.rejects(findPartition(storeIn(dir), 'u/1'), /several/);
  await assert.rejects(
    findPartition(storeIn(dir), 't/7'),
    /no such partition, only g\/t\/0, g\/t\/1, g\/u\/1, h\/u\/1/,
  );
  const found = await findPartition(storeIn(dir), '0');
  await storeIn(dir).removeFolder(found.folder);
  assert.equal(existsSync(join(dir, found.folder)), false);
  assert.equal(existsSync(join(dir, dirname(found.folder))), true);
  assert.equal((await lines(dir)).length, 12);
  await assert.rejects(findPartition(storeIn(dir), '0'), /no such/);
});

test('a state folder that is not there is an error that names it', async () => {
  await assert.rejects(
    statePartitions(storeIn('/nowhere/state')),
    /^Error: \/nowhere\/state is no state folder: ENOENT/,
  );
});
