import { isObject } from '../../scoring/json.ts';
import { isCall } from '../calls/calls.ts';
import { jsonIn } from '../json/parsed.ts';
import { shortened } from '../json/shortened.ts';

/**
 * A call that a server left in the text of an answer, since it did not parse what its model wrote; undefined for any other text. Forms:
 * the chat templates of Hermes and Qwen, Mistral, Llama, DeepSeek, and a call as bare or fenced JSON.
 *
 * `<tool_call>{"name": "f", "arguments": {}}</tool_call>` is one.
 */
export function callLeftIn(output: unknown): string | undefined {
  if (typeof output !== 'string' || !mayHold.test(output)) return undefined;
  if (marks.test(output)) return shortened(output);
  const text = /^\s*(?:```(?:json)?\s*)?([[{][\s\S]*[\]}])\s*(?:```)?\s*$/.exec(output)?.[1];
  const value = text === undefined ? undefined : jsonIn(text);
  const [first] = Array.isArray(value) ? (value as readonly unknown[]) : [value];
  return isObject(first) && (isCall(first) || isBare(first)) ? shortened(output) : undefined;
}

const mayHold = /[<[{]/;
const marks = /<tool_calls?>|<\|tool_calls?|<\|python_tag\|>|\[TOOL_CALLS\]|<function[=_]|<\uFF5Ctool\u2581call/;

/** Llama's form of a call, which elsewhere is a tool. */
function isBare({ name, parameters }: { readonly name?: unknown; readonly parameters?: unknown }): boolean {
  return typeof name === 'string' && isObject(parameters);
}
