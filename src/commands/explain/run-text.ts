import { jsonText } from '../../formats/json/json-text.ts';
import { previewText, shortText } from '../../formats/json/preview.ts';
import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { type CallResult, isRun, type Output, resultsByCall } from '../../scoring/prediction.ts';
import { runSecondsOf } from '../../stream/event.ts';
import type { Scored } from '../../stream/score.ts';

/** A call as it is printed: `arguments` is undefined where they are malformed. */
export interface PrintedCall {
  readonly name: string | undefined;
  readonly arguments: JsonObject | undefined;
}

/** Expected calls, the calls made, and which is compared with which: indices of calls made by those of expected calls. */
export interface Pairing {
  readonly expected: readonly PrintedCall[];
  readonly made: readonly PrintedCall[];
  readonly partners: ReadonlyMap<number, number>;
  /** Indices of the expected calls that are made as expected. */
  readonly fitting: ReadonlySet<number>;
}

/** Lines for a run, step by step: call, what truth expects, result, and the answer at the end. Undefined for an event of one answer without results. */
export function runLines(scored: Scored, pairing: Pairing): string[] | undefined {
  const { prediction } = scored.joined;
  if (!isRun(prediction)) return undefined;
  const results = resultsByCall(prediction.results ?? []);
  const outputs = outputsOf(scored.event.given['results']);
  const expectedAt = new Map([...pairing.partners].map(([expected, made]) => [made, expected]));
  const calls = pairing.made.flatMap((call, at) => [
    `  call      ${at}  ${callText(call)}`,
    expectedLine(pairing, expectedAt.get(at)),
    `  result    ${' '.repeat(`${at}`.length)}  ${resultText(results.get(at), outputs.get(at))}`,
  ]);
  const left = pairing.expected.flatMap((_, at) =>
    pairing.partners.has(at) ? [] : ['  call      -', expectedLine(pairing, at)],
  );
  return [headOf(scored), ...calls, ...left, ...answerLines(scored)];
}

/** Lines for the pairing of an event of one answer. */
export function pairLines({ expected, made, partners, fitting }: Pairing): string[] {
  const paired = new Set(partners.values());
  const lines = expected.flatMap((wanted, i) => {
    const j = partners.get(i);
    const actual = j === undefined ? '-' : `${j}  ${callText(made[j]!)}`;
    return [`  expected  ${i}  ${callText(wanted)}`, `  predicted ${actual}${fitting.has(i) ? '  fits' : ''}`];
  });
  const extra = made.flatMap((call, j) =>
    paired.has(j) ? [] : ['  expected  -', `  predicted ${j}  ${callText(call)}`],
  );
  return [...lines, ...extra];
}

/** The beginning of a value that may be long. */
const outputCharacters = 200;

function headOf({ joined, event }: Scored): string {
  const { steps } = joined.prediction;
  const seconds = runSecondsOf(event);
  return `run: ${steps} answer${steps === 1 ? '' : 's'} of the model${seconds === undefined ? '' : ` in ${seconds} s`}`;
}

function expectedLine({ expected, fitting }: Pairing, at: number | undefined): string {
  if (at === undefined) return '  expected  -';
  return `  expected  ${at}  ${callText(expected[at]!)}${fitting.has(at) ? '  fits' : ''}`;
}

function resultText(result: CallResult | undefined, output: Json | undefined): string {
  if (result === undefined) return 'none known';
  if (result.failed)
    return `failed${result.error === undefined ? '' : `: ${shortText(result.error, outputCharacters)}`}`;
  return output === undefined || output === null ? 'ok' : `ok  ${valueText(output)}`;
}

function answerLines({ joined: { prediction, truth } }: Scored): string[] {
  const { error } = prediction;
  return [
    `  answer       ${answerText(prediction.output)}`,
    ...(truth.reference === undefined || truth.reference === null
      ? []
      : [`  expected     ${valueText(truth.reference)}`]),
    ...(error === undefined ? [] : [`  error        ${shortText(error, outputCharacters)}`]),
  ];
}

function answerText(output: Output): string {
  if (output.kind === 'absent') return 'none';
  return valueText(output.kind === 'text' ? output.text : output.value);
}

/** Outputs of the results by the index of their call, as the event gives them. */
function outputsOf(results: Json | undefined): ReadonlyMap<Json | undefined, Json | undefined> {
  const list = Array.isArray(results) ? (results as readonly Json[]).filter(isObject) : [];
  return new Map(list.map(({ call, output }) => [call, output]));
}

function callText({ name, arguments: given }: PrintedCall): string {
  return `${name ?? '(no name)'} ${given === undefined ? '(malformed)' : jsonText(given)}`;
}

function valueText(value: Json): string {
  return previewText(value, { charactersMax: outputCharacters, redact: new Set() });
}
