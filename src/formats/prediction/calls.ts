import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { toolDefinition } from '../../scoring/tool.ts';
import type { Call } from '../../scoring/prediction.ts';
import { previewText } from '../json/preview.ts';
import { shortened } from '../json/shortened.ts';
import type { MalformedCalls } from '../../stream/event.ts';
import type { RawCall } from './schema.ts';
import { jsonIn } from '../json/parsed.ts';

/** Name and arguments of a call of any form, as they were given. */
export interface NamedCall {
  readonly name?: unknown;
  readonly arguments?: unknown;
}

/** Calls, malformed ones too; the parsed list itself where each call is well-formed as it stands, as nearly all traffic is. */
export function callsOf(calls: readonly RawCall[]): readonly Call[] {
  return calls.every(isCall) ? calls : calls.map(callOf);
}

/** Name and arguments of a call in any of the forms of docs/reference/inputs.md, "Calls"; of none, and it has neither. */
export function namedCall(call: RawCall): NamedCall {
  if (call.name !== undefined && call.name !== null) return flatCall(call);
  if (isObject(call.function)) return { name: call.function['name'], arguments: call.function['arguments'] };
  if (isObject(call.functionCall)) return { name: call.functionCall['name'], arguments: call.functionCall['args'] };
  if (isObject(call.toolUse)) return { name: call.toolUse['name'], arguments: call.toolUse['input'] };
  return isObject(call.custom) ? customCall(call.custom) : call;
}

/** A call of a tool that takes text rather than JSON. */
export function customCall({ name, input }: RawCall): NamedCall {
  return { name, arguments: input === undefined || input === null ? {} : { input } };
}

/** The problems of calls of which some are malformed. */
export function malformedCalls(calls: readonly RawCall[]): MalformedCalls {
  const malformed = calls.filter((given) => {
    const call = callOf(given);
    return call.name === undefined || call.arguments === undefined;
  });
  const texts = malformed.map((given) => namedCall(given).arguments).filter((given) => typeof given === 'string');
  const unparsed = texts.filter((text) => jsonIn(text) === undefined);
  const options = { charactersMax: 80, redact: new Set<string>() };
  const [first] = malformed;
  return {
    count: malformed.length,
    text: first === undefined ? '' : previewText(first as Json, options),
    unparsed: unparsed.length,
    unparsedText: shortened(unparsed[0] ?? ''),
  };
}

/** Tools in any of the forms, as the ones that scoring reads; the array itself where it holds those alone. */
export function toolsOf(tools: readonly Json[]): readonly Json[] {
  return tools.some(isForeign) ? tools.flatMap(toolOf) : tools;
}

function flatCall(call: RawCall): NamedCall {
  if ('arguments' in call) return call;
  if ('args' in call) return { name: call.name, arguments: call.args };
  return call.type === 'tool_use' ? { name: call.name, arguments: call.input } : call;
}

function isCall(call: RawCall): call is Call {
  return typeof call.name === 'string' && isObject(call.arguments);
}

function callOf(given: RawCall): Call {
  const call = namedCall(given);
  return { name: typeof call.name === 'string' ? call.name : undefined, arguments: argumentsOf(call.arguments) };
}

function argumentsOf(given: unknown): JsonObject | undefined {
  if (given === null || given === undefined) return {};
  const value = typeof given === 'string' ? jsonIn(given) : given;
  return isObject(value) ? value : undefined;
}

function isForeign(tool: Json): boolean {
  return isObject(tool) && ('input_schema' in tool || 'functionDeclarations' in tool || 'toolSpec' in tool);
}

function toolOf(tool: Json): readonly Json[] {
  if (!isObject(tool)) return [tool];
  const { functionDeclarations: several, toolSpec } = tool;
  if (Array.isArray(several)) return several.map((each: Json) => withParameters(each, 'parametersJsonSchema'));
  if (isObject(toolSpec)) {
    const { inputSchema } = toolSpec;
    return [named(toolSpec, isObject(inputSchema) ? inputSchema['json'] : undefined)];
  }
  return [withParameters(tool, 'input_schema')];
}

/** A tool whose parameters may lie under another key. */
function withParameters(tool: Json, key: string): Json {
  const { definition } = toolDefinition(tool);
  if (!isObject(definition) || 'parameters' in definition) return tool;
  return key in definition ? named(definition, definition[key]) : tool;
}

function named({ name }: JsonObject, parameters: Json | undefined): Json {
  if (parameters === undefined) return name === undefined ? {} : { name };
  return name === undefined ? { parameters } : { name, parameters };
}
