import {
  evaluateGate,
  type Expected,
  type Gate,
  gateMessage,
  gateProblem,
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

/**
 * Prints a line for each gate, with its value, interval, bound and counts. The exit status: 0, or 3 where one does not hold. A gate on a metric
 * holds of nothing where too many records have calls that nothing read.
 */
export function finishGates(gates: readonly Gate[], document: SummaryGroups, allowUnread = false): number {
  const results = gates.map((gate) => {
    const result = evaluateGate(gate, document);
    if (isProblem(result)) throw new UsageError(result.problem);
    return result;
  });
  for (const result of results) process.stderr.write(`gate ${printable(gateMessage(result))}\n`);
  const unread = allowUnread ? undefined : unreadProblem(gates, document);
  if (unread !== undefined) process.stderr.write(`gate ✗ ${unread}\n`);
  return unread === undefined && results.every(({ holds }) => holds) ? 0 : 3;
}

function enabledFamilies({ metrics }: Config): readonly string[] {
  const settings = metrics as Readonly<Record<string, unknown>>;
  return declarations
    .map(({ name }) => name)
    .filter((name) => (settings[name] as { enabled?: boolean } | undefined)?.enabled !== false);
}
