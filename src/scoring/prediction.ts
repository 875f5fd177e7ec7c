import type { Json, JsonObject } from './json.ts';
import type { LabelCode, LabelStatus } from './label.ts';

/**
 * One attempted tool call. A call without a name, or whose arguments are no object in the end, is *malformed*: it keeps its
 * position, its name counts where it has one, and its arguments match nothing, not even `{}`.
 */
export interface Call {
  /** `undefined` where the name is absent, null or no string; `""` is a name. */
  readonly name: string | undefined;
  /** Parsed arguments; absent and null are `{}`; `undefined` where they are no object. */
  readonly arguments: JsonObject | undefined;
}

/** The result of a call. */
export interface CallResult {
  /** Index of the call. */
  readonly call: number;
  readonly failed: boolean;
  /** Text of the error where it failed and says one. */
  readonly error: string | undefined;
}

export type Output =
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly value: Json };

/** The decision of an agent: the content of one event, as the families see it. */
export interface Prediction {
  readonly label: LabelCode;
  readonly labelStatus: LabelStatus;
  /** `undefined`: the event has no `tool_calls`; `[]` is present and empty. */
  readonly calls: readonly Call[] | undefined;
  /** Label `tool_call` was given and there is neither `tool_calls` nor `error`: the families over calls do not apply. */
  readonly callsNotRecorded: boolean;
  /** The event's own tools: names, `{name, parameters}` or OpenAI-style objects, unread (`core/tool.ts` reads them). */
  readonly tools: readonly Json[] | undefined;
  readonly output: Output;
  /** The agent or its parser failed. */
  readonly error: string | undefined;
  /** The run's own verdict. */
  readonly success: boolean | undefined;
  /** Results of the calls; undefined where the event records none. */
  readonly results: readonly CallResult[] | undefined;
  /** Answers of the model in the run; 1 where the event is one answer. */
  readonly steps: number;
  /** The run is not known to have been cut off behind a call. */
  readonly finished: boolean;
  /** The run ends with an answer in words. */
  readonly answered: boolean;
}

/** Results by the index of their call; of several for one call the last counts. */
export function resultsByCall(results: readonly CallResult[]): ReadonlyMap<number, CallResult> {
  return new Map(results.map((result) => [result.call, result]));
}

/** Returns whether a prediction is a run of several steps: it has several answers of the model, or results of calls. */
export function isRun({ steps, results = [] }: Prediction): boolean {
  return steps > 1 || results.length > 0;
}
