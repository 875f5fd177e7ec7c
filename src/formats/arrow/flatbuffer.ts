/**
 * Reads flatbuffers that may be damaged. A DataView refuses what lies outside of it, with a RangeError; the lengths of vectors, which
 * others loop over, are checked here. (https://flatbuffers.dev/internals)
 */

/** The table that the bytes begin with. */
export function rootTable(view: DataView): number {
  return follow(view, 0);
}

/** Position of field `index` of a table; 0 where the table does not have it. */
export function fieldAt(view: DataView, table: number, index: number): number {
  const vtable = table - view.getInt32(table, true);
  const entry = 4 + 2 * index;
  if (entry >= view.getUint16(vtable, true)) return 0;
  const offset = view.getUint16(vtable + entry, true);
  return offset === 0 ? 0 : table + offset;
}

/** A number of 64 bits in a field; 0 where it is absent. */
export function longIn(view: DataView, table: number, index: number): number {
  const at = fieldAt(view, table, index);
  return at === 0 ? 0 : longAt(view, at);
}

/** A number of 64 bits that counts something: neither negative nor above 2^53. */
export function longAt(view: DataView, at: number): number {
  const value = Number(view.getBigInt64(at, true));
  if (value < 0 || value > Number.MAX_SAFE_INTEGER) throw new RangeError(`a length of ${value}`);
  return value;
}

/** The table that a field refers to; 0 where it is absent. */
export function tableIn(view: DataView, table: number, index: number): number {
  const at = fieldAt(view, table, index);
  return at === 0 ? 0 : follow(view, at);
}

/** Positions of the items of a vector, each of so many bytes. */
export function itemsIn(view: DataView, table: number, index: number, itemBytes: number): readonly number[] {
  const vector = tableIn(view, table, index);
  if (vector === 0) return [];
  return Array.from({ length: countOf(view, vector, itemBytes) }, (_, at) => vector + 4 + at * itemBytes);
}

/** Positions of the tables of a vector of tables. */
export function tablesIn(view: DataView, table: number, index: number): readonly number[] {
  return itemsIn(view, table, index, 4).map((at) => follow(view, at));
}

/** The text of a field; empty where it is absent. */
export function textIn(view: DataView, table: number, index: number): string {
  const text = tableIn(view, table, index);
  if (text === 0) return '';
  const bytes = new Uint8Array(view.buffer, view.byteOffset + text + 4, countOf(view, text, 1));
  return new TextDecoder().decode(bytes.slice());
}

function countOf(view: DataView, vector: number, itemBytes: number): number {
  const count = view.getUint32(vector, true);
  if (vector + 4 + count * itemBytes > view.byteLength) throw new RangeError('a vector runs beyond its message');
  return count;
}

function follow(view: DataView, at: number): number {
  return at + view.getUint32(at, true);
}
