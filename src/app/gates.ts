import { evaluateGate, type Gate, gateMessage, parseGate } from '../view/gate.ts';
import { isProblem, type SummaryGroups } from '../view/summary-lookup.ts';
import { UsageError } from '../errors.ts';

/** Reads the gates before any work is done. */
export function parseGates(texts: readonly string[]): Gate[] {
  return texts.map((text) => {
    const gate = parseGate(text);
    if (isProblem(gate)) throw new UsageError(gate.problem);
    return gate;
  });
}

/** Prints each gate that does not hold, with its value and counts. Resolves to the exit status: 0, or 3. */
export function finishGates(gates: readonly Gate[], document: Readonly<Record<string, unknown>>): number {
  const results = gates.map((gate) => {
    const result = evaluateGate(gate, document as unknown as SummaryGroups);
    if (isProblem(result)) throw new UsageError(result.problem);
    return result;
  });
  const failed = results.filter(({ holds }) => !holds);
  for (const result of failed) process.stderr.write(`gate: ${gateMessage(result)}\n`);
  return failed.length === 0 ? 0 : 3;
}
