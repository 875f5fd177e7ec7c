import type { Scored } from '../family.ts';
import { flag, integer, json, place, type RowFields, structs, text } from '../row.ts';
import type { CallError } from './errors.ts';
import { callErrors } from './kinds.ts';
import { matchCells, matchMetrics, matchSums } from './metrics.ts';
import type { Demand, Verdict } from './verdict.ts';

/** A truth row as the family reads it. */
export interface MatchPrepared {
  readonly demand: () => Demand;
  /** The row has no tools: defaults are those of the event's tools. */
  readonly asksEvent: boolean;
}

const errorFields: RowFields<CallError> = {
  error: text(({ error }) => error, callErrors),
  tool: text(({ tool }) => tool ?? null),
  expected_call: place(({ expectedCall }) => expectedCall ?? null),
  predicted_call: place(({ predictedCall }) => predictedCall ?? null),
  path: text(({ path }) => path ?? null),
  expected: json(({ expected }) => expected ?? null),
  actual: json(({ actual }) => actual ?? null),
  rule: json(({ rule }) => rule?.written ?? null),
};

const rowFields: RowFields<Scored<MatchPrepared, Verdict>> = {
  correct: flag(({ outcome }) => outcome.correct),
  list: integer(({ outcome }) => outcome.list),
  expected: integer(({ outcome }) => outcome.expected.length),
  predicted: integer(({ outcome }) => outcome.predicted.length),
  matched: integer(({ outcome }) => outcome.pairs.length),
  errors: structs(({ outcome }) => outcome.errors, errorFields),
  repeated_calls: integer(({ outcome }) => outcome.repeated),
  loop: flag(({ outcome }) => outcome.loop),
};

/** The part of the family that is the same for all options. */
export const matchDeclaration = {
  name: 'match',
  question: 'Are the calls right by the rules that the truth states?',
  source: 'the rules of the truth; profiles after BFCL, agentevals and ADK',
  unit: 'event',
  metrics: matchMetrics,
  row: rowFields,
  counters: [],
  cells: matchCells.kinds,
  sums: matchSums,
} as const;
