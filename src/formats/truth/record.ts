import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { type Label, labels } from '../../scoring/label.ts';
import { toolDefinition } from '../../scoring/tool.ts';
import { shortened } from '../json/shortened.ts';
import { idCharactersMax, isId } from '../bytes/unicode.ts';

/** One row of truth as NDJSON gives it (docs/reference/truth.md), checked; null is "not recorded". */
export interface TruthRecord {
  readonly example_id: string;
  readonly label: Label | null;
  readonly tools: readonly TruthTool[] | null;
  readonly expected_tool_calls: readonly TruthCall[] | null;
  readonly reference: Json;
}

/** `parameters` undefined is "not given"; an explicit null is a value. A tool under OpenAI's `function` may lack a name. */
export interface TruthTool {
  readonly name: string | undefined;
  readonly parameters: Json | undefined;
}

export interface TruthCall {
  readonly name: string;
  /** An object, or its JSON text. */
  readonly arguments: JsonObject | string;
}

/**
 * The record of a line of NDJSON, or what is wrong with it: place, value, remedy (the caller puts file and line before it).
 */
export function readTruthRecord(line: string): TruthRecord | { readonly problem: string } {
  try {
    return recordOf(parsed(line));
  } catch (error) {
    if (error instanceof RecordError) return { problem: error.message };
    throw error;
  }
}

class RecordError extends Error {}

function parsed(line: string): Json {
  try {
    return JSON.parse(line) as Json;
  } catch (error) {
    throw new RecordError(`not JSON (${error instanceof Error ? error.message : error}); write one JSON object a line`);
  }
}

function recordOf(value: Json): TruthRecord {
  if (!isObject(value)) throw new RecordError(`is ${shortened(value)}; write one JSON object a line`);
  const { example_id: id, label = null, tools = null, expected_tool_calls: calls = null, reference = null } = value;
  if (!isId(id, idCharactersMax)) {
    throw new RecordError(
      `example_id: must be a text of 1 to ${idCharactersMax} characters without lone surrogates, is ${shortened(id)}`,
    );
  }
  if (label !== null && !labels.includes(label as Label)) {
    throw new RecordError(`label: must be one of ${labels.join(', ')}, or null, is ${shortened(label)}`);
  }
  return {
    example_id: id,
    label: label as Label | null,
    tools: listOf('tools', tools)?.map(toolOf) ?? null,
    expected_tool_calls: listOf('expected_tool_calls', calls)?.map(callOf) ?? null,
    reference,
  };
}

function listOf(field: string, value: Json): readonly Json[] | null {
  if (value !== null && !Array.isArray(value)) {
    throw new RecordError(`${field}: must be an array or null, is ${shortened(value)}`);
  }
  return value;
}

/** A bare name, {name, parameters}, or OpenAI's {type: "function", function: {…}}, however odd what lies under `function`. */
function toolOf(tool: Json, at: number): TruthTool {
  const place = `tools[${at}]`;
  if (typeof tool === 'string') return { name: named(tool, place), parameters: undefined };
  if (!isObject(tool))
    throw new RecordError(`${place}: must be a name or an object {"name": …, "parameters": …}, is ${shortened(tool)}`);
  const { definition, wrapped } = toolDefinition(tool);
  // A definition that is no object at all is as wrong as parameters that are none, and recorded as such.
  if (!isObject(definition)) return { name: undefined, parameters: null };
  const { name, parameters } = definition;
  if (typeof name !== 'string' && !wrapped)
    throw new RecordError(`${place}.name: must be a text, is ${shortened(name)}`);
  return { name: typeof name === 'string' ? named(name, `${place}.name`) : undefined, parameters };
}

function callOf(call: Json, at: number): TruthCall {
  const place = `expected_tool_calls[${at}]`;
  if (!isObject(call))
    throw new RecordError(`${place}: must be an object {"name": …, "arguments": …}, is ${shortened(call)}`);
  const { name, arguments: given = null } = call;
  if (typeof name !== 'string') throw new RecordError(`${place}.name: must be a text, is ${shortened(name)}`);
  return { name: named(name, `${place}.name`), arguments: argumentsOf(given, `${place}.arguments`) };
}

function argumentsOf(given: Json, place: string): JsonObject | string {
  if (given === null) return {};
  if (isObject(given) || (typeof given === 'string' && isObject(parsedOr(given)))) return given;
  throw new RecordError(`${place}: must be an object, or the JSON text of one, is ${shortened(given)}`);
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Names are kept as UTF-8, which has no lone surrogates. */
function named(name: string, place: string): string {
  if (!name.isWellFormed()) throw new RecordError(`${place}: must have no lone surrogates, is ${shortened(name)}`);
  return name;
}
