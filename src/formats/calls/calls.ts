import { isObject, type JsonObject } from '../../scoring/json.ts';
import type { Call } from '../../scoring/prediction.ts';
import { jsonIn } from '../json/parsed.ts';

/** A call as it was given. Its content is never refused: it makes the call malformed. */
export type RawCall = Readonly<Record<string, unknown>>;

/** Name and arguments of a call of any form, as they were given. */
export interface NamedCall {
  readonly name?: unknown;
  readonly arguments?: unknown;
}

/** Calls, malformed ones too; the parsed list itself where each call is well-formed as it stands, as most native traffic is. */
export function callsOf(calls: readonly RawCall[]): readonly Call[] {
  return calls.every(isPlain) ? (calls as readonly unknown[] as readonly Call[]) : calls.map(callOf);
}

/** Reads a call of any form; its name or arguments are undefined where they are malformed. */
export function callOf(given: RawCall): Call {
  const call = namedCall(given);
  return { name: typeof call.name === 'string' ? call.name : undefined, arguments: argumentsOf(call.arguments) };
}

/**
 * Name and arguments of an element of a list of calls, recognised by its keys (docs/reference/inputs.md, "Calls"). One of no form has
 * neither.
 *
 * `{"function": {"name": "f", "arguments": "{}"}}` is `{name: "f", arguments: "{}"}`.
 */
export function namedCall(call: RawCall): NamedCall {
  const { name, type } = call;
  if (name !== undefined && name !== null)
    return type === 'custom_tool_call' ? customCall(call) : { name, arguments: argumentsIn(call) };
  for (const key of wrappers) {
    const inner = call[key];
    if (isObject(inner))
      return key === 'custom' ? customCall(inner) : { name: inner['name'], arguments: argumentsIn(inner) };
  }
  for (const key of nameKeys)
    if (typeof call[key] === 'string') return { name: call[key], arguments: argumentsIn(call) };
  if (call['method'] === 'tools/call' && isObject(call['params'])) return namedCall(call['params']);
  if (typeof type !== 'string') return { arguments: argumentsIn(call) };
  const own = ownTool.exec(type)?.[1];
  if (own !== undefined) return { name: own, arguments: call['action'] ?? call['operation'] };
  return { name: pagePart.exec(type)?.[1], arguments: argumentsIn(call) };
}

/** Returns whether an object is unmistakably a call, wherever it lies. */
export function isCall(value: RawCall): boolean {
  const { name, type, method, params } = value;
  if (toolUses.has(type) || toolUses.has(value['part_kind'])) return true;
  if (
    typeof type === 'string' &&
    (ownTool.test(type) || (pagePart.test(type) && ('toolCallId' in value || isObject(value['input']))))
  )
    return true;
  if (typeof name === 'string' && typeof type === 'string' && type.endsWith('_call')) return true;
  if (typeof name === 'string') return flatArguments.some((key) => isArguments(value[key])) || isNamedInput(value);
  if (wrappers.some((key) => isWrapped(key, value[key]))) return true;
  if (method === 'tools/call') return isObject(params);
  return nameKeys.some((key) => typeof value[key] === 'string' && argumentKeys.some((at) => isArguments(value[at])));
}

/** Returns whether an element is a call of a tool of the API's own, which it has executed before it answered. */
export function isServerCall({ type }: RawCall): boolean {
  return serverCalls.has(type);
}

/**
 * The first key of a call that nothing reads, where its name or its arguments are absent: they may lie there. Undefined for a call
 * that was understood.
 */
