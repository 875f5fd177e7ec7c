import type { Json, JsonObject } from './json.ts';
import type { LabelCode } from './label.ts';
import { hashOf } from './similarity.ts';

/** One expected call; its arguments are always an object. */
export interface ExpectedCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** Further equal values: rules by path (only family `match` reads them). */
  readonly accept?: JsonObject;
}

/** The expectation for one example. `undefined` is "not recorded". */
export interface Truth {
  /** Gold decision; never `invalid`. */
  readonly label: LabelCode | undefined;
  /** Tools available, in the same forms as a prediction's (names, or `{name, parameters?}`). */
  readonly tools: readonly Json[] | undefined;
  readonly expected: readonly ExpectedCall[] | undefined;
  /** Other lists of calls that are as right as `expected`, and globs of tools that must not be called; family `match` alone reads them. */
  readonly alternatives?: readonly (readonly ExpectedCall[])[];
  readonly forbidden?: readonly string[];
  readonly reference: Json | undefined;
}

/** Ways in which a row of truth contradicts itself, in the order of every report. */
export const findingKinds = ['label', 'tool', 'arguments', 'rules'] as const;
export type FindingKind = (typeof findingKinds)[number];

/** Numbers of contradictions in rows of truth, by kind. */
export type FindingCounts = Readonly<Record<FindingKind, number>>;

/** The expectation of an example of which nothing is recorded. */
export const nothingRecorded: Truth = {
  label: undefined,
  tools: undefined,
  expected: undefined,
  reference: undefined,
};

/**
 * An immutable version of the truth, addressed by row. Rows are only meaningful together with the table they came from.
 * Implemented over Arrow buffers by `formats/truth/table.ts`; it lives in SharedArrayBuffers, so every thread reads the same one.
 */
export interface TruthTable {
  /** Content hash: equal content, equal version. */
  readonly version: string;
  readonly rows: number;
  /** Identity of its rows, where it lies over other versions: of equal identity, a row number means the same row. Absent: the table itself. */
  readonly rowsOf?: object;
  /** No truth is configured: events do not wait for it. */
  readonly isNone?: true;
  /** Row of an example, or -1. `hash` is the first word of the id's identity, where the caller has it. */
  find(exampleId: string, hash?: number): number;
  /** Gold label of a row, or -1 where the row has none. Cheap: does not build the row. */
  label(row: number): LabelCode | -1;
  /** Number of tools recorded for a row, or -1 where none are recorded. Cheap. */
  toolCount(row: number): number;
  /** The whole row, parsed. Callers keep what they need (`stream/truth-cache.ts`). */
  read(row: number): Truth;
}

/** A 32-bit hash of all that a truth says. */
export function hashOfTruth(fields: { readonly [Key in keyof Truth]?: Truth[Key] | undefined }): number {
  const { label, tools, expected, alternatives, forbidden, reference } = fields;
  const calls = (list: readonly ExpectedCall[] | undefined): Json => (list ?? null) as unknown as Json;
  return hashOf([
    label ?? null,
    tools ?? null,
    calls(expected),
    alternatives?.map(calls) ?? null,
    forbidden ?? null,
    reference ?? null,
  ]);
}
