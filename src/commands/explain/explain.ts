import { UsageError } from '../../errors.ts';
import { jsonText } from '../../formats/json/json-text.ts';
import { pairCalls } from '../../formats/summary/call-pairs.ts';
import { readFamilyRow } from '../../scoring/family.ts';
import type { Json } from '../../scoring/json.ts';
import type { CallError } from '../../scoring/match/errors.ts';
import { type Remedy, remedyFor } from '../../scoring/match/remedy.ts';
import type { Verdict } from '../../scoring/match/verdict.ts';
import type { ExpectedCall } from '../../scoring/truth.ts';
import type { Layout } from '../../state/row-layout.ts';
import type { Scored } from '../../stream/score.ts';
import { feedbackText } from '../../service/feedback-files.ts';
import type { FilePlace } from '../../service/file-log.ts';
import { eachScored, outcomeOf, type ScoredEventsOptions } from '../../service/scored-events.ts';
import { type ExpectedFields, type Feedback, newestExpected } from '../../stream/feedback-book.ts';
import { type Pairing, pairLines, runLines } from './run-text.ts';
import { printable } from '../../terminal/terminal-text.ts';

export interface ExplainOptions extends ScoredEventsOptions {
  /** An `example_id` or `event_id`. */
  readonly id: string;
}

/** `assay explain`: prints every event of an id, as each family judges it. Resolves with the exit status: 1 where there is none. */
export async function explain({ id, ...options }: ExplainOptions): Promise<number> {
  let found = 0;
  const print: Parameters<typeof eachScored>[1] = (scored, ...about) => {
    const { exampleId, eventId } = scored.event;
    if (exampleId !== id && eventId !== id) return;
    process.stdout.write(`${found++ === 0 ? '' : '\n'}${explanation(scored, ...about)}`);
  };
  const visited = await eachScored(options, print, { onAccepted: print });
  process.stderr.write(feedbackText(visited.feedback));
  if (found > 0) return 0;
  if (visited.scored === 0)
    throw new UsageError(`explain: none of ${visited.read} events was scored; look at them with replay`);
  process.stderr.write(
    `explain: none of ${visited.scored} scored events has the example_id or event_id ${printable(id)}\n`,
  );
  return 1;
}

/** The text of one event as each family scores it, for a person; `feedback` on it, oldest first. */
export function explanation(
  scored: Scored,
  layout: Layout,
  { file, line }: FilePlace,
  feedback: readonly Feedback[],
): string {
  const { event, outcomes, joined, prepared } = scored;
  const { exampleId, eventId, model } = event;
  const names = [
    `example ${exampleId}`,
    ...(eventId === undefined ? [] : [`event ${eventId}`]),
    `model ${model}`,
    `${file}:${line}`,
  ];
  const lines = [names.join('  ')];
  layout.families.forEach((family, index) => {
    if (family.feedback !== undefined) return;
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
  const pairing = verdict === undefined ? pairingOfNames(scored) : pairingOf(verdict);
  const run = runLines(scored, pairing) ?? [];
  const text = [
    ...lines,
    ...feedback.map((each) => feedbackLine(each, newestExpected(feedback))),
    ...run,
    ...(verdict === undefined ? [] : matchLines(verdict, pairing, run, joined.truth.expected)),
  ];
  return text.map((line) => `${printable(line)}\n`).join('');
}

const nameWidth = 12;

/** Text of what a record of feedback says; `expected` is the expectation that holds. */
function feedbackLine({ id, ts, facts, expected: own }: Feedback, expected: ExpectedFields | undefined): string {
  const said = facts.map((fact) =>
    'outcome' in fact ? `${fact.outcome} ${fact.value}` : `${fact.kind} says ${fact.correct ? 'right' : 'wrong'}`,
  );
  if (own !== undefined) said.push(own === expected ? 'its expectation holds' : 'a newer expectation holds');
  return `feedback ${id}${ts === 0 ? '' : `, ${new Date(ts).toISOString()}`}: ${said.join('; ')}`;
}

/** The number of calls that fit, the pairing where the steps of a run do not show it, and the first difference. */
function matchLines(
  verdict: Verdict,
  pairing: Pairing,
  run: readonly string[],
  truth: readonly ExpectedCall[] | undefined,
): string[] {
  const { list, expected, pairs, errors } = verdict;
  const lines = [
    `match: list ${list} counts; ${pairs.length} of ${expected.length} expected calls are made as expected`,
    ...(run.length > 0 ? [] : pairLines(pairing)),
  ];
  return errors.length === 0
    ? lines
    : [...lines, ...differenceLines(errors[0]!, errors.length, remedyFor(verdict, truth))];
}

/** Calls in pairs as family `match` compared them. */
function pairingOf({ expected, predicted, pairs, errors }: Verdict): Pairing {
  const partners = new Map<number, number>(pairs);
  for (const { expectedCall, predictedCall } of errors)
    if (expectedCall !== undefined && predictedCall !== undefined) partners.set(expectedCall, predictedCall);
  const fitting = new Set(pairs.flatMap(([at, made]) => (partners.get(at) === made ? [at] : [])));
  return { expected, made: predicted, partners, fitting };
}

/** Calls in pairs for a person to compare, where no family compared them. */
function pairingOfNames({ joined: { prediction, truth } }: Scored): Pairing {
  const { calls: made = [] } = prediction;
  const { expected = [] } = truth;
  const both = pairCalls(expected, made).filter(({ expectedAt, actualAt }) => expectedAt >= 0 && actualAt >= 0);
  const partners = new Map(both.map(({ expectedAt, actualAt }) => [expectedAt, actualAt]));
  return { expected, made, partners, fitting: new Set() };
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

function valueText(value: Json | undefined): string {
  return value === undefined ? 'absent' : jsonText(value);
}
