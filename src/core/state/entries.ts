import { hitLimit, type PartitionState } from './partition.ts';
import { other } from './slices.ts';
import { chunkOf, liveRows, markRow, rowOf, valuesAt } from './table.ts';
import { codeOf } from './texts.ts';

/** Adds the breakdown entries of the contribution in hand to a slice. Breakdowns are kept for window `all` only. */
export function tallyEntries(state: PartitionState, slice: number): void {
  for (const { breakdown, key, subkey, column, amount } of state.derived.contribution.entries) {
    const [first, second] = keyCodes(state, breakdown, key, subkey);
    add(state, slice, breakdown, first, second, column, amount);
  }
}

/** Adds to one key of a stability histogram of a slice; histograms are numbered behind the families' breakdowns. */
export function tallyHistogram(
  state: PartitionState,
  slice: number,
  histogram: number,
  key: number,
  amount: number,
): void {
  add(state, slice, state.settings.layout.breakdownCount + histogram, key, 0, 0, amount);
}

/** Makes the index of known keys again after a restore. */
export function indexEntries(state: PartitionState): void {
  const { entries, derived, names, settings } = state;
  for (const keys of derived.breakdownKeys) keys.clear();
  derived.breakdownSizes.fill(0);
  for (const row of liveRows(entries)) {
    const chunk = chunkOf(entries, row);
    const at = valuesAt(entries, row);
    const breakdown = chunk[at - 3]!;
    if (breakdown >= settings.layout.breakdownCount) continue;
    const first = chunk[at - 2]!;
    const second = chunk[at - 1]!;
    learn(state, breakdown, names.list[first]!, names.list[second]!, [first, second]);
  }
}

function add(
  state: PartitionState,
  slice: number,
  breakdown: number,
  first: number,
  second: number,
  column: number,
  amount: number,
): void {
  const { entries } = state;
  const row = rowOf(entries, slice, breakdown, first, second);
  chunkOf(entries, row)[valuesAt(entries, row) + column]! += amount;
  markRow(entries, row);
}

function keyCodes(state: PartitionState, breakdown: number, key: string, subkey: string): readonly [number, number] {
  const known = state.derived.breakdownKeys[breakdown]!.get(key)?.get(subkey);
  if (known !== undefined) return known;
  const full = state.derived.breakdownSizes[breakdown]! >= state.settings.limits.names;
  if (full && key !== other) {
    hitLimit(state, 'names');
    return keyCodes(state, breakdown, other, subkey === '' ? '' : other);
  }
  const codes = [codeOf(state.names, key), codeOf(state.names, subkey)] as const;
  learn(state, breakdown, key, subkey, codes);
  return codes;
}

function learn(
  state: PartitionState,
  breakdown: number,
  key: string,
  subkey: string,
  codes: readonly [number, number],
): void {
  const keys = state.derived.breakdownKeys[breakdown]!;
  const subkeys = keys.get(key) ?? new Map<string, readonly [number, number]>();
  if (subkeys.has(subkey)) return;
  keys.set(key, subkeys.set(subkey, codes));
  state.derived.breakdownSizes[breakdown]! += 1;
}
