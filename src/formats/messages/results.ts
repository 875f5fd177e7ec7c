import { paired, type Result, type Returned } from '../../stream/results.ts';
import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { namedCall, type RawCall } from '../calls/calls.ts';
import { errorIn, failureIn } from './failure.ts';

/** Reads an element or part that is the result of a call; undefined for any other. */
export function returnedIn(given: JsonObject, isTool: boolean): Returned | undefined {
  const wrapped = given['toolResult'] ?? given['functionResponse'] ?? given['function_response'];
  const element = isObject(wrapped) ? wrapped : given;
  if (!isTool && !isObject(wrapped) && !isResult(given)) return undefined;
  const { name, tool_name: toolName, toolName: camel, content, output, result, response, status } = element;
  const returned = output ?? result ?? content ?? response;
  const marks = [element['is_error'], element['isError'], isObject(result) ? result['isError'] : undefined];
  const isMarked = marks.includes(true) || status === 'error' || failures.has(kindOf(given));
  const isWell = marks.includes(false) || status === 'success';
  const error = errorOf(element, given) ?? (isMarked || isWell ? undefined : failureIn(returned));
  return {
    id: idOf(element),
    name: [name, toolName, camel].find((each) => typeof each === 'string') as string | undefined,
    ok: error === undefined && !isMarked,
    error,
    output: returned,
  };
}

/** The id of a call, or of the call that a result belongs to. */
export function idOf(element: RawCall): string | undefined {
  for (const key of idKeys) {
    const id = element[key];
    if (typeof id === 'string' && id !== '') return id;
    if (typeof id === 'number') return String(id);
  }
  const inner = element['toolUse'] ?? element['functionCall'] ?? element['function_call'];
  return isObject(inner) ? idOf(inner) : undefined;
}

/** The results of calls by what came back for them. */
export function resultsOf(calls: readonly RawCall[], returned: readonly Returned[]): Result[] {
  return paired(
    calls.map((call: unknown) => (isObject(call) ? { name: namedCall(call).name, id: idOf(call) } : undefined)),
    returned,
  );
}

const idKeys = ['call_id', 'tool_call_id', 'toolCallId', 'tool_use_id', 'toolUseId', 'id'] as const;
const resultKinds: ReadonlySet<unknown> = new Set([
  'tool_result',
  'mcp_tool_result',
  'tool-result',
  'tool-return',
  'tool_call_response',
]);
const failures: ReadonlySet<unknown> = new Set(['tool-error', 'retry-prompt']);

function kindOf({ type, part_kind: kind }: JsonObject): Json | undefined {
  return kind ?? type;
}

function isResult(given: JsonObject): boolean {
  const kind = kindOf(given);
  if (resultKinds.has(kind) || failures.has(kind)) return true;
  if (typeof kind === 'string' && /_call_output$|_tool_result$/.test(kind)) return true;
  const { jsonrpc, method, result, error, call_id: callId, tool_call_id: toolCallId } = given;
  if (jsonrpc !== undefined) return method === undefined && (result !== undefined || error !== undefined);
  return (callId ?? toolCallId) !== undefined && kind === undefined && given['content'] !== undefined;
}

function errorOf(
  { error, errorText, statusMessage, response }: JsonObject,
  { type, content }: JsonObject,
): string | undefined {
  // Gemini's function responses have the key `error` for it.
  const within = isObject(response) ? response['error'] : undefined;
  return errorIn(error ?? errorText ?? statusMessage ?? within ?? (type === 'retry-prompt' ? content : undefined));
}
