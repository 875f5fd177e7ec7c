import {
  evaluateGate,
  type Expected,
  type Gate,
  gateMessage,
  gateProblem,
  type GateResult,
  parseGate,
  unreadProblem,
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
  /** The problem of all gates on metrics, where too many records have calls that nothing read: then none of them holds. */
  readonly unread: string | undefined;
  readonly hold: boolean;
}

/** Evaluates gates on a summary. */
export function evaluateGates(gates: readonly Gate[], document: SummaryGroups, allowUnread = false): GateResults {
  const results = gates.map((gate) => {
    const result = evaluateGate(gate, document);
    if (isProblem(result)) throw new UsageError(result.problem);
    return result;
  });
  const unread = allowUnread ? undefined : unreadProblem(gates, document);
  return { results, unread, hold: unread === undefined && results.every(({ holds }) => holds) };
}

/** A line for each gate, with its value, interval, bound and counts. */
export function gateLines({ results, unread }: GateResults): string {
  const lines = results.map((result) => `gate ${printable(gateMessage(result))}\n`);
  return [...lines, ...(unread === undefined ? [] : [`gate ✗ ${unread}\n`])].join('');
}

function enabledFamilies({ metrics }: Config): readonly string[] {
  const settings = metrics as Readonly<Record<string, unknown>>;
  return declarations
    .map(({ name }) => name)
    .filter((name) => (settings[name] as { enabled?: boolean } | undefined)?.enabled !== false);
}
