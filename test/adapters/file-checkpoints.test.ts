import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type FileCheckpoints, fileCheckpoints } from '../../src/adapters/file-checkpoints.ts';
import { folderName } from '../../src/codec/checkpoint-names.ts';
import type { CheckpointFile, Log } from '../../src/ports.ts';
import { advance, type Counting, createCounting, cut, group, isRight, resume } from '../support/counting-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const partition = { topic: 'predictions', partition: 4 };
const groupFolder = 'a%20group%2Fof%20%22one%22';

interface Bench {
  readonly dir: string;
  readonly folder: string;
  readonly checkpoints: FileCheckpoints;
  /** Messages logged. */
  readonly logged: string[];
  /** File names of the partition. */
  names(): string[];
}

function bench(context: TestContext, compactAfterFiles = 1000, givenDir?: string): Bench {
  // Hooks run in the order of their making: compaction ends before its folder goes.
  context.after(() => checkpoints.close());
  const dir = givenDir ?? temporaryFolder(context);
  const logged: string[] = [];
  const write = (_fields: object, message: string) => void logged.push(message);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const checkpoints = fileCheckpoints(dir, group, { log, compactAfterFiles });
  const folder = join(dir, groupFolder, 'predictions', '4');
  return { dir, folder, checkpoints, logged, names: () => readdirSync(folder).sort() };
}

/** Saves the state `progress` records further on, full where the store asks for it. */
async function saveNext({ checkpoints }: Bench, counting: Counting, id: string, progress = 3): Promise<CheckpointFile> {
  advance(counting, counting.nextOffset + progress);
  const file = cut(counting, partition, id, checkpoints.wantsFull(partition));
  await checkpoints.save(partition, file);
  return file;
}

