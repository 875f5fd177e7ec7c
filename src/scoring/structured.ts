import { cellNames, type Family, type Mode } from './family.ts';
import { compareFields, type Fields, fieldsOf } from './flatten.ts';
import { type Json, jsonEqual } from './json.ts';
import type { Output } from './prediction.ts';
import { f1Of, ratio } from './reading.ts';

export interface StructuredOptions {
  /** Both modes score alike. */
  readonly mode: Mode;
  /** Empty objects and arrays are fields of their own. */
  readonly emptyLeaves: boolean;
}

export interface StructuredOutcome {
  readonly valid: boolean;
  readonly exact: boolean;
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
  /** Paths on both sides with different text. */
  readonly differing: number;
}

/**
 * Field-level precision and recall of a JSON answer (spec: metrics, section 7; Fledgling, structured track). Types are strict; a
 * prediction that does not parse, or is missing, costs every field of the reference.
 *
 * Reference `{"a": 1, "b": 9}`, answer `{"a": 1, "b": 2, "c": 3}`: tp 1, fp 2, fn 1, so precision 1/3, recall 1/2, F1 2/5, with the
 * issues missing_fields (b), extra_fields (b, c) and value_mismatch (b).
 */
export function structured(options: StructuredOptions): Family<Fields, StructuredOutcome> {
  return {
    name: 'structured',
    cells: kinds,
    breakdowns: [],
    prepare: ({ reference }) => (reference === undefined ? undefined : fieldsOf(reference, options.emptyLeaves)),
    score: ({ prediction }, reference) => score(prediction.output, reference),
    tally(outcome, into) {
      into.count(at.n, 1);
      if (outcome.valid) into.count(at.valid, 1);
      if (outcome.exact) into.count(at.exact, 1);
      into.count(at.tp, outcome.tp);
      into.count(at.fp, outcome.fp);
      into.count(at.fn, outcome.fn);
    },
    perfect: (outcome) => outcome.exact,
    row: (outcome) => row(outcome),
    read(cells, rate) {
      const n = cells.count(at.n);
      if (n === 0) return null;
      const [tp, fp, fn] = [cells.count(at.tp), cells.count(at.fp), cells.count(at.fn)];
      return {
        n,
        json_valid_rate: rate(cells.count(at.valid), n),
        exact_match_rate: rate(cells.count(at.exact), n),
        precision: ratio(tp, tp + fp),
        recall: ratio(tp, tp + fn),
        f1: f1Of(tp, fp, fn),
        tp,
        fp,
        fn,
      };
    },
  };
}

const { kinds, at } = cellNames({
  n: 'count',
  valid: 'count',
  exact: 'count',
  tp: 'count',
  fp: 'count',
  fn: 'count',
});

function score(output: Output, reference: Fields): StructuredOutcome {
  const answer = answerOf(output);
  if (answer === undefined) return { valid: false, exact: false, tp: 0, fp: 0, fn: reference.count, differing: 0 };
  const exact = jsonEqual(answer, reference.value);
  // Objects that are deeply equal can still write the leaves of one path in another order.
  if (exact && reference.plain) return { valid: true, exact, tp: reference.count, fp: 0, fn: 0, differing: 0 };
  return { valid: true, exact, ...compareFields(answer, reference) };
}

/** The answer, `undefined` where there is none or it is no JSON. */
function answerOf(output: Output): Json | undefined {
  if (output.kind === 'absent') return undefined;
  if (output.kind === 'json') return output.value;
  try {
    return JSON.parse(output.text) as Json;
  } catch {
    return undefined;
  }
}

function row({ valid, exact, tp, fp, fn, differing }: StructuredOutcome): Json {
  return { json_valid: valid, exact_match: exact, tp, fp, fn, issues: issuesOf() };

  function issuesOf(): string[] {
    if (!valid) return ['prediction_not_valid_json'];
    if (exact) return [];
    const found: [boolean, string][] = [
      [fn > 0, 'missing_fields'],
      [fp > 0, 'extra_fields'],
      [differing > 0, 'value_mismatch'],
    ];
    return found.flatMap(([holds, issue]) => (holds ? [issue] : []));
  }
}
