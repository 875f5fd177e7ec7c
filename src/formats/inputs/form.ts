import { isObject, type JsonObject } from '../../scoring/json.ts';

/** The content of one answer of a model, by the names of the native event. */
export interface Answer {
  readonly event_id?: unknown;
  readonly ts?: unknown;
  readonly model?: unknown;
  readonly tool_calls?: unknown;
  readonly tools?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  /** The model, or a filter before or after it, declined to answer. */
  readonly refused?: boolean;
}

/** A form of records (docs/reference/inputs.md, "Records"). Its functions take any JSON object, and never throw. */
export interface Form {
  /** Where an answer of this form has its content, for messages. */
  readonly content: string;
  /** A key of an answer of this form that a native event with fields of the same names lacks. */
  readonly mark: string;
  tells(answer: JsonObject): boolean;
  /** The list of choices in an answer that may have several. */
  choices?(answer: JsonObject): readonly unknown[];
  /** Reads an answer, or one of its choices; undefined for a choice that is none. Called for an answer for which `tells` is true. */
  read(answer: JsonObject, choice?: unknown): Answer | undefined;
}

/** The value under a key of an object; undefined where there is no object, or no such key of its own. */
export function inside(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns whether a list holds an object that passes; false where it is no list. */
export function hasObject(list: unknown, passes: (object: JsonObject) => boolean): boolean {
  return Array.isArray(list) && list.some((item) => isObject(item) && passes(item));
}

/** A text, or the texts of a list of parts joined; undefined where there is neither. */
export function textOf(content: unknown): string | undefined {
  return typeof content === 'string'
    ? content
    : gathered(
        content,
        () => undefined,
        (part) => part['text'],
      ).text;
}

/** The content of an answer's parts: their calls, undefined where there are none, and their texts joined, undefined where there are none. */
export interface Gathered {
  calls: JsonObject[] | undefined;
  text: string | undefined;
}

/** Gathers the objects of a list: each is a call, or may have a text. Nothing where it is no list. */
export function gathered(
  parts: unknown,
  callIn: (part: JsonObject) => JsonObject | undefined,
  textIn: (part: JsonObject) => unknown,
): Gathered {
  const found: Gathered = { calls: undefined, text: undefined };
  if (!Array.isArray(parts)) return found;
  for (const part of parts) {
    if (!isObject(part)) continue;
    const call = callIn(part);
    if (call !== undefined) (found.calls ??= []).push(call);
    const text = textIn(part);
    if (typeof text === 'string') found.text = found.text === undefined ? text : found.text + text;
  }
  return found;
}
