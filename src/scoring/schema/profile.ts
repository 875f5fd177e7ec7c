import { isObject, type Json, type JsonObject } from '../json.ts';
import { parametersOf, toolDefinition, toolName } from '../tool.ts';
import type { ExpectedCall } from '../truth.ts';
import { sameValues } from './same-values.ts';
import { fitsParameters, schemaOf } from './reading.ts';
import { fitsUpstream } from './types.ts';

/** The tools that an event could use. */
export interface ToolList {
  readonly tools: readonly Json[];
  /** Some tool has parameters; a list in which none has is no schemas. */
  readonly schemas: boolean;
}

/** The tools of one side, read once. */
export function toolList(tools: readonly Json[] | undefined): ToolList {
  if (tools === undefined) return noTools;
  return { tools, schemas: tools.some((tool) => parametersOf(tool) !== undefined) };
}

/** The first tool of that name; `undefined` where there is none. */
function findTool({ tools }: ToolList, name: string): Json | undefined {
  return tools.find((tool) => toolName(tool) === name);
}

const noTools: ToolList = { tools: [], schemas: false };

/** Differences of the two modes. A refusal is a processing error: its text, `undefined` where there is none. */
export interface Profile {
  /** An event with nothing expected is skipped; else it is false everywhere. */
  readonly skipsNothingExpected: boolean;
  /** A predicted call without a name is a processing error; else it is no call. */
  readonly refusesNameless: boolean;
  /** Score rows of processing errors name the tools. */
  readonly namesRefused: boolean;
  /** The schema by which whole schemas are validated. */
  schemaOf(parameters: JsonObject): JsonObject;
  /** Returns whether arguments fit the parameters of a tool; names of those of which these say nothing are added to `unchecked`. */
  fits(parameters: JsonObject, args: JsonObject, unchecked: string[]): boolean;
  refusedTruth(expected: readonly ExpectedCall[]): string | undefined;
  /** `described`: the tools are the event's, which keep their descriptions. */
  refusedTools(tools: readonly Json[], described: boolean): string | undefined;
  /** Returns whether the arguments of a well-formed call are accepted; `fits` checks them against the parameters of a known tool. */
  accepts(
    expected: JsonObject,
    name: string,
    args: JsonObject,
    tools: ToolList,
    fits: (parameters: JsonObject) => boolean,
  ): boolean;
}

/** DeepFabric as it is documented (docs/reference/scoring.md, "schema"). */
export const specProfile: Profile = {
  skipsNothingExpected: true,
  refusesNameless: true,
  namesRefused: true,
  schemaOf,
  fits: fitsParameters,
  refusedTruth: () => undefined,
  refusedTools: () => undefined,
  accepts(expected, name, args, tools, fits) {
    if (!tools.schemas) return sameValues(expected, args);
    const tool = findTool(tools, name);
    if (tool === undefined) return false;
    const parameters = parametersOf(tool);
    return parameters === undefined || fits(parameters);
  },
};

/** DeepFabric as its own code behaves (docs/reference/scoring.md, "schema", upstream). */
export const upstreamProfile: Profile = {
  skipsNothingExpected: false,
  refusesNameless: false,
  namesRefused: false,
  schemaOf: (parameters) => parameters,
  fits: fitsUpstream,
  refusedTruth(expected) {
    return expected.some(hasBlankArgument) ? 'expected call with an argument that is null or ""' : undefined;
  },
  refusedTools(tools, described) {
    return tools.every((tool) => isReadable(tool, described)) ? undefined : 'malformed tool definition';
  },
  accepts(expected, name, args, tools, fits) {
    if (Object.keys(expected).length === 0 && Object.keys(args).length === 0) return true;
    const tool = tools.schemas && name !== '' ? findTool(tools, name) : undefined;
    if (tool === undefined) return sameValues(expected, args);
    const parameters = parametersOf(tool);
    return parameters === undefined || fits(parameters);
  },
};

function hasBlankArgument(call: ExpectedCall): boolean {
  return Object.values(call.arguments).some((value) => value === null || value === '');
}

/** Returns whether a definition can be converted; null counts as a value where an object or a text belongs, absence does not. */
function isReadable(tool: Json, described: boolean): boolean {
  const { definition, wrapped } = toolDefinition(tool);
  if (!isObject(definition)) return !wrapped;
  if (described && !isDescribed(definition)) return false;
  if (!Object.hasOwn(definition, 'parameters')) return true;
  const parameters = definition['parameters']!;
  if (!isObject(parameters)) return false;
  const properties = parameters['properties'];
  if (!isObject(properties)) return true;
  return Object.values(properties).every(
    (schema) => schema === null || (isObject(schema) && (!described || isDescribed(schema))),
  );
}

function isDescribed(definition: Json): boolean {
  return (
    !isObject(definition) || !Object.hasOwn(definition, 'description') || typeof definition['description'] === 'string'
  );
}
