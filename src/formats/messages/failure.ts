import { isObject, type JsonObject } from '../../scoring/json.ts';
import { jsonOf } from '../../scoring/parse-json.ts';
import { jsonText } from '../json/json-text.ts';

/** The text of an error, as the key `error` of a result gives it; undefined where it says that there is none. */
export function errorIn(given: unknown): string | undefined {
  if (given === undefined || given === null || given === '' || given === false) return undefined;
  if (typeof given === 'string') return given;
  const message = isObject(given) ? given['message'] : undefined;
  return typeof message === 'string' ? message : jsonText(given as JsonObject);
}

/**
 * The error that the output of a tool tells in its own words, where no mark beside it says whether the tool failed: the messages of OpenAI's chat
 * have none. Undefined where it tells none.
 *
 * `Error: payment method not found` and `{"error": "timeout"}` are errors; `0 errors found` is none.
 */
export function failureIn(output: unknown): string | undefined {
  const text = textIn(output);
  if (text !== undefined && tellsError.test(text)) return text;
  const object = isObject(output) ? output : text === undefined ? undefined : objectIn(text);
  if (object === undefined) return undefined;
  const { error, status } = object;
  const named = typeof error === 'string' || isObject(error) ? errorIn(error) : undefined;
  const isMarked = error === true || object['isError'] === true || object['is_error'] === true || status === 'error';
  return named ?? (isMarked ? jsonText(object) : undefined);
}

/** The text of an output, also where it is a list of parts; undefined where it has none. */
export function textIn(output: unknown): string | undefined {
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) return undefined;
  const texts = (output as readonly unknown[]).flatMap((part) =>
    typeof part === 'string' ? part : isObject(part) && typeof part['text'] === 'string' ? part['text'] : [],
  );
  return texts.length === 0 ? undefined : texts.join('\n');
}

/**
 * Beginnings of the texts by which frameworks tell a model that its tool failed: tau-bench and LangGraph (`Error: `), MCP's SDKs (`Error executing
 * tool`, `Error calling tool`), crewAI (`Error executing tool`), OpenAI's Agents SDK (`An error occurred while running the tool`), OpenClaw
 * (`[tools] exec failed`), and tracebacks of Python.
 */
const tellsError =
  /^\s*(?:\[\w+\]\s*\w+ failed\b|error:|error (?:executing|calling|invoking|running)\b|an error occurred\b|tool (?:execution|call) failed\b|traceback \(most recent call last\))/i;

/** Characters in which a key of an error is looked for before a text is parsed. */
const lookedAt = 2_000;

function objectIn(text: string): JsonObject | undefined {
  if (!/^\s*\{/.test(text) || !/"(?:error|isError|is_error|status)"/.test(text.slice(0, lookedAt))) return undefined;
  const parsed = jsonOf(text);
  return isObject(parsed) ? parsed : undefined;
}
