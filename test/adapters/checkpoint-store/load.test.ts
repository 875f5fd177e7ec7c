import assert from 'node:assert/strict';
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { encodeDelta, encodeSnapshot } from '../../../src/formats/checkpoint/checkpoint.ts';
import type { Store } from '../../../src/state/containers/store.ts';
import { createTable } from '../../../src/state/containers/table.ts';
import { bench, partition, saveMany } from '../../support/checkpoint-bench.ts';
import { createCounting, group } from '../../support/counting-store.ts';
import { knownIn, largeStore, saveChain } from '../../support/large-store.ts';

test('a large state is read in a thread: whole, up to the last intact file, which is named', async (context) => {
  const made = bench(context);
  await saveChain(made, largeStore(), 2);
  assert.ok(statSync(join(made.folder, made.names()[0]!)).size > 2 ** 23);
  const saved = await made.checkpoints.load(partition);
  assert.deepEqual([saved?.id, saved?.files, knownIn(saved)], ['c3', 3, 80_000]);
  appendFileSync(join(made.folder, made.names()[3]!), 'more');
  const other = bench(context, 1000, made.dir);
  const before = await other.checkpoints.load(partition);
  assert.deepEqual([before?.id, before?.files, knownIn(before)], ['c2', 2, 60_000]);
  assert.deepEqual(other.logged, ['checkpoint is damaged: passed over']);
});

test('several are read at once, and a stop ends them', async (context) => {
  const made = bench(context);
  await saveChain(made, largeStore(), 0);
  const loads = Array.from({ length: 30 }, () => made.checkpoints.load(partition));
  assert.deepEqual(
    (await Promise.all(loads)).map((saved) => saved?.id),
    loads.map(() => 'c1'),
  );
  const more = Array.from({ length: 9 }, () => made.checkpoints.load(partition));
  const ended = Promise.allSettled(more);
  await made.checkpoints.close();
  for (const result of await ended) {
    if (result.status === 'rejected') assert.match(String(result.reason), /the service stops|ended with code/);
    else assert.equal(result.value?.id, 'c1');
  }
  assert.ok((await ended).some(({ status }) => status === 'rejected'));
});

test('files that do not follow from one another are said to be so when the state is asked for', async (context) => {
  for (const large of [false, true]) {
    const made = bench(context);
    if (large) await saveChain(made, largeStore(), 0);
    else await saveMany(made, createCounting(), ['c0', 'c1']);
    const { topic, partition: number } = partition;
    const key = { id: 'c2', nextOffset: 9, group, topic, partition: number };
    const other: Store = { ...createCounting().store, tables: new Map([['counts', createTable(5)]]) };
    encodeSnapshot(other, key);
    const bytes = encodeDelta(other, key, 'c1');
    await made.checkpoints.save(partition, { id: 'c2', base: 'c1', nextOffset: 9, bytes });
    const saved = await made.checkpoints.load(partition);
    assert.throws(() => saved!.store(), /dictionary names has|table counts has 5 values a row, 2 before/);
  }
});
