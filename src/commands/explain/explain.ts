import { UsageError } from '../../errors.ts';
import { jsonText } from '../../formats/json/json-text.ts';
import { readFamilyRow } from '../../scoring/family.ts';
import type { Json } from '../../scoring/json.ts';
import type { CallError } from '../../scoring/match/errors.ts';
import { type Remedy, remedyFor } from '../../scoring/match/remedy.ts';
import type { Verdict } from '../../scoring/match/verdict.ts';
import type { ExpectedCall } from '../../scoring/truth.ts';
import type { Layout } from '../../state/row-layout.ts';
import type { Scored } from '../../stream/score.ts';
import { eachScored, outcomeOf, type ScoredEventsOptions } from '../../service/scored-events.ts';
import { printable } from '../../terminal/terminal-text.ts';

export interface ExplainOptions extends ScoredEventsOptions {
  /** An `example_id` or `event_id`. */
  readonly id: string;
}

/** `assay explain`: prints every event of an id, as each family judges it. Resolves with the exit status: 1 where there is none. */
export async function explain({ id, ...options }: ExplainOptions): Promise<number> {
  let found = 0;
  const print = (scored: Scored, layout: Layout, file: string): void => {
    const { exampleId, eventId } = scored.event;
    if (exampleId !== id && eventId !== id) return;
    process.stdout.write(`${found++ === 0 ? '' : '\n'}${explanation(scored, layout, file)}`);
  };
  const visited = await eachScored(options, print, { onAccepted: print });
  if (found > 0) return 0;
  if (visited.scored === 0)
    throw new UsageError(`explain: none of ${visited.read} events was scored; look at them with replay`);
  process.stderr.write(
    `explain: none of ${visited.scored} scored events has the example_id or event_id ${printable(id)}\n`,
  );
  return 1;
}

/** The text of one event as each family scores it, for a person. */
export function explanation(scored: Scored, layout: Layout, file: string): string {
  const { event, outcomes, joined, prepared } = scored;
  const { exampleId, eventId, model, offset } = event;
  const names = [
    `example ${exampleId}`,
    ...(eventId === undefined ? [] : [`event ${eventId}`]),
    `model ${model}`,
    `${file}:${offset}`,
  ];
  const lines = [names.join('  ')];
  layout.families.forEach((family, index) => {
    const outcome = outcomes[index];
    const says = (): string => {
      if (outcome === undefined) return 'does not apply';
      const row = readFamilyRow(family, { outcome, input: joined, prepared: prepared.prepared[index] });
      return family.name === 'match'
        ? (outcome as Verdict).correct
          ? 'right'
          : 'wrong'
        : `${family.perfect(outcome) ? 'right' : 'wrong'}  ${jsonText(row)}`;
    };
    lines.push(`  ${family.name.padEnd(nameWidth)}${says()}`);
  });
  const verdict = outcomeOf(scored, layout, 'match') as Verdict | undefined;
  const text = verdict === undefined ? lines : [...lines, ...matchLines(verdict, joined.truth.expected)];
  return text.map((line) => `${printable(line)}\n`).join('');
}

const nameWidth = 12;

/** The pairing, and the first difference. */
function matchLines(verdict: Verdict, truth: readonly ExpectedCall[] | undefined): string[] {
  const { list, expected, predicted, pairs, errors } = verdict;
  const lines = [
    `match: list ${list} counts; ${pairs.length} of ${expected.length} expected calls are made as expected`,
  ];
  const partners = new Map<number, number>(pairs);
  for (const { expectedCall, predictedCall } of errors)
    if (expectedCall !== undefined && predictedCall !== undefined) partners.set(expectedCall, predictedCall);
  const fitting = new Map<number, number>(pairs);
  for (const [i, wanted] of expected.entries()) {
    lines.push(`  expected  ${i}  ${callText(wanted.name, wanted.arguments)}`);
    const j = partners.get(i);
    const call = j === undefined ? undefined : predicted[j]!;
    const made = call === undefined ? '-' : `${j}  ${callText(call.name, call.arguments)}`;
    lines.push(`  predicted ${made}${call !== undefined && fitting.get(i) === j ? '  fits' : ''}`);
  }
  const paired = new Set(partners.values());
  predicted.forEach((call, j) => {
    if (!paired.has(j)) lines.push('  expected  -', `  predicted ${j}  ${callText(call.name, call.arguments)}`);
  });
  return errors.length === 0
    ? lines
    : [...lines, ...differenceLines(errors[0]!, errors.length, remedyFor(verdict, truth))];
}

function differenceLines(first: CallError, errors: number, remedy: Remedy | undefined): string[] {
  const { error, tool, path, expected, actual, rule } = first;
  const of = tool === undefined ? '' : ` of ${tool}`;
  return [
    `the first of ${errors} difference${errors === 1 ? '' : 's'}: ${error}${of}${path === undefined ? '' : ` at ${path}`}`,
    `  expected  ${valueText(expected)}`,
    `  actual    ${valueText(actual)}`,
    `  rule      ${rule === undefined ? 'none: deep equality' : jsonText(rule.written)}`,
    ...(remedy === undefined
      ? []
      : ['if the agent is right, the truth lacks', `  ${jsonText(remedy as unknown as Json)}`]),
  ];
}

function callText(name: string | undefined, given: Json | undefined): string {
  return `${name ?? '(no name)'} ${given === undefined ? '(malformed)' : jsonText(given)}`;
}

function valueText(value: Json | undefined): string {
  return value === undefined ? 'absent' : jsonText(value);
}
