import type { Json, JsonObject } from '../json.ts';
import { type Call, type Prediction, resultsByCall } from '../prediction.ts';
import { schemaOf } from '../schema/reading.ts';
import { parametersOf, toolName } from '../tool.ts';
import { countedError } from './error-text.ts';

/** The value that breaks a JSON Schema: its path, and the keyword that it breaks. */
export interface Violation {
  /** As `passengers[].dob`; empty for the arguments as a whole. */
  readonly path: string;
  readonly keyword: string;
}

/** Checks arguments against a whole JSON Schema, in bounded time. `unusable`: the schema is none, or takes too long. Never throws. */
export type SchemaCheck = (schema: JsonObject, args: JsonObject) => Violation | 'fits' | 'unusable';

/** The verdicts on one call that need no truth. */
export interface CallFinding {
  /** Its name; empty where it has none. */
  readonly tool: string;
  readonly malformed: boolean;
  /** It names no known tool; undefined where no tools are known. */
  readonly unknown: boolean | undefined;
  /** Undefined where there is no schema to check by. */
  readonly check: ReturnType<SchemaCheck> | undefined;
  /** Undefined where it has no result. */
  readonly failed: boolean | undefined;
  /** Text of its error, as errors are counted; empty where it did not fail. */
  readonly error: string;
}

/** Looks at the calls of a prediction; `known` are the tools that exist where it names none. */
export function findingsOf(
  { calls = [], tools, results }: Prediction,
  known: readonly Json[] | undefined,
  check: SchemaCheck,
): readonly CallFinding[] {
  const offered = tools ?? known;
  const answers = results && resultsByCall(results);
  return calls.map((call, index): CallFinding => {
    const answer = answers?.get(index);
    const tool = call.name === undefined ? undefined : offered?.find((one) => toolName(one) === call.name);
    return {
      tool: call.name ?? '',
      malformed: call.name === undefined || call.arguments === undefined,
      unknown: offered && tool === undefined,
      check: tool === undefined ? undefined : checked(call, tool, check),
      failed: answer?.failed,
      error: answer?.failed ? countedError(answer.error ?? '') : '',
    };
  });
}

function checked({ arguments: args }: Call, tool: Json, check: SchemaCheck): CallFinding['check'] {
  const parameters = parametersOf(tool);
  return parameters === undefined || args === undefined ? undefined : check(schemaOf(parameters), args);
}
