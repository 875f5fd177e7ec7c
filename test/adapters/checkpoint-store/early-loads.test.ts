import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EarlyLoads, loadEarly } from '../../../src/adapters/checkpoint-store/early-loads.ts';
import { loadThreads } from '../../../src/adapters/checkpoint-store/load-threads.ts';
import { type Bench, bench, partition, saveMany } from '../../support/checkpoint-bench.ts';
import { createCounting, group } from '../../support/counting-store.ts';
import { knownIn, largeStore, saveChain } from '../../support/large-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const other = { ...partition, partition: 5 };

function early(context: TestContext, dir: string): EarlyLoads {
  const loads = loadEarly(dir, group);
  context.after(() => loads.threads.close());
  return loads;
}

function folderOf({ folder }: Bench, number: number): string {
  return join(dirname(folder), String(number));
}

test('a large state is there before it is asked for, and is what a load gives', async (context) => {
  const made = bench(context);
  await saveChain(made, largeStore(), 1);
  const taken = await early(context, made.dir).take(made.folder);
  assert.deepEqual([taken?.files.length, taken?.fulls, taken?.names], [2, 2, made.names()]);
  const again = bench(context, 1000, made.dir, early(context, made.dir));
  const saved = await again.checkpoints.load(partition);
  assert.deepEqual([saved?.id, saved?.files, knownIn(saved)], ['c2', 2, 60_000]);
});

test('a state to which another process has added since is loaded anew', async (context) => {
  const made = bench(context);
  const store = largeStore();
  await saveChain(made, store, 0);
  const threads = loadThreads();
  const loaded: Promise<unknown>[] = [];
  const load = (folder: string): ReturnType<typeof threads.load> => {
    const loading = threads.load(folder);
    loaded.push(loading);
    return loading;
  };
  const loads = loadEarly(made.dir, group, { ...threads, load });
  const again = bench(context, 1000, made.dir, loads);
  await until('the load has begun', () => loaded.length === 1);
  await loaded[0];
  writeFileSync(join(made.folder, made.names()[0]!.replace(/^(.*)c0(.*)$/, '$1c9$2')), 'another full state');
  assert.equal(await loads.take(made.folder), undefined);
  assert.equal((await again.checkpoints.load(partition))?.id, 'c1');
});

test('one state for each processor is loaded early, the last written first; what nobody asks for with the first is let go', async (context) => {
  const made = bench(context);
  await saveChain(made, largeStore(), 0);
  await saveChain(made, largeStore(), 0, other);
  const [earlier, last] = [folderOf(made, 4), folderOf(made, 5)];
  const both = early(context, made.dir);
  const taken = await Promise.all([earlier, last].map((folder) => both.take(folder)));
  assert.equal(taken.filter((found) => found?.files.length === 1).length, Math.min(2, availableParallelism()));
  const one = early(context, made.dir);
  assert.notEqual(await one.take(last), undefined);
  await nextTurn();
  assert.equal(await one.take(earlier), undefined);
});

test('of the states written to last, the largest are loaded first, early or not', async (context) => {
  const made = bench(context);
  const sizes = [
    [4, 1],
    [5, 3],
    [6, 2],
  ] as const;
  for (const [number, changes] of sizes)
    await saveChain(made, largeStore(), changes, { ...partition, partition: number });
  const begun: string[] = [];
  const threads = loadThreads();
  context.after(() => threads.close());
  loadEarly(made.dir, group, {
    ...threads,
    async load(folder) {
      begun.push(basename(folder));
      return threads.load(folder);
    },
  });
  const expected = ['5', '6', '4'].slice(0, availableParallelism());
  await until('the loads have begun', () => begun.length === expected.length);
  assert.deepEqual(begun, expected);
});

test('small states, and those written to long before the last, are not loaded early', async (context) => {
  const made = bench(context);
  await saveChain(made, largeStore(), 0);
  await saveChain(made, largeStore(), 0, other);
  const earlier = new Date(Date.now() - 120_000);
  utimesSync(made.folder, earlier, earlier);
  const loads = early(context, made.dir);
  const [old, last] = await Promise.all([loads.take(made.folder), loads.take(folderOf(made, 5))]);
  assert.deepEqual([old, last?.files.length], [undefined, 1]);
  const small = bench(context);
  await saveMany(small, createCounting(), ['a', 'b']);
  assert.equal(await early(context, small.dir).take(small.folder), undefined);
});

test('where there is no state, or what is no state, nothing is loaded early', async (context) => {
  const dir = temporaryFolder(context);
  assert.equal(await early(context, dir).take(join(dir, 'x')), undefined);
  const made = bench(context, 1000, dir);
  mkdirSync(dirname(dirname(made.folder)), { recursive: true });
  writeFileSync(dirname(made.folder), 'no folder');
  assert.equal(await early(context, dir).take(made.folder), undefined);
});
