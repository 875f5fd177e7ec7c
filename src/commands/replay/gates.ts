import {
  type BasisProblem,
  basisProblems,
  evaluateGate,
  type Expected,
  type FeedbackUse,
  type Gate,
  gateMessage,
  gateProblem,
  type GateResult,
  parseGate,
} from '../../view/gate.ts';
import { isProblem, type SummaryGroups } from '../../view/summary-lookup.ts';
import type { Config } from '../../config/config.ts';
import { declarations } from '../../scoring/families.ts';
import { UsageError } from '../../errors.ts';
import { printable } from '../../terminal/terminal-text.ts';

/** Reads the gates before any work is done. A gate that can never hold is refused, as is one of numbers or groups that will not be. */
export function parseGates(texts: readonly string[], config: Config): Gate[] {
  const options = config.metrics as unknown as Expected['options'];
  const expected: Expected = { families: enabledFamilies(config), sets: config.slices, options };
  return texts.map((text) => {
    const gate = parseGate(text);
    const problem = isProblem(gate) ? gate : gateProblem(gate, expected);
    if (problem !== undefined) throw new UsageError(problem.problem);
    return gate as Gate;
  });
}

/** The gates with their numbers. */
export interface GateResults {
  readonly results: readonly GateResult[];
  /** The problems of all gates on metrics: where there is one, none of them holds. */
  readonly basis: readonly BasisProblem[];
  readonly hold: boolean;
}

/** Evaluates gates on a summary, and on how much of the feedback counts; `allowUnread`: whatever was not read. */
export function evaluateGates(
  gates: readonly Gate[],
  document: SummaryGroups,
  { feedback, allowUnread = false }: { readonly feedback?: FeedbackUse | undefined; readonly allowUnread?: boolean },
): GateResults {
  const results = gates.map((gate) => {
    const result = evaluateGate(gate, document);
    if (isProblem(result)) throw new UsageError(result.problem);
    return result;
  });
  const basis = allowUnread ? [] : basisProblems(gates, document, feedback);
  return { results, basis, hold: basis.length === 0 && results.every(({ holds }) => holds) };
}

/** A line for each gate, with its value, interval, bound and counts. */
export function gateLines({ results, basis }: GateResults): string {
  const lines = [...results.map((result) => printable(gateMessage(result))), ...basis.map(({ text }) => `✗ ${text}`)];
  return lines.map((line) => `gate ${line}\n`).join('');
}

function enabledFamilies({ metrics }: Config): readonly string[] {
  const settings = metrics as Readonly<Record<string, unknown>>;
  return declarations
    .map(({ name }) => name)
    .filter((name) => (settings[name] as { enabled?: boolean } | undefined)?.enabled !== false);
}
