import assert from 'node:assert/strict';
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTable, insertRow } from '../../src/state/containers/table.ts';

const megabyte = 1 << 20;

test('memory that the state takes brings about no full collections', async (context) => {
  let collections = 0;
  const note = (entries: readonly PerformanceEntry[]): void => {
    for (const { detail } of entries as readonly { readonly detail?: { readonly kind: number } }[])
      if (detail!.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections++;
  };
  const observer = new PerformanceObserver((list) => note(list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const table = createTable(1_020);
  const rows = (512 * megabyte) / (8 * table.stride);
  for (let row = 0; row < rows; row++) {
    insertRow(table, row, 0, 0, 0);
    if (row % 2_000 === 0) await sleep(1);
  }
  await sleep(1);
  note(observer.takeRecords());
  observer.disconnect();
  context.diagnostic(`${collections} full collections for 512 MB`);
  // One for each 64 MB, where V8 counts them.
  assert.ok(collections < 4, `${collections}`);
});
