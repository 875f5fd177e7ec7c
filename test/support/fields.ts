import { isObject, type Json } from '../../src/scoring/json.ts';

/** Field pairs as the definition has them: a map from path to JSON text, written in document order. */
export function flatten(
  value: Json,
  emptyLeaves: boolean,
  prefix = '',
  into: Map<string, string> = new Map(),
): Map<string, string> {
  const entries: [string, Json][] = Array.isArray(value)
    ? value.map((item: Json, i): [string, Json] => [`${prefix}[${i}]`, item])
    : isObject(value)
      ? Object.entries(value).map(([key, field]) => [prefix === '' ? key : `${prefix}.${key}`, field])
      : [];
  const scalar = typeof value !== 'object' || value === null;
  if (scalar) into.set(prefix || '$', typeof value === 'number' ? String(value + 0) : JSON.stringify(value));
  else if (entries.length === 0 && emptyLeaves) into.set(prefix || '$', JSON.stringify(value));
  for (const [path, field] of entries) flatten(field, emptyLeaves, path, into);
  return into;
}

export interface NaiveFields {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  readonly differing: number;
}

/** Comparison of two values as sets of (path, text); an absent prediction misses every field of the reference. */
export function naiveFields(predicted: Json | undefined, reference: Json, emptyLeaves: boolean): NaiveFields {
  const given = predicted === undefined ? new Map<string, string>() : flatten(predicted, emptyLeaves);
  const wanted = flatten(reference, emptyLeaves);
  const shared = [...wanted.keys()].filter((path) => given.has(path));
  const tp = shared.filter((path) => given.get(path) === wanted.get(path)).length;
  return { tp, fp: given.size - tp, fn: wanted.size - tp, differing: shared.length - tp };
}

/** The pooled part of a block. */
export function pooled(sets: readonly NaiveFields[]): Record<string, number | null> {
  const total = (name: 'tp' | 'fp' | 'fn') => sets.reduce((sum, one) => sum + one[name], 0);
  const [tp, fp, fn] = [total('tp'), total('fp'), total('fn')];
  const over = (x: number, n: number) => (n === 0 ? null : x / n);
  return { precision: over(tp, tp + fp), recall: over(tp, tp + fn), f1: over(2 * tp, 2 * tp + fp + fn), tp, fp, fn };
}