async function saveMany(made: Bench, counting: Counting, ids: readonly string[]): Promise<void> {
  for (const id of ids) await saveNext(made, counting, id);
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    assert.ok(Date.now() < deadline, `waited 30 s for ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function bestId({ checkpoints }: Bench): Promise<string | undefined> {
  const files = await checkpoints.load(partition);
  if (files !== undefined) assert.ok(isRight(files), `${files.at(-1)!.id} restores another state`);
  return files?.at(-1)?.id;
}

test('the first two saves are full states, then changes; the last one is restored', async (context) => {
  const made = bench(context);
  assert.equal(await made.checkpoints.load(partition), undefined);
  const counting = createCounting();
  await saveMany(made, counting, ['a', 'b', 'c', 'd']);
  assert.deepEqual(made.names(), [
    '0000000000000003.a.full',
    '0000000000000006.b.full',
    '0000000000000009.c.b.changes',
    '0000000000000012.d.c.changes',
  ]);
  assert.equal(await bestId(made), 'd');
  const other = bench(context, 1000, made.dir);
  const files = await other.checkpoints.load(partition);
  assert.deepEqual(
    files?.map(({ id }) => id),
    ['b', 'c', 'd'],
  );
  assert.equal(other.checkpoints.wantsFull(partition), false, 'two full states are there already');
  await saveNext(other, resume(files!), 'e');
  assert.equal(await bestId(other), 'e');
  assert.equal(await other.checkpoints.load({ topic: 'predictions', partition: 5 }), undefined);
});

test('a file cut anywhere, or with any bit flipped, or gone: the cut before is restored', async (context) => {
  const made = bench(context);
  await saveMany(made, createCounting(), ['a', 'b', 'c', 'd', 'e']);
  const before = ['e', 'a', 'b', 'c', 'd'];
  for (const [number, name] of made.names().entries()) {
    const path = join(made.folder, name);
    const whole = readFileSync(path);
    const isFound = async (what: string) => {
      const files = await made.checkpoints.load(partition);
      assert.equal(files?.at(-1)?.id, before[number], `${name} ${what}`);
    };
    for (let length = 0; length < whole.length; length++) {
      writeFileSync(path, whole.subarray(0, length));
      await isFound(`cut to ${length}`);
    }
    for (let i = 0; i < 500; i++) {
      const flipped = Buffer.from(whole);
      const bit = Math.floor(Math.random() * whole.length * 8);
      flipped[bit >> 3]! ^= 1 << (bit & 7);
      writeFileSync(path, flipped);
      await isFound(`with bit ${bit} flipped`);
    }
    rmSync(path);
    await isFound('gone');
    assert.equal(await bestId(made), before[number]);
    mkdirSync(path);
    await isFound('a folder');
    rmSync(path, { recursive: true });
    writeFileSync(path, Buffer.concat([whole, whole]));
    await isFound('twice as long');
    writeFileSync(path, whole);
  }
  assert.equal(await bestId(made), 'e');
  assert.ok(made.logged.includes('checkpoint is damaged: passed over'));
});

test('a file under the name or in the folder of another is not believed', async (context) => {
  const made = bench(context);
  await saveMany(made, createCounting(), ['a', 'b']);
  const [own, other] = ['0000000000000006.b.full', '0000000000000900.b.full'].map((name) => join(made.folder, name));
  renameSync(own!, other!);
  assert.equal(await bestId(made), 'a');
  renameSync(other!, own!);
  assert.equal(await bestId(made), 'b');
  renameSync(made.folder, join(made.dir, groupFolder, 'predictions', '5'));
  assert.equal(await made.checkpoints.load({ topic: 'predictions', partition: 5 }), undefined);
});

test('compaction writes what the chain says, and no damaged file, whichever, leaves nothing', async (context) => {
  const made = bench(context, 3);
  const counting = createCounting();
  let compacted = 0;
  for (let number = 0; number < 24; number++) {
    await saveNext(made, counting, `i${number}`);
    // Full states i0 and i1; the fourth change after the newest full state starts a compaction.
    if (number >= 5 && number % 4 === 1) {
      compacted++;
      await until(() => made.logged.filter((line) => line === 'checkpoints compacted').length === compacted);
      assert.ok(made.names().some((name) => name.endsWith(`.i${number}.full`)));
    }
    if (number === 0) continue;
    for (const name of made.names()) {
      const path = join(made.folder, name);
      const whole = readFileSync(path);
      const torn = Buffer.from(whole);
      torn[whole.length >> 1]! ^= 1;
      writeFileSync(path, torn);
      assert.notEqual(await bestId(bench(context, 3, made.dir)), undefined, `after i${number} without ${name}`);
      writeFileSync(path, whole);
    }
    assert.equal(await bestId(bench(context, 3, made.dir)), `i${number}`);
    assert.ok(made.names().length <= 12, `${made.names().length} files`);
  }
  assert.equal(compacted, 5);
  const fulls = made.names().filter((name) => name.endsWith('.full'));
  assert.deepEqual(
    fulls.map((name) => name.split('.')[1]),
    ['i17', 'i21'],
  );
});

test('two owners grow two branches; the one further ahead wins, and neither prunes it', async (context) => {
  const first = bench(context, 3);
  const counting = createCounting();
  await saveMany(first, counting, ['a', 'b', 'c']);
  const second = bench(context, 3, first.dir);
  const files = await second.checkpoints.load(partition);
  const ahead = resume(files!);
  for (let i = 0; i < 9; i++) {
    await saveNext(second, ahead, `s${i}`, 10);
    await saveNext(first, counting, `f${i}`, 1);
    assert.equal(await bestId(bench(context, 3, first.dir)), `s${i}`);
  }
  const done = ({ logged }: Bench) => logged.filter((line) => line === 'checkpoints compacted').length;
  await until(() => done(second) >= 1);
  assert.equal(await bestId(bench(context, 3, first.dir)), 's8');
  // The first, which is behind, catches up: it is restored as soon as it is ahead, on whatever was pruned from under it.
  for (let i = 9; i < 20; i++) await saveNext(first, counting, `f${i}`, 30);
  assert.equal(await bestId(bench(context, 3, first.dir)), 'f19');
  assert.ok(![...first.logged, ...second.logged].some((line) => /damaged|tried again/.test(line)));
});

test('an owner whose files were pruned or dropped from under it saves a full state again', async (context) => {
  const made = bench(context);
  const counting = createCounting();
  await saveMany(made, counting, ['a', 'b', 'c']);
  await bench(context, 1000, made.dir).checkpoints.drop(partition);
  assert.equal(await bestId(bench(context, 1000, made.dir)), undefined);
  assert.deepEqual(readdirSync(join(made.dir, groupFolder, 'predictions')), []);
  await saveNext(made, counting, 'd');
  assert.equal(made.checkpoints.wantsFull(partition), true, 'd hangs from c, which is gone');
  await saveNext(made, counting, 'e');
  assert.equal(await bestId(made), 'e');
});

test('a chain that no longer restores stops compaction, not saving', async (context) => {
  const made = bench(context, 3);
  const counting = createCounting();
  await saveMany(made, counting, ['a', 'b', 'c', 'd']);
  writeFileSync(join(made.folder, '0000000000000009.c.b.changes'), 'torn');
  await saveMany(made, counting, ['e', 'f']);
  await until(() => made.logged.includes('checkpoints do not compact: the next one is a full state'));
  assert.equal(made.checkpoints.wantsFull(partition), true);
  await saveNext(made, counting, 'g');
  assert.equal(await bestId(made), 'g');
});

test('full states alone do not pile up', async (context) => {
  const made = bench(context);
  const counting = createCounting();
  for (let number = 1; number <= 12; number++) {
    advance(counting, counting.nextOffset + 1);
    await made.checkpoints.save(partition, cut(counting, partition, `i${number}`, true));
    if (number % 3 > 0) continue;
    await until(() => made.logged.length === number / 3);
    assert.equal(made.names().length, 2);
    assert.equal(await bestId(made), `i${number}`);
  }
});

test('what a dead process left half written is removed, what a living one writes is not', async (context) => {
  const made = bench(context);
  await saveMany(made, createCounting(), ['a']);
  const host = folderName(hostname());
  const dead = Number(execFileSync(process.execPath, ['-p', 'process.pid']));
  const leftovers = [`.tmp-${host}-${dead}-abc-def`, `.tmp-${host}-${process.pid}-000000-def`];
  const living = [`.tmp-${host}-${process.ppid}-abc-def`, `.tmp-elsewhere-${dead}-abc-def`, 'notes.txt'];
  for (const name of [...leftovers, ...living]) writeFileSync(join(made.folder, name), 'half');
  assert.equal(await bestId(bench(context, 1000, made.dir)), 'a');
  assert.deepEqual(made.names(), [...living, '0000000000000003.a.full'].sort());
});

test('a folder that cannot be written: save rejects with the code and the place, and a later one succeeds', async (context) => {
  const made = bench(context);
  const counting = createCounting();
  await saveMany(made, counting, ['a', 'b']);
  advance(counting, 9);
  const file = cut(counting, partition, 'c', false);
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
    const file = cut(counting, partition, 'c', false);
    await assert.rejects(made.checkpoints.save(partition, file), { code: 'ENOSPC' });
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

test('bytes of another cut are refused before they are written', async (context) => {
  const made = bench(context);
  const counting = createCounting();
  const file = cut(counting, partition, 'a', true);
  await assert.rejects(made.checkpoints.save(partition, { ...file, nextOffset: 5 }), /holds another cut/);
  await assert.rejects(made.checkpoints.save({ topic: 'x', partition: 4 }, file), /holds another cut/);
});
