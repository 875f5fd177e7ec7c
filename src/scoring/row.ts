import type { Json } from './json.ts';

/**
 * A field of a score row: its type, and how it is read from a scored event (`R`). The row as JSON, its JSON Schema and its Arrow columns
 * follow from these records.
 */
export type RowField<R> =
  | { readonly kind: 'flag'; of(scored: R): boolean }
  | { readonly kind: 'count' | 'number'; of(scored: R): number }
  | { readonly kind: 'place'; of(scored: R): number | null }
  | { readonly kind: 'text'; of(scored: R): string | null; readonly values?: readonly string[] }
  | { readonly kind: 'texts'; of(scored: R): readonly string[]; readonly values?: readonly string[] }
  | { readonly kind: 'json'; of(scored: R): Json }
  | { readonly kind: 'struct'; of(scored: R): unknown; readonly fields: RowFields<unknown> }
  | { readonly kind: 'structs'; of(scored: R): readonly unknown[]; readonly fields: RowFields<unknown> };

export type RowFields<R> = Readonly<Record<string, RowField<R>>>;

/** True or false. */
export const flag = <R>(of: (scored: R) => boolean): RowField<R> => ({ kind: 'flag', of });
/** An integer. */
export const integer = <R>(of: (scored: R) => number): RowField<R> => ({ kind: 'count', of });
/** A position in a list, from 0; null where there is none. */
export const place = <R>(of: (scored: R) => number | null): RowField<R> => ({ kind: 'place', of });
/** A fraction. */
export const fraction = <R>(of: (scored: R) => number): RowField<R> => ({ kind: 'number', of });
/** A text, or null; one of `values` where they are given. */
export const text = <R>(of: (scored: R) => string | null, values?: readonly string[]): RowField<R> => ({
  kind: 'text',
  of,
  ...(values && { values }),
});
/** Texts. */
export const texts = <R>(of: (scored: R) => readonly string[], values?: readonly string[]): RowField<R> => ({
  kind: 'texts',
  of,
  ...(values && { values }),
});
/** Any JSON value. */
export const json = <R>(of: (scored: R) => Json): RowField<R> => ({ kind: 'json', of });

/** Fields of a part. */
export function struct<R, Part>(of: (scored: R) => Part, fields: RowFields<Part>): RowField<R> {
  return { kind: 'struct', of, fields };
}

/** A list of parts. */
export function structs<R, Part>(of: (scored: R) => readonly Part[], fields: RowFields<Part>): RowField<R> {
  return { kind: 'structs', of, fields };
}

/** The fields of one scored event, as JSON. */
export function readRow<R>(fields: RowFields<R>, scored: R): Record<string, Json> {
  const row: Record<string, Json> = {};
  for (const key in fields) row[key] = readField(fields[key]!, scored);
  return row;
}

function readField<R>(field: RowField<R>, scored: R): Json {
  if (field.kind === 'struct') return readRow(field.fields, field.of(scored));
  if (field.kind === 'structs') return field.of(scored).map((part) => readRow(field.fields, part));
  return field.of(scored) as Json;
}
