import type { Json, JsonObject } from '../../scoring/json.ts';
import { invalid, type LabelCode, type LabelStatus, labelCode, toolCall } from '../../scoring/label.ts';
import type { CallResult, Output, Prediction } from '../../scoring/prediction.ts';
import { callsOf } from '../calls/calls.ts';
import { toolsOf } from '../calls/tools.ts';
import { errorIn, failureIn, textIn } from '../messages/failure.ts';
import { type Decided, type DecisionReading, decisionReading } from './decision-rules.ts';
import { words } from './decision-words.ts';
import type { RawEvent } from './schema.ts';

/** Label of an event: given, else derived from its having a call, else read from its words, else `invalid` (missing counts as it). */
export function labelOf(event: RawEvent, decisionOf: DecisionReading | undefined): Decided {
  const given = event.label;
  if (given !== null && given !== undefined) return { label: labelCode(given) };
  if (hasCall(event)) return { label: toolCall };
  if (decisionOf !== undefined) return decisionOf(event);
  return event['words'] === true && saysSomething(event) ? decisionInWords(event) : { label: invalid };
}

/**
 * The content of an event whose label is known (docs/reference/events.md). Arguments given as text are parsed here, so only where
 * calls are looked at.
 */
export function predictionOf(event: RawEvent, label: LabelCode): Prediction {
  const labelStatus = statusOf(event, label);
  const calls = event.tool_calls ?? undefined;
  const error = event.error ?? undefined;
  return {
    label,
    labelStatus,
    calls: calls === undefined ? undefined : callsOf(calls),
    callsNotRecorded: labelStatus === 'given' && label === toolCall && calls === undefined && error === undefined,
    tools: event.tools ? toolsOf(event.tools as readonly Json[]) : undefined,
    output: outputOf(event.output as Json | undefined),
    error,
    success: event.success ?? undefined,
    results: event.results == null ? undefined : resultsOf(event.results as readonly JsonObject[]),
    steps: stepsOf(event['steps']),
    finished: event['unfinished'] !== true,
    answered: event['unfinished'] !== true && typeof event.output === 'string' && event.output.trim() !== '',
  };
}

/** Answers of the model in a run; one where the event does not say a number. */
function stepsOf(given: unknown): number {
  return Number.isSafeInteger(given) && (given as number) > 0 ? (given as number) : 1;
}

/** Results that say to which call they belong and that anything came back. */
function resultsOf(results: readonly JsonObject[]): readonly CallResult[] {
  return results.flatMap(({ call, ok, error, output }) => {
    const returned = [error, output].some((part) => part !== undefined && part !== null) || typeof ok === 'boolean';
    if (!Number.isSafeInteger(call) || !returned) return [];
    const text = errorIn(error) ?? (ok === true ? undefined : failureIn(output));
    const failed = ok === false || text !== undefined;
    return [{ call: call as number, failed, error: failed ? (text ?? textIn(output)) : undefined }];
  });
}

/** Returns whether an answer has words, or declines: an empty one decides nothing. */
function saysSomething(event: RawEvent): boolean {
  return event['refused'] === true || (typeof event.output === 'string' && event.output.trim() !== '');
}

function hasCall(event: RawEvent): boolean {
  const calls = event.tool_calls;
  return calls !== null && calls !== undefined && calls.length > 0;
}

function statusOf(event: RawEvent, label: LabelCode): LabelStatus {
  if (event.label !== null && event.label !== undefined) return label === invalid ? 'invalid' : 'given';
  if (label === invalid) return 'missing';
  return hasCall(event) ? 'derived' : 'inferred';
}

const decisionInWords = decisionReading(words);
const absent: Output = { kind: 'absent' };

/** An output as it was given. */
export function outputOf(output: Json | undefined): Output {
  if (output === null || output === undefined) return absent;
  return typeof output === 'string' ? { kind: 'text', text: output } : { kind: 'json', value: output };
}
