import { type Joined, readFamilyRow } from '../../scoring/family.ts';
import { isObject, type Json, type JsonObject, jsonEqual } from '../../scoring/json.ts';
import { jsonOf } from '../../scoring/parse-json.ts';
import { predictedNames } from '../../scoring/label.ts';
import type { Layout } from '../../state/row-layout.ts';
import type { Call, Prediction } from '../../scoring/prediction.ts';
import { findingsIn, type ToolUseOutcome } from '../../scoring/tool-use/index.ts';
import type { Scored } from '../../stream/score.ts';
import { pairCalls } from './call-pairs.ts';
import { type MatchError, matchErrors, nameCharacters } from './match-errors.ts';
import { type RunSteps, runSteps } from './run-steps.ts';
import { traceLink } from './trace-link.ts';
import {
  hiddenValue,
  hidesSome,
  isHidden,
  type PreviewOptions,
  previewText,
  type Redacted,
  shortText,
} from '../json/preview.ts';

/** One failed prediction, as a person reads it: short texts only, whatever the event held. */
export interface Failure {
  readonly event_id: string | null;
  readonly example_id: string;
  /** Event time, ISO 8601. */
  readonly ts: string;
  /** Its value of each dimension: `model`, `agent`, `tags.<name>`. */
  readonly slice: Readonly<Record<string, string>>;
  readonly run: number | null;
  /** Address of its trace, by `links.trace`; null where that or a value that it needs is missing. */
  readonly link: string | null;
  /** Gold and predicted decision; null where the truth has none. */
  readonly gold: string | null;
  readonly predicted: string | null;
  readonly hallucinations: readonly string[];
  /** Faults by family `tool_use`: the rate that counts each, and its tool with what is wrong. */
  readonly faults: readonly Fault[];
  /** Families that have something to complain of. */
  readonly families: readonly string[];
  /** Wrong arguments by family `match`; empty where it is disabled. */
  readonly errors: readonly MatchError[];
  /** The error of the agent or its parser. */
  readonly error: string | null;
  /** False where the event does not say which calls were made. */
  readonly calls_recorded: boolean;
  /** Expected and made calls, in pairs. */
  readonly calls: readonly CallPair[];
  /** Pairs of calls beyond those shown. */
  readonly more_calls: number;
  /** The steps of a run: its calls with their results; null for an event of one answer without results. */
  readonly run_steps: RunSteps | null;
  /** Fields of the expected and the given answer, where the truth has a JSON reference; else null. */
  readonly answer: readonly FieldPair[] | null;
}

export interface Fault {
  /** Metric of `tool_use`: `unknown_tool`. */
  readonly rate: string;
  readonly text: string;
}

export interface CallPair {
  /** Name of the expected call; null where none was expected. */
  readonly expected: string | null;
  /** Name of the call made; null where it was not made. */
  readonly actual: string | null;
  /** Positions from 1; null where there is none. */
  readonly expected_at: number | null;
  readonly actual_at: number | null;
  /** The call made has no name, or arguments that are no object. */
  readonly malformed: boolean;
  readonly fields: readonly FieldPair[];
  /** Fields beyond those shown. */
  readonly more_fields: number;
}

export interface FieldPair {
  readonly name: string;
  /** Beginning of the value's JSON text; null where the field is absent. */
  readonly expected: string | null;
  readonly actual: string | null;
  readonly same: boolean;
}

export interface FailureOptions {
  readonly layout: Layout;
  /** Dimensions of the finest slice. */
  readonly dimensions: readonly string[];
  /** Names of arguments whose values are not shown. */
  readonly redact: Redacted;
  /** `links.trace`. */
  readonly trace: string | undefined;
}

const callsMax = 8;
const fieldsMax = 24;
const valueCharacters = 200;

/**
 * A failed prediction with what was expected of it, as a plain value without references to the event. A redacted argument shows
 * `[hidden]`, and whether it was right.
 */
export function failureOf(scored: Scored, options: FailureOptions): Failure {
  const { event, ts, joined, prepared, outcomes } = scored;
  const { prediction } = joined;
  const preview: PreviewOptions = { charactersMax: valueCharacters, redact: options.redact };
  const failing = options.layout.families.filter((family, at) => {
    const outcome = outcomes[at];
    return outcome !== undefined && !family.perfect(outcome);
  });
  const rowOf = (name: string): Json | undefined => {
    const at = options.layout.families.findIndex((family) => family.name === name);
    if (outcomes[at] === undefined) return undefined;
    const read = { outcome: outcomes[at], input: joined, prepared: prepared.prepared[at] };
    return readFamilyRow(options.layout.families[at]!, read);
  };
  const decision = rowOf('decision');
  const { eventId, exampleId, run } = event;
  return {
    event_id: eventId === undefined ? null : shortText(eventId, nameCharacters),
    example_id: shortText(exampleId, nameCharacters),
    ts: new Date(ts).toISOString(),
    slice: Object.fromEntries(options.dimensions.map((name, at) => [name, event.dimensions[at]!])),
    run: run ?? null,
    link: traceLink(options.trace, event, ts),
    gold: joined.truth.label === undefined ? null : predictedNames[joined.truth.label]!,
    predicted: isObject(decision) ? (decision['predicted'] as string) : null,
    hallucinations: isObject(decision) ? (decision['hallucinations'] as string[]) : [],
    faults: faultsOf(outcomes[options.layout.families.findIndex(({ name }) => name === 'tool_use')], preview),
    families: failing.map(({ name }) => name),
    errors: matchErrors(rowOf('match'), preview),
    error: errorOf(prediction, preview),
    calls_recorded: !prediction.callsNotRecorded,
    ...callsOf(scored, preview),
    run_steps: runSteps(event, preview),
    answer: failing.some(({ name }) => name === 'structured') ? answerOf(joined, preview) : null,
  };
}