export function unreadKeyOf(call: RawCall): string | undefined {
  const { name, arguments: given } = namedCall(call);
  const lacksName = name === undefined || name === null;
  if (!lacksName && given !== undefined && given !== null) return undefined;
  const wrapped = wrappers.map((key) => call[key]).find(isObject) ?? call;
  const mayHold = (value: unknown): boolean =>
    isObject(value) || (typeof value === 'string' && (lacksName || /^\s*\{/.test(value)));
  return Object.keys(wrapped).find((key) => !understood.has(key) && mayHold((wrapped as RawCall)[key]));
}

/** Parsed arguments: absent, null and empty text are `{}`; undefined where they are no object. */
export function argumentsOf(given: unknown): JsonObject | undefined {
  if (given === null || given === undefined) return {};
  if (typeof given !== 'string') return isObject(given) ? given : undefined;
  if (given.trim() === '') return {};
  const value = jsonIn(given);
  return value === null ? {} : isObject(value) ? value : undefined;
}

/** Calls that the API has executed before it answered: no decision of the agent's waits for them. */
const serverCalls: ReadonlySet<unknown> = new Set([
  'server_tool_use',
  'server_tool_call',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
]);

/** Keys under which a call may lie as a whole. */
const wrappers = ['function', 'functionCall', 'function_call', 'toolUse', 'custom'] as const;
/** Keys of a name where there is no `name`: Vercel AI SDK, pydantic-ai and Claude Code, LangChain's actions, Inspect. */
const nameKeys = ['toolName', 'tool_name', 'tool', 'function'] as const;
/** Keys of arguments, in the order in which they are looked for. */
const argumentKeys = ['arguments', 'args', 'input', 'input_parameters', 'parameters', 'tool_input', 'kwargs'] as const;
/** Keys of arguments that only a call has beside a name: a tool has `parameters`, and much else has an `input`. */
const flatArguments = ['arguments', 'args', 'input_parameters'] as const;
const toolUses: ReadonlySet<unknown> = new Set([
  'tool_use',
  'server_tool_use',
  'mcp_tool_use',
  'tool-call',
  'function_call',
]);
/** A call of a tool that the API defines, and whose name is its type. */
const ownTool = /^(?!(?:function|tool|custom_tool|mcp|invalid_tool)_call$)(.+)_call$/;
/** A part of a message for the page, of Vercel AI SDK 5: its type names the tool. */
const pagePart = /^tool-(?!(?:call|result|error|return|approval|input|output)(?:-|$))(.+)$/;
/** Keys of a call that are read, or that say nothing of what is called. */
export const understood: ReadonlySet<string> = new Set([
  ...['type', 'id', 'call_id', 'tool_call_id', 'toolCallId', 'tool_use_id', 'toolUseId', 'index', 'name', 'namespace'],
  ...['status', 'caller', 'server_name', 'server_label', 'toolCallType', 'thoughtSignature', 'thought_signature'],
  ...['part_kind', 'error', 'output', 'result', 'description', 'reasoning', 'jsonrpc', 'method', 'accept'],
  ...['approval_request_id', 'extra_content', 'cache_control', 'partial', 'title', 'provider_name'],
  ...wrappers,
  ...nameKeys,
  ...argumentKeys,
]);

function argumentsIn(call: RawCall): unknown {
  for (const key of argumentKeys) if (call[key] !== undefined && call[key] !== null) return call[key];
  return undefined;
}

/** A call of a tool that takes text rather than JSON. */
function customCall({ name, input }: RawCall): NamedCall {
  return { name, arguments: input === undefined || input === null ? {} : { input } };
}

function isPlain({ name, arguments: given }: RawCall): boolean {
  return typeof name === 'string' && isObject(given);
}

function isArguments(value: unknown): boolean {
  return typeof value === 'string' || isObject(value);
}

/** Returns whether an object with an id and a name has an input as calls have one: spans and observations have a type, an output or times beside it. */
function isNamedInput({ id, input, output, type, startTime, start_time: started }: RawCall): boolean {
  return isObject(input) && typeof id === 'string' && (output ?? type ?? startTime ?? started) === undefined;
}

function isWrapped(key: string, inner: unknown): boolean {
  if (!isObject(inner)) return false;
  if (key === 'functionCall' || key === 'function_call' || key === 'toolUse') return inner['name'] !== '';
  // A tool is given under `function` too, with its parameters.
  if (typeof inner['name'] !== 'string') return false;
  return key === 'custom'
    ? inner['input'] !== undefined
    : isArguments(inner['arguments']) || isArguments(inner['args']);
}
