import type { Json, JsonObject } from '../json.ts';
import type { ExpectedCall } from '../truth.ts';
import type { ToolList } from './tools.ts';
import type { SchemaRules } from './types.ts';

/** What the two modes do differently. A refusal is a processing error: its text, `undefined` where there is none. */
export interface Profile extends SchemaRules {
  /** An event with nothing expected is skipped; else it is false everywhere. */
  readonly skipsNothingExpected: boolean;
  /** A predicted call without a name is a processing error; else it is no call. */
  readonly refusesNameless: boolean;
  /** Score rows of processing errors name the tools. */
  readonly namesRefused: boolean;
  refusedTruth(expected: readonly ExpectedCall[]): string | undefined;
  /** `described`: the tools are the event's, which keep their descriptions. */
  refusedTools(tools: readonly Json[], described: boolean): string | undefined;
  /** Whether the arguments of a well-formed call are accepted; `fits` checks them against the parameters of a known tool. */
  accepts(
    expected: JsonObject,
    name: string,
    args: JsonObject,
    tools: ToolList,
    fits: (parameters: JsonObject) => boolean,
  ): boolean;
}
