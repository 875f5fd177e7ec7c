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
  return { least, distances: inLeastWidth(distancesFrom(least, values), range) };
}

function distancesFrom(least: number, values: Float64Array): Float64Array {
  const distances = new Float64Array(values.length);
  for (let i = 0; i < values.length; i++) distances[i] = values[i]! - least;
  return distances;
}

/** Each width at a place of its own: V8 compiles a place for one of them, and gives up what it compiled at another. */
function inLeastWidth(distances: Float64Array, range: number): Uint8Array | Uint16Array | Uint32Array {
  if (range > 0xffff) return new Uint32Array(distances);
  return range > 0xff ? new Uint16Array(distances) : new Uint8Array(distances);
}

/** The numbers of a column. */
export function unpacked(column: Column, length: number): Float64Array {
  if (typeof column === 'number') return new Float64Array(length).fill(column);
  if (column instanceof Float64Array) return column;
  const values = new Float64Array(column.distances);
  for (let i = 0; i < length; i++) values[i]! += column.least;
  return values;
}
