import { isObject, type Json, type JsonObject } from './json.ts';
import type { Prediction } from './prediction.ts';

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
  if (calls === undefined || tools === undefined) return 0;
  let unknown = 0;
  for (let i = 0; i < calls.length; i++) if (!names(tools, calls[i]!.name)) unknown++;
  return unknown;
}

function names(tools: readonly Json[], name: string | undefined): boolean {
  if (name === undefined) return false;
  for (let i = 0; i < tools.length; i++) if (toolName(tools[i]!) === name) return true;
  return false;
}
