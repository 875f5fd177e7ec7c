import { getOrPut } from './containers/get-or-put.ts';
import type { Entry, Place } from './row-layout.ts';
import { hitLimit } from './limit-hits.ts';
import type { PartitionState } from './partition.ts';
import { other } from './slices.ts';
import { chunkOf, liveRows, markRow, rowOf, valuesAt } from './containers/table.ts';
import { codeOf } from './containers/dictionary.ts';

/** Adds the breakdown entries of the contribution in hand to a slice. Breakdowns are kept for window `all` only. */
export function tallyEntries(state: PartitionState, slice: number): void {
  const { entries, derived } = state;
  for (const entry of derived.contribution.entries) {
    const place = entry.place?.owner === state ? entry.place : placeOf(state, entry);
    let row = place.rows[slice];
    if (row === undefined) {
      row = rowOf(entries, slice, entry.breakdown, place.first, place.second);
      place.rows[slice] = row;
    }
    chunkOf(entries, row)[valuesAt(entries, row) + entry.column]! += entry.amount;
    markRow(entries, row);
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
  const { entries, settings } = state;
  const row = rowOf(entries, slice, settings.layout.breakdownCount + histogram, key, 0);
  chunkOf(entries, row)[valuesAt(entries, row)]! += amount;
  markRow(entries, row);
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
    learn(state, breakdown, names.list[first]!, names.list[second]!, first, second);
  }
}

/** The place of an entry, new where its key was unknown; the one of `__other__` once the limit is reached. */
function placeOf(state: PartitionState, entry: Entry): Place {
  const { breakdown, key, subkey } = entry;
  const known = state.derived.breakdownKeys[breakdown]!.get(key)?.get(subkey);
  const full = known === undefined && state.derived.breakdownSizes[breakdown]! >= state.settings.limits.names;
  if (full && key !== other) {
    hitLimit(state, 'names');
    return placeOf(state, { ...entry, key: other, subkey: subkey === '' ? '' : other });
  }
  entry.place = known ?? learn(state, breakdown, key, subkey, codeOf(state.names, key), codeOf(state.names, subkey));
  return entry.place;
}

function learn(
  state: PartitionState,
  breakdown: number,
  key: string,
  subkey: string,
  first: number,
  second: number,
): Place {
  const keys = state.derived.breakdownKeys[breakdown]!;
  const places = getOrPut(keys, key, () => new Map<string, Place>());
  const known = places.get(subkey);
  if (known !== undefined) return known;
  const place: Place = { owner: state, first, second, rows: [] };
  places.set(subkey, place);
  state.derived.breakdownSizes[breakdown]! += 1;
  return place;
}
