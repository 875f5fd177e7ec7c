import type { Config } from '../../config/config.ts';
import {
  type Annotation,
  annotationLine,
  annotationsMax,
  markdownCommand,
  markdownTable,
  markdownText,
} from '../../documents/github.ts';
import type { TestCase, TestSuite } from '../../documents/junit.ts';
import { addToStepSummary, type Reports, writeJunit } from '../../documents/reports.ts';
import { type ErrorKind, examplesOf, type FailedExample, type KindExample } from '../../formats/summary/error-kinds.ts';
import type { SummaryDocument } from '../../formats/summary/summary-document.ts';
import { programName } from '../../name.ts';
import { truthLines } from '../../service/truth-lines.ts';
import { getOrPut } from '../../state/containers/get-or-put.ts';
import { basisLine, headlineRows } from '../../terminal/summary-table.ts';
import { kindsShown } from '../../terminal/worth-a-look.ts';
import { type BasisProblem, gateMessage } from '../../view/gate.ts';
import { fullPath } from '../../view/summary-lookup.ts';
import type { GateResults } from './gates.ts';

/** The end of a replay, as its reports show it. */
export interface ReplayResult {
  readonly document: SummaryDocument;
  readonly gates: GateResults;
  /** The problem of a replay that scored nothing. */
  readonly empty: string | undefined;
  readonly kinds: readonly ErrorKind[];
  readonly commandOf: (example: FailedExample) => string;
}

/** Files that a replay read its truth from. */
export interface TruthRead {
  readonly truth: readonly string[];
  readonly config: Config;
  readonly signal: AbortSignal;
}

/** Failed events that a report lists. */
const examplesMax = 100;

/** Writes the reports that were asked for; annotations go to standard error, which GitHub's runner reads too. */
export async function writeReports(reports: Reports, result: ReplayResult, read: TruthRead): Promise<void> {
  await writeJunit(reports, () => suitesOf(result));
  if (reports.github === undefined) return;
  await addToStepSummary(reports.github, markdownOf(result));
  for (const annotation of await annotationsOf(result, read)) process.stderr.write(annotationLine(annotation));
}

/** A suite of the run, one of the gates of each family, and one of the failed events of each family that finds their errors. */
export function suitesOf(result: ReplayResult): TestSuite[] {
  const { gates, kinds, empty, document } = result;
  const ofGates = gates.results.map((one): readonly [string, TestCase] => [familyOf(one.gate.path), gateCase(one)]);
  const ofExamples = examplesOf(kinds, examplesMax).map((one): readonly [string, TestCase] => [
    one.kind.family,
    exampleCase(one, result.commandOf),
  ]);
  const failure = empty === undefined ? undefined : { type: 'empty', message: empty, lines: [empty] };
  const read = [{ name: 'events are scored', failure, output: basisLine(document) }, ...gates.basis.map(basisCase)];
  return [
    { name: `${programName}.input`, cases: read },
    ...[...grouped(ofGates)].map(([family, cases]) => ({ name: `${programName}.gates.${family}`, cases })),
    ...[...grouped(ofExamples)].map(([family, cases]) => ({ name: `${programName}.examples.${family}`, cases })),
  ];
}

/** The summary of a replay in Markdown: its gates, the headline metrics, and the largest kinds of error. */
export function markdownOf({ document, gates, empty, kinds, commandOf }: ReplayResult): string {
  const { results, basis } = gates;
  const messages = [...results.map(gateMessage), ...basis.map(({ text }) => `✗ ${text}`)];
  const failed = messages.filter((message) => message.startsWith('✗')).length;
  const title =
    messages.length === 0
      ? 'Assay'
      : `Assay: ${failed === 0 ? 'all gates hold' : `${failed} of ${messages.length} gates do not hold`}`;
  const rows = headlineRows(document).map((cells) => cells.map(markdownText));
  return [
    `### ${title}`,
    ...(empty === undefined ? [] : [markdownText(empty)]),
    markdownText(basisLine(document).split('\n').join('; ')),
    ...(messages.length === 0 ? [] : [messages.map((message) => `- ${markdownText(message)}`).join('\n')]),
    ...(rows.length === 0 ? [] : [markdownTable(['Metric', 'Value and interval', 'Counts'], rows)]),
    ...(kinds.length === 0 ? [] : ['**Most worth a look**', kinds.slice(0, kindsShown).map(item).join('\n')]),
  ].join('\n\n');

  function item({ events, name, examples: [example] }: ErrorKind): string {
    const { detail } = example!;
    const head = `1. ${events} ${events === 1 ? 'event' : 'events'}: ${markdownText(name)}`;
    const shown = detail === '' ? [] : [`   for example: ${markdownText(detail)}`];
    return [head, ...shown, '', markdownCommand(commandOf(example!), '   '), ''].join('\n');
  }
}

/** Remarks on the lines of truth of failed examples, one an example; errors where the replay fails by a gate. */
async function annotationsOf(
  { kinds, gates }: ReplayResult,
  { truth, config, signal }: TruthRead,
): Promise<Annotation[]> {
  const failed = examplesOf(kinds, examplesMax);
  const lines = await truthLines(truth, new Set(failed.map(({ example }) => example.exampleId)), config, signal);
  const annotated = new Map<string, Annotation>();
  for (const { kind, example } of failed) {
    const place = lines.get(example.exampleId);
    if (place === undefined || annotated.has(example.exampleId) || annotated.size === annotationsMax) continue;
    const message = messageOf({ kind, example });
    const level = gates.hold ? 'warning' : 'error';
    annotated.set(example.exampleId, { level, ...place, title: `${example.exampleId}: ${kind.name}`, message });
  }
  return [...annotated.values()];
}

function gateCase(result: GateResults['results'][number]): TestCase {
  const { gate, holds, value, interval } = result;
  const message = gateMessage(result);
  if (holds) return { name: gate.text, output: message };
  const lines = [
    message,
    `value      ${value ?? 'none'}`,
    `interval   ${interval === undefined ? 'none' : interval.join(' to ')}`,
    `threshold  ${gate.op} ${gate.bound}`,
  ];
  return { name: gate.text, failure: { type: 'gate', message, lines } };
}

function basisCase({ kind, text }: BasisProblem): TestCase {
  const name = kind === 'feedback' ? 'feedback counts' : 'calls are read';
  return { name, failure: { type: kind, message: text, lines: [text] } };
}

function exampleCase(one: KindExample, commandOf: ReplayResult['commandOf']): TestCase {
  const { exampleId, id, model, place } = one.example;
  const message = messageOf(one);
  const name = `${exampleId}${id === exampleId ? '' : ` (event ${id})`}, model ${model}`;
  const lines = [message, `${place.file}:${place.line}`, commandOf(one.example)];
  return { name, failure: { type: one.kind.name.split(' ', 1)[0]!, message, lines } };
}

function messageOf({ kind, example }: KindExample): string {
  return example.detail === '' ? kind.name : `${kind.name}: ${example.detail}`;
}

/** The family of a gate's path; of counts of all records, `records` and `coverage`. */
function familyOf(path: string): string {
  return /^(records|coverage)\b/.test(path) ? path.split('.', 1)[0]! : fullPath(path).split('.', 1)[0]!;
}

function grouped(cases: readonly (readonly [string, TestCase])[]): ReadonlyMap<string, readonly TestCase[]> {
  const groups = new Map<string, TestCase[]>();
  for (const [family, one] of cases) getOrPut(groups, family, (): TestCase[] => []).push(one);
  return groups;
}
