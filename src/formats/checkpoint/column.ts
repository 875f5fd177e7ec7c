/**
 * A column of numbers in little room: one that they all are, the distances of whole numbers from the least of them, or the numbers
 * themselves.
 */
export type Column =
  | number
  | Float64Array
  | { readonly least: number; readonly distances: Uint8Array | Uint16Array | Uint32Array };

/** Numbers as a column, exactly. */
export function packed(values: Float64Array): Column {
  if (values.length === 0) return 0;
  let least = values[0]!;
  let greatest = least;
  for (const value of values) {
    if (!Number.isInteger(value) || Object.is(value, -0)) return values.slice();
    if (value < least) least = value;
    else if (value > greatest) greatest = value;
  }
  const range = greatest - least;
  if (range === 0) return least;
  if (range > 0xffffffff) return values.slice();
  const Distances = range > 0xffff ? Uint32Array : range > 0xff ? Uint16Array : Uint8Array;
  return { least, distances: new Distances(values.map((value) => value - least)) };
}

/** The numbers of a column. */
export function unpacked(column: Column, length: number): Float64Array {
  if (typeof column === 'number') return new Float64Array(length).fill(column);
  if (column instanceof Float64Array) return column;
  const values = new Float64Array(column.distances);
  for (let i = 0; i < length; i++) values[i]! += column.least;
  return values;
}
