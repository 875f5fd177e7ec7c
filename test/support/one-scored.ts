import { type Layout, scoredSlot } from '../../src/state/row-layout.ts';

/** A row in which one event is scored, and no family counts it. */
export function oneScored({ width }: Layout): Float64Array {
  const row = new Float64Array(width);
  row[scoredSlot] = 1;
  return row;
}
