import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listFolder } from '../../../src/adapters/checkpoint-store/state-folder.ts';
import {
  type Bench,
  bench,
  bestId,
  groupFolder,
  partition,
  saveMany,
  saveNext,
} from '../../support/checkpoint-bench.ts';
import { advance, createCounting, resume, takeCheckpoint } from '../../support/counting-store.ts';
import { ofFormat } from '../../support/encoded.ts';
import { until } from '../../support/until.ts';

test('the first two saves are snapshots, then deltas; the last one is restored', async (context) => {
  const made = bench(context);
  assert.equal(await made.saved(), undefined);
  const counting = createCounting();
  await saveMany(made, counting, ['a', 'b', 'c', 'd']);
  assert.deepEqual(made.names(), [
    '0000000000000003.a.snapshot',
    '0000000000000006.b.snapshot',
    '0000000000000009.c.b.delta',
    '0000000000000012.d.c.delta',
  ]);
  assert.equal(await bestId(made), 'd');
  const other = bench(context, 1000, made.dir);
  const saved = await other.saved();
  assert.equal(saved?.files, 3, 'b, c and d');
  assert.equal(other.checkpoints.wantsSnapshot(partition), false, 'two snapshots are there already');
  await saveNext(other, resume(saved!), 'e');
  assert.equal(await bestId(other), 'e');
  assert.equal(await other.saved({ topic: 'predictions', partition: 5 }), undefined);
});

test('two owners grow two branches; the one further ahead wins, and neither prunes it', async (context) => {
  const first = bench(context, 3);
  const counting = createCounting();
  await saveMany(first, counting, ['a', 'b', 'c']);
  const second = bench(context, 3, first.dir);
  const ahead = resume((await second.saved())!);
  for (let i = 0; i < 9; i++) {
    await saveNext(second, ahead, `s${i}`, 10);
    await saveNext(first, counting, `f${i}`, 1);
    assert.equal(await bestId(bench(context, 3, first.dir)), `s${i}`);
  }
  const done = ({ logged }: Bench) => logged.filter((line) => line === 'checkpoints compacted').length;
  await until('the second is compacted', () => done(second) >= 1);
  assert.equal(await bestId(bench(context, 3, first.dir)), 's8');
  // The first, which is behind, catches up: it is restored as soon as it is ahead, on whatever was pruned from under it.
  for (let i = 9; i < 20; i++) await saveNext(first, counting, `f${i}`, 30);
  assert.equal(await bestId(bench(context, 3, first.dir)), 'f19');
  assert.ok(![...first.logged, ...second.logged].some((line) => /damaged|tried again/.test(line)));
  // Its hook runs after the folder's, which is that of the first.
  await second.checkpoints.close();
});

test('an owner whose files were pruned or dropped from under it saves a snapshot again', async (context) => {
  const made = bench(context);
  const counting = createCounting();
  await saveMany(made, counting, ['a', 'b', 'c']);
  await made.store.removeFolder(made.path);
  assert.equal(await bestId(bench(context, 1000, made.dir)), undefined);
  assert.deepEqual(readdirSync(join(made.dir, groupFolder, 'predictions')), []);
  await saveNext(made, counting, 'd');
  assert.equal(made.checkpoints.wantsSnapshot(partition), true, 'd hangs from c, which is gone');
  await saveNext(made, counting, 'e');
  assert.equal(await bestId(made), 'e');
});

test('a chain that no longer restores stops compaction, not saving', async (context) => {
  const made = bench(context, 3);
  const counting = createCounting();
  await saveMany(made, counting, ['a', 'b', 'c', 'd']);
  writeFileSync(join(made.folder, '0000000000000009.c.b.delta'), 'torn');
  await saveMany(made, counting, ['e', 'f']);
  await until('it says so', () => made.logged.includes('checkpoints do not compact: the next one is a snapshot'));
  assert.equal(made.checkpoints.wantsSnapshot(partition), true);
  await saveNext(made, counting, 'g');
  assert.equal(await bestId(made), 'g');
});

test('snapshots alone do not pile up', async (context) => {
  const made = bench(context);
  const counting = createCounting();
  for (let number = 1; number <= 12; number++) {
    advance(counting, counting.nextOffset + 1);
    await made.checkpoints.save(partition, takeCheckpoint(counting, partition, `i${number}`, true));
    if (number < 3) continue;
    await until('they are compacted', () => made.logged.length === number - 2);
    assert.equal(made.names().length, 2);
    assert.equal(await bestId(made), `i${number}`);
  }
});

test('a folder with checkpoints of another format is refused with the remedies, until it is dropped', async (context) => {
  const made = bench(context);
  await saveMany(made, createCounting(), ['a', 'b']);
  const path = join(made.folder, '0000000000000006.b.snapshot');
  writeFileSync(path, ofFormat(readFileSync(path), 2));
  const message = /at 6 \(b\) has format 2, this release reads 4; .* kafka.group_id, .*--rebuild/;
  await assert.rejects(bench(context, 1000, made.dir).saved(), message);
  await assert.rejects(listFolder(made.store, made.path), message);
  await made.store.removeFolder(made.path);
  assert.equal(await made.saved(), undefined);
});
