import { isObject, type Json, type JsonObject } from './json.ts';
import type { Call, Prediction } from './prediction.ts';

/**
 * A tool's name in any of the accepted forms: a bare name, `{name, …}`, or OpenAI's `{type: "function", function: {name, …}}`;
 * `undefined` where it has none.
 */
export function toolName(tool: Json): string | undefined {
  if (typeof tool === 'string') return tool;
  const { definition } = toolDefinition(tool);
  const name = isObject(definition) ? definition['name'] : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** The object that holds name and parameters, and whether it lay under `function`. */
export function toolDefinition(tool: Json): { readonly definition: Json; readonly wrapped: boolean } {
  if (isObject(tool) && Object.hasOwn(tool, 'function')) return { definition: tool['function']!, wrapped: true };
  return { definition: tool, wrapped: false };
}

/** A tool's JSON Schema of its arguments; `undefined` where it has none. */
export function parametersOf(tool: Json): JsonObject | undefined {
  const { definition } = toolDefinition(tool);
  const parameters = isObject(definition) ? definition['parameters'] : undefined;
  return isObject(parameters) ? parameters : undefined;
}

/** Calls to none of the tools that the event itself names: needs no truth. */
export function unknownCalls({ calls, tools }: Prediction): number {
  return calls === undefined || tools === undefined ? 0 : unknownAmong(calls, tools);
}

/** Number of calls to none of the tools. */
export function unknownAmong(calls: readonly Pick<Call, 'name'>[], tools: readonly Json[]): number {
  let unknown = 0;
  for (const { name } of calls) if (!isNamed(name, tools)) unknown++;
  return unknown;
}

/** Returns whether one of the tools has the name. */
export function isNamed(name: string | undefined, tools: readonly Json[]): boolean {
  if (name === undefined) return false;
  for (let i = 0; i < tools.length; i++) if (toolName(tools[i]!) === name) return true;
  return false;
}
