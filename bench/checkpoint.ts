import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileCheckpoints } from '../src/adapters/checkpoint-store/file-checkpoints.ts';
import type { Store } from '../src/state/containers/store.ts';
import { chunkOf, createTable, insertRow, markRow, type Table, valuesAt } from '../src/state/containers/table.ts';
import { storeIn } from '../test/support/folder-store.ts';
import { encodeDelta, encodeSnapshot, restored } from '../test/support/encoded.ts';

const key = { id: 'b', nextOffset: 1, group: 'bench', topic: 'predictions', partition: 0 };

function storeOf(table: Table): Store {
  const none = { dictionaries: new Map(), ids: new Map(), pendingLogs: new Map() };
  return { ...none, header: '', numbers: new Map(), tables: new Map([['rows', table]]) };
}

/** Rows as scoring leaves them: counts, sums with a remainder below 2^53, and zeros. */
function fill(rows: number, values: number): Table {
  const table = createTable(values);
  for (let i = 0; i < rows; i++) {
    const row = insertRow(table, Math.imul(i, 0x9e3779b1) >>> 8, i % 97, 1_760_000_000 + (i % 360), 0);
    write(table, row, i);
  }
  return table;
}

function write(table: Table, row: number, seed: number): void {
  const chunk = chunkOf(table, row);
  const at = valuesAt(table, row);
  for (let v = 0; v < table.values; v++) {
    chunk[at + v] =
      v % 4 === 0 ? 0 : v % 5 === 4 ? (seed * 6_364_136_223_846.5) % 2 ** 53 : (seed * (v + 1)) % (v * 200);
  }
}

/** Times what `prepare` returns, `rounds` times. */
function time(name: string, rounds: number, prepare: () => () => Uint8Array): void {
  const took: number[] = [];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    const run = prepare();
    const start = performance.now();
    bytes = run().length;
    took.push(performance.now() - start);
  }
  report(name, took, bytes);
}

function report(name: string, took: readonly number[], bytes: number): void {
  const sorted = took.slice(1).toSorted((a, b) => a - b);
  const [first, best, median] = [took[0]!, sorted[0]!, sorted[sorted.length >> 1]!].map((ms) => ms.toFixed(1));
  console.log(
    `${name}: first ${first} ms, then ${best} to ${sorted.at(-1)!.toFixed(1)} ms, median ${median} ms; ${(bytes / 1e6).toFixed(2)} MB`,
  );
}

const churning = fill(100_000, 20);
encodeSnapshot(storeOf(churning), key);
time('encodeDelta, 100,000 rows x 20 values', 15, () => {
  for (let row = 0; row < 100_000; row++) markRow(churning, row);
  return () => encodeDelta(storeOf(churning), key, 'a');
});
const large = fill(1_000_000, 12);
time('encodeSnapshot, 1,000,000 rows x 12 values', 5, () => () => encodeSnapshot(storeOf(large), key));
const snapshot = encodeSnapshot(storeOf(large), key);
time('restoreStore of it', 3, () => () => {
  restored([snapshot]);
  return snapshot;
});
await timeSaves(2000);
await timeSaves(100_000);

/** Saves of deltas to a folder of the temporary files' disk: write, flush, rename, flush. */
async function timeSaves(rows: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const none = () => undefined;
  const checkpoints = fileCheckpoints(storeIn(dir), key.group, {
    log: { debug: none, info: none, warn: none, error: none },
  });
  const took: number[] = [];
  let bytes = 0;
  for (let number = 0; number < 20; number++) {
    for (let row = 0; row < rows; row++) markRow(churning, row);
    const base = number === 0 ? undefined : `c${number - 1}`;
    const at = { ...key, id: `c${number}`, nextOffset: number };
    const file = base === undefined ? encodeSnapshot(storeOf(churning), at) : encodeDelta(storeOf(churning), at, base);
    bytes = file.length;
    const start = performance.now();
    await checkpoints.save(key, { id: at.id, base, nextOffset: number, bytes: file });
    took.push(performance.now() - start);
  }
  await checkpoints.close();
  rmSync(dir, { recursive: true });
  report(`save, delta of ${rows} rows`, took, bytes);
}
