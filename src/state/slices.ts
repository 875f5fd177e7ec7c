import { codeOf, createDictionary, type Dictionary } from './containers/dictionary.ts';
import type { LimitHits } from './limit-hits.ts';
import type { Settings } from './settings.ts';

/** Values of the dimensions, `model` first; null: not read then. */
export type SliceValues = readonly [model: string, ...others: (string | null)[]];

/** The name under which names beyond a limit are counted, for good. */
export const other = '__other__';

/**
 * Finest slices: tuples of the values of all dimensions, as JSON arrays by slice code. A value is null where the dimension was not read yet, never
 * of `model`.
 */
export interface Slices {
  readonly dictionary: Dictionary;
  readonly most: number;
  readonly limitHits: LimitHits;
}

/** The slices of a dictionary. */
export function createSlices(
  { limits }: Settings,
  limitHits: LimitHits,
  dictionary: Dictionary = createDictionary(),
): Slices {
  return { dictionary, most: limits.slices, limitHits };
}

/** Code of a tuple of values; the tuple of `__other__` once the limit is reached. */
export function sliceCode({ dictionary, most, limitHits }: Slices, values: readonly (string | null)[]): number {
  const text = JSON.stringify(values);
  const known = dictionary.codes.get(text);
  if (known !== undefined) return known;
  if (dictionary.list.length < most) return codeOf(dictionary, text);
  limitHits.slices++;
  return codeOf(dictionary, JSON.stringify(values.map(() => other)));
}

/** Values of a slice. */
export function sliceValues({ dictionary }: Slices, slice: number): SliceValues {
  return JSON.parse(dictionary.list[slice]!) as SliceValues;
}
