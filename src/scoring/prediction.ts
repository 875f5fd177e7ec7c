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
}