/** The first faults of an event by family `tool_use`. */
function faultsOf(outcome: unknown, { redact }: PreviewOptions): Fault[] {
  if (outcome === undefined) return [];
  return findingsIn(outcome as ToolUseOutcome)
    .slice(0, callsMax)
    .map(({ rate, tool, detail }) => {
      const shown = detail !== '' && hidesSome(redact) ? hiddenValue : detail;
      return { rate, text: shortText([tool, shown].filter((part) => part !== '').join(': '), nameCharacters) };
    });
}

/** An error may quote the agent, so it is hidden where arguments are. */
function errorOf({ error }: Prediction, { redact }: PreviewOptions): string | null {
  if (error === undefined) return null;
  return hidesSome(redact) ? hiddenValue : shortText(error, nameCharacters);
}

/** Calls in pairs by the names that are compared, shown by those that came. */
function callsOf({ joined, event, prepared }: Scored, preview: PreviewOptions): Pick<Failure, 'calls' | 'more_calls'> {
  const pairs = pairCalls(joined.truth.expected ?? [], joined.prediction.calls ?? []);
  const expected = prepared.given.expected ?? [];
  const actual = event.prediction.calls ?? [];
  const calls = pairs.slice(0, callsMax).map(({ expectedAt, actualAt }) => {
    const wanted = expectedAt < 0 ? undefined : expected[expectedAt]!;
    const made: Call | undefined = actualAt < 0 ? undefined : actual[actualAt]!;
    return {
      expected: wanted === undefined ? null : shortText(wanted.name, nameCharacters),
      actual: made === undefined ? null : shortText(made.name ?? '', nameCharacters),
      expected_at: wanted === undefined ? null : expectedAt + 1,
      actual_at: made === undefined ? null : actualAt + 1,
      malformed: made !== undefined && (made.name === undefined || made.arguments === undefined),
      ...fieldsOf(wanted?.arguments ?? {}, made?.arguments ?? {}, preview),
    };
  });
  return { calls, more_calls: pairs.length - calls.length };
}

function fieldsOf(
  expected: JsonObject,
  actual: JsonObject,
  preview: PreviewOptions,
): { readonly fields: readonly FieldPair[]; readonly more_fields: number } {
  const extra = Object.keys(actual).filter((key) => !Object.hasOwn(expected, key));
  const names = [...Object.keys(expected), ...extra];
  const text = (from: JsonObject, name: string): string | null => {
    if (!Object.hasOwn(from, name)) return null;
    return isHidden(preview.redact, name) ? hiddenValue : previewText(from[name]!, preview);
  };
  const same: string[] = [];
  const different: string[] = [];
  for (const name of names) {
    const equal =
      Object.hasOwn(expected, name) && Object.hasOwn(actual, name) && jsonEqual(expected[name], actual[name]);
    (equal ? same : different).push(name);
    if (different.length === fieldsMax) break;
  }
  // Different fields come first, so that equal ones do not crowd them out.
  const fields = [...different, ...same].slice(0, fieldsMax).map((name, at) => ({
    name: shortText(name, nameCharacters),
    expected: text(expected, name),
    actual: text(actual, name),
    same: at >= different.length,
  }));
  return { fields, more_fields: names.length - fields.length };
}

function answerOf({ prediction, truth }: Joined, preview: PreviewOptions): readonly FieldPair[] | null {
  const { reference } = truth;
  if (reference === undefined) return null;
  const given = givenAnswer(prediction);
  if (isObject(reference) && isObject(given)) return fieldsOf(reference, given, preview).fields;
  const actual = given === undefined ? textPreview(prediction, preview) : previewText(given, preview);
  return [{ name: 'whole answer', expected: previewText(reference, preview), actual, same: false }];
}

/** Text that is no JSON has no names of fields: all of it is hidden where some fields are. */
function textPreview({ output }: Prediction, { redact, charactersMax }: PreviewOptions): string | null {
  if (output.kind !== 'text') return null;
  return hidesSome(redact) ? hiddenValue : shortText(output.text, charactersMax);
}

function givenAnswer({ output }: Prediction): Json | undefined {
  if (output.kind === 'json') return output.value;
  return output.kind === 'absent' ? undefined : jsonOf(output.text);
}
