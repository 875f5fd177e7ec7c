import { cellNames, type Family, type Mode, type Scored } from './family.ts';
import { compareFields, countFields } from './flatten.ts';
import { type Json, jsonEqual } from './json.ts';
import { flagRate } from './flag-rate.ts';
import { count, type Metrics } from './metric.ts';
import { type Matches, matchCounts, pooledF1, pooledMetrics } from './pooled.ts';
import { jsonOf } from './parse-json.ts';
import type { Output } from './prediction.ts';
import { flag, integer, type RowFields, texts } from './row.ts';

export interface StructuredOptions {
  /** Both modes score alike. */
  readonly mode: Mode;
  /** Empty objects and arrays are fields of their own. */
  readonly emptyLeaves: boolean;
}

export interface StructuredOutcome extends Matches {
  readonly valid: boolean;
  readonly exact: boolean;
  /** Paths on both sides with different text. */
  readonly differing: number;
}

/** The expected answer. An object, since the answer may be `null`. */
interface Reference {
  readonly value: Json;
}

type StructuredSums = Readonly<Record<'n' | 'valid' | 'exact' | 'tp' | 'fp' | 'fn', number>>;

export const structuredMetrics = {
  n: count({ title: 'Events', help: 'Events scored, of which a JSON answer is expected.', of: ({ n }) => n }),
  json_valid_rate: flagRate('valid', 'json_valid', { title: 'Valid JSON', help: 'Answers that parse.' }),
  exact_match_rate: flagRate('exact', 'exact_match', {
    title: 'JSON exact',
    help: 'Answers that deeply equal the expected one.',
    headline: 'JSON exact',
  }),
  ...pooledMetrics('fields'),
  f1: pooledF1('fields'),
  ...matchCounts('fields'),
} satisfies Metrics<StructuredSums>;

const rowFields: RowFields<Scored<Reference, StructuredOutcome>> = {
  json_valid: flag(({ outcome }) => outcome.valid),
  exact_match: flag(({ outcome }) => outcome.exact),
  tp: integer(({ outcome }) => outcome.tp),
  fp: integer(({ outcome }) => outcome.fp),
  fn: integer(({ outcome }) => outcome.fn),
  issues: texts(({ outcome }) => issuesOf(outcome)),
};

/** The part of the family that is the same for all options. */
export const structuredDeclaration = {
  name: 'structured',
  question: 'Which fields of a JSON answer are right?',
  source: 'Fledgling, structured track',
  unit: 'event',
  metrics: structuredMetrics,
  row: rowFields,
  counters: [],
} as const;

/**
 * Field-level precision and recall of a JSON answer (docs/reference/scoring.md, "structured"; Fledgling, structured track). Types are strict; a
 * prediction that does not parse, or is missing, costs every field of the reference.
 *
 * Reference `{"a": 1, "b": 9}`, answer `{"a": 1, "b": 2, "c": 3}`: tp 1, fp 2, fn 1, so precision 1/3, recall 1/2, F1 2/5, with the
 * issues missing_fields (b), extra_fields (b, c) and value_mismatch (b).
 */
export function structured({ emptyLeaves }: StructuredOptions): Family<Reference, StructuredOutcome, StructuredSums> {
  return {
    ...structuredDeclaration,
    cells: cells.kinds,
    breakdowns: [],
    prepare: ({ reference }) => (reference === undefined ? undefined : { value: reference }),
    score: ({ prediction }, { value }) => score(prediction.output, value, emptyLeaves),
    tally: ({ valid, exact, tp, fp, fn }, into) => cells.add(into, { n: 1, valid, exact, tp, fp, fn }),
    verdict: { rank: 1, of: ({ exact }) => exact },
    perfect: (outcome) => outcome.exact,
    sums: cells.read,
    isEmpty: ({ n }) => n === 0,
  };
}

const cells = cellNames({
  n: 'count',
  valid: 'count',
  exact: 'count',
  tp: 'count',
  fp: 'count',
  fn: 'count',
});

function score(output: Output, expected: Json, emptyLeaves: boolean): StructuredOutcome {
  const answer = answerOf(output);
  if (answer === undefined) {
    return { valid: false, exact: false, tp: 0, fp: 0, fn: countFields(expected, emptyLeaves), differing: 0 };
  }
  const { tp, fp, fn, differing } = compareFields(answer, expected, emptyLeaves);
  return { valid: true, exact: jsonEqual(answer, expected), tp, fp, fn, differing };
}

/** The answer, `undefined` where there is none or it is no JSON. */
function answerOf(output: Output): Json | undefined {
  if (output.kind === 'absent') return undefined;
  return output.kind === 'json' ? output.value : jsonOf(output.text);
}

function issuesOf({ valid, exact, fp, fn, differing }: StructuredOutcome): string[] {
  if (!valid) return ['prediction_not_valid_json'];
  if (exact) return [];
  const found: [boolean, string][] = [
    [fn > 0, 'missing_fields'],
    [fp > 0, 'extra_fields'],
    [differing > 0, 'value_mismatch'],
  ];
  return found.flatMap(([holds, issue]) => (holds ? [issue] : []));
}
