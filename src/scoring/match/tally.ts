import type { AttributionKind } from '../attribution.ts';
import type { Tally } from '../family.ts';
import type { Call } from '../prediction.ts';
import { type ArgumentError, argumentErrors, type CallErrorKind, callErrors } from './kinds.ts';
import { entryOf, matchCells, toolColumns } from './metrics.ts';
import type { CallError } from './errors.ts';
import { unmatchedExpected, unmatchedPredicted } from './matching.ts';
import { anyIndex } from './paths.ts';
import type { Verdict } from './verdict.ts';

const { at } = matchCells;

/** Adds the verdict on one event. */
export function tallyVerdict(verdict: Verdict, into: Tally): void {
  const { correct, list, pairs, expected, predicted, errors, forbidden, repeated, loop } = verdict;
  matchCells.add(into, {
    n: 1,
    correct,
    alternatives: correct && list > 0,
    tp: pairs.length,
    fp: predicted.length - pairs.length,
    fn: expected.length - pairs.length,
    forbidden,
    loops: loop,
    repeated,
  });
  for (const [i] of pairs) into.entry(entryOf.tools, expected[i]!.name, '', toolColumns.matched, 1);
  if (pairs.length < expected.length)
    for (const i of unmatchedExpected(verdict))
      into.entry(entryOf.tools, expected[i]!.name, '', toolColumns.missing, 1);
  if (pairs.length < predicted.length) for (const j of unmatchedPredicted(verdict)) tallyExtra(predicted[j]!, into);
  tallyErrors(errors, into);
  if (loop) for (const { name } of predicted) if (name !== undefined) into.attribute(at.loops, 'tool', name);
}

function tallyExtra({ name }: Call, into: Tally): void {
  if (name !== undefined) into.entry(entryOf.tools, name, '', toolColumns.extra, 1);
}

function tallyErrors(errors: readonly CallError[], into: Tally): void {
  let seen = 0;
  for (const { error, tool, path } of errors) {
    const index = callErrors.indexOf(error);
    into.count(at[error], 1);
    if (!(seen & (1 << index))) into.count(eventCells[index]!, 1);
    seen |= 1 << index;
    if (tool === undefined) continue;
    into.entry(entryOf.tools, tool, '', toolColumns.firstKind + index, 1);
    into.attribute(at.correct, attributionOf[error] ?? 'tool', tool);
    if (error === 'forbidden_call') into.attribute(at.forbidden, 'tool', tool);
    if (path === undefined) continue;
    const argument = anyIndex(path);
    into.entry(entryOf.arguments, tool, argument, argumentErrors.indexOf(error as ArgumentError), 1);
    into.attribute(at.correct, error as ArgumentError, tool, argument);
  }
}

/** Other errors say something of a call that was to be made. */
const attributionOf: Partial<Record<CallErrorKind, AttributionKind>> = {
  missing_call: 'missing_tool',
  extra_call: 'extra_tool',
};

const eventCells = callErrors.map((kind) => at[`${kind}_events`]);
