import { chunkOf, keyColumns, liveRows, type Table, valuesAt } from '../../state/containers/table.ts';
import type { Steps } from '../../state/steps.ts';

/** Live rows in the order of their keys: the same for equal contents, however they came to lie in memory. A pass over them is a step. */
export function* sortedRows(table: Table): Steps<Uint32Array> {
  const rows = Uint32Array.from(liveRows(table));
  const keys = Array.from({ length: keyColumns }, () => new Float64Array(rows.length));
  for (let i = 0; i < rows.length; i++) {
    const chunk = chunkOf(table, rows[i]!);
    const at = valuesAt(table, rows[i]!) - keyColumns;
    for (let c = 0; c < keyColumns; c++) keys[c]![i] = chunk[at + c]!;
  }
  return (yield* orderOf(keys)).map((i) => rows[i]!);
}

/** Places in the order of keys, the first before the others. Those of a column lie within 2^53 of each other. */
function* orderOf(keys: readonly Float64Array[]): Steps<Uint32Array> {
  const { length } = keys[0]!;
  let order: Uint32Array = Uint32Array.from({ length }, (_, place) => place);
  let spare: Uint32Array = new Uint32Array(length);
  const distances = new Float64Array(length);
  for (const column of keys.toReversed()) {
    // Stable passes, least digit first: later columns, done before, decide among equals.
    for (let scale = 1; scale <= measure(column, order, distances); scale *= digits) {
      distribute(order, distances, scale, spare);
      [order, spare] = [spare, order];
      yield;
    }
  }
  return order;
}

const digits = 2048;

/** Distances of keys, taken in an order, from the least; returns the greatest, or 0 where they are sorted already. */
function measure(keys: Float64Array, order: Uint32Array, distances: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  let sorted = true;
  for (let i = 0; i < order.length; i++) {
    const key = keys[order[i]!]!;
    distances[i] = key;
    if (key < least) least = key;
    if (key < greatest) sorted = false;
    else greatest = key;
  }
  if (sorted) return 0;
  for (let i = 0; i < order.length; i++) distances[i]! -= least;
  return greatest - least;
}

function distribute(order: Uint32Array, distances: Float64Array, scale: number, into: Uint32Array): void {
  const starts = new Uint32Array(digits + 1);
  for (let i = 0; i < order.length; i++) starts[digitAt(distances[i]!, scale) + 1]!++;
  for (let digit = 0; digit < digits; digit++) starts[digit + 1]! += starts[digit]!;
  for (let i = 0; i < order.length; i++) into[starts[digitAt(distances[i]!, scale)]!++] = order[i]!;
}

/** Truncation to 32 bits keeps the lowest digit of the quotient. */
function digitAt(distance: number, scale: number): number {
  return Math.floor(distance / scale) & (digits - 1);
}
