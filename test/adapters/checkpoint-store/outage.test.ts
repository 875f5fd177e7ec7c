import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { folderName } from '../../../src/formats/checkpoint/names.ts';
import { bench, bestId, partition, saveMany, saveNext } from '../../support/checkpoint-bench.ts';
import { advance, createCounting, takeCheckpoint } from '../../support/counting-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('what a dead process left half written is removed, what a living one writes is not', async (context) => {
  const made = bench(context);
  await saveMany(made, createCounting(), ['a']);
  const host = folderName(hostname());
  const dead = Number(execFileSync(process.execPath, ['-p', 'process.pid']));
  const leftovers = [`.tmp-${host}-${dead}-abc-def`, `.tmp-${host}-${process.pid}-000000-def`];
  const living = [`.tmp-${host}-${process.ppid}-abc-def`, `.tmp-elsewhere-${dead}-abc-def`, 'notes.txt'];
  for (const name of [...leftovers, ...living]) writeFileSync(join(made.folder, name), 'half');
  assert.equal(await bestId(bench(context, 1000, made.dir)), 'a');
  assert.deepEqual(made.names(), [...living, '0000000000000003.a.snapshot'].sort());
});

test('a folder that cannot be written: save rejects with the code and the place, and a later one succeeds', async (context) => {
  const made = bench(context);
  const counting = createCounting();
  await saveMany(made, counting, ['a', 'b']);
  advance(counting, 9);
  const file = takeCheckpoint(counting, partition, 'c', false);
  chmodSync(made.dir, 0o777);
  chmodSync(made.folder, 0o555);
  // Root may write anywhere: be somebody else for a moment.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid!(65534);
  try {
    await assert.rejects(made.checkpoints.save(partition, file), (error: NodeJS.ErrnoException) => {
      return error.code === 'EACCES' && error.message.includes(made.folder);
    });
  } finally {
    if (isRoot) process.seteuid!(0);
    chmodSync(made.folder, 0o755);
  }
  assert.equal(await bestId(made), 'b');
  await made.checkpoints.save(partition, file);
  assert.equal(await bestId(made), 'c');
});

test('a file in the place of the state folder is an outage, for load too', async (context) => {
  const dir = join(temporaryFolder(context), 'state');
  writeFileSync(dir, '');
  const made = bench(context, 1000, dir);
  await assert.rejects(saveNext(made, createCounting(), 'a'), { code: 'ENOTDIR' });
  await assert.rejects(made.checkpoints.load(partition), { code: 'ENOTDIR' });
});

test('a full disk: save rejects, leaves nothing behind and succeeds once there is room', async (context) => {
  const dir = temporaryFolder(context);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', dir], { stdio: 'ignore' });
  } catch {
    context.skip('SKIPPED: a full disk needs a small tmpfs, and mounting one needs root');
    return;
  }
  try {
    const made = bench(context, 1000, dir);
    const counting = createCounting();
    await saveMany(made, counting, ['a', 'b']);
    const ballast = join(dir, 'ballast');
    assert.throws(() => writeFileSync(ballast, Buffer.alloc(2 ** 20)), { code: 'ENOSPC' });
    advance(counting, 9000);
    const file = takeCheckpoint(counting, partition, 'c', false);
    await assert.rejects(made.checkpoints.save(partition, file), {
      code: 'ENOSPC',
      message: /no checkpoint can be written to .*: ENOSPC[^;]* in .*; the disk is full: make room there$/,
    });
    assert.equal(made.names().length, 2, 'no half file stays');
    assert.equal(await bestId(made), 'b');
    rmSync(ballast);
    await made.checkpoints.save(partition, file);
    assert.equal(await bestId(made), 'c');
    await made.checkpoints.close();
  } finally {
    execFileSync('umount', [dir]);
  }
});

test('bytes of another checkpoint are refused before they are written', async (context) => {
  const made = bench(context);
  const counting = createCounting();
  const file = takeCheckpoint(counting, partition, 'a', true);
  await assert.rejects(made.checkpoints.save(partition, { ...file, nextOffset: 5 }), /holds another one/);
  await assert.rejects(made.checkpoints.save({ topic: 'x', partition: 4 }, file), /holds another one/);
});
