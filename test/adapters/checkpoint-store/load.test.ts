import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../../src/state/containers/store.ts';
import { createTable } from '../../../src/state/containers/table.ts';
import { bench, partition, saveMany } from '../../support/checkpoint-bench.ts';
import { createCounting, group } from '../../support/counting-store.ts';
import { encodeDelta, encodeSnapshot } from '../../support/encoded.ts';

test('files that do not follow from one another are refused', async (context) => {
  const made = bench(context);
  await saveMany(made, createCounting(), ['c0', 'c1']);
  const key = { id: 'c2', nextOffset: 9, group, ...partition };
  const other: Store = { ...createCounting().store, tables: new Map([['counts', createTable(5)]]) };
  encodeSnapshot(other, key);
  const bytes = encodeDelta(other, key, 'c1');
  await made.checkpoints.save(partition, { id: 'c2', base: 'c1', nextOffset: 9, bytes });
  await assert.rejects(made.saved(), /dictionary names has|table counts has 5 values a row, 2 before/);
});
