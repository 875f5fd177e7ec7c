import { crc32 } from 'node:zlib';
import { type CheckpointKey, encode, type Head, restoreStore } from '../../src/formats/checkpoint/checkpoint.ts';
import { saveIds } from '../../src/formats/checkpoint/containers.ts';
import type { Store } from '../../src/state/containers/store.ts';
import { chunkOf, keyColumns, liveRows, type Table, valuesAt } from '../../src/state/containers/table.ts';
import { finish } from '../../src/state/steps.ts';

export function encodeSnapshot(store: Store, key: CheckpointKey): Uint8Array {
  return finish(encode(store, key, undefined));
}

export function encodeDelta(store: Store, key: CheckpointKey, base: string): Uint8Array {
  return finish(encode(store, key, base));
}

export function restored(files: readonly Uint8Array[]): { readonly store: Store; readonly head: Head } {
  return finish(restoreStore(files));
}

/** What a store holds: strictly equal for equal contents, whatever its history. Spoils its record of changed ids. */
export function contentsOf(store: Store): unknown {
  return {
    header: store.header,
    numbers: sorted(store.numbers),
    dictionaries: sorted(store.dictionaries).map(([name, { list }]) => [name, list]),
    tables: sorted(store.tables).map(([name, table]) => [name, table.values, rowsOf(table)]),
    ids: sorted(store.ids).map(([name, ids]) => [name, finish(saveIds(ids, true))]),
    pendingLogs: sorted(store.pendingLogs).map(([name, { next, texts }]) => [name, next, sorted(texts)]),
  };
}

/** Rows by their keys. A key of -0 is found as 0: it is the same. */
function rowsOf(table: Table): Float64Array[] {
  const rows = liveRows(table).map((row) => {
    const at = valuesAt(table, row);
    const cells = chunkOf(table, row).slice(at - keyColumns, at + table.values);
    for (let i = 0; i < keyColumns; i++) cells[i]! += 0;
    return cells;
  });
  return rows.sort((a, b) => a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]! || a[3]! - b[3]!);
}

function sorted<Key extends string | number, Value>(map: ReadonlyMap<Key, Value>): [Key, Value][] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** An intact file of another format. */
export function ofFormat(file: Uint8Array, format: number): Uint8Array {
  const bytes = Buffer.from(file);
  bytes.writeUInt32LE(format, 8);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  return bytes;
}
