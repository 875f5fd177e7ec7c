import { isObject, type JsonObject } from '../../scoring/json.ts';
import type { ScannedText } from '../prediction/scanner.ts';

/**
 * What one answer of a model says, by the names of the native event; a field that the form does not have is undefined. Forms write all
 * fields, in this order: objects of one shape are read fast.
 */
export interface Answer {
  readonly event_id: unknown;
  readonly ts: unknown;
  readonly model: unknown;
  readonly tool_calls: unknown;
  readonly tools: unknown;
  readonly output: unknown;
  readonly error: unknown;
  /** The model, or a filter before or after it, declined to answer. */
  readonly refused: boolean;
}

/**
 * Where an answer has what is read of it, for who knows answers by their bytes. JSON Pointers; of several, the first that is there counts. Whatever
 * `read` and `tells` look at is named, but the texts that are left out.
 */
export interface ScannedAnswer {
  readonly event_id: readonly string[];
  readonly ts: readonly string[];
  readonly model: readonly string[];
  /** All else, with the texts in it that nobody reads, and those that are the output: they are hashed apart. */
  readonly content: Readonly<Record<string, readonly ScannedText[]>>;
  /** An answer with one of these, which is not null, is read otherwise. */
  readonly absent?: readonly string[];
}

/** The texts of an answer at a place that are its output. */
export const outputAt = (at: string): ScannedText => ({ at, apart: true });
/** Those that nobody reads. */
export const unreadAt = (at: string): ScannedText => ({ at, apart: false });

/** A form of records (docs/reference/inputs.md, "Records"). Its functions take any JSON object, and never throw. */
export interface Form {
  /** Where an answer of this form has its content, for messages. */
  readonly content: string;
  /** A key that tells an answer of this form from a native event with fields of the same names. */
  readonly mark: string;
  /** Another key that every answer of this form has, where a native event often has the mark. */
  readonly besides?: string;
  tells(answer: JsonObject): boolean;
  /** The list of choices in an answer that may have several. */
  choices?(answer: JsonObject): readonly unknown[];
  /** What an answer, or one of its choices, says; undefined for a choice that is none. Called where the form tells it is its own. */
  read(answer: JsonObject, choice?: unknown): Answer | undefined;
  /** Undefined where answers are always parsed. */
  readonly scanned?: ScannedAnswer;
}

/** The value under a key of an object; undefined where there is no object, or no such key of its own. */
export function inside(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Whether a list holds an object that passes; false where it is no list. */
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

/** What parts of an answer say: their calls, undefined where there are none, and their texts joined, undefined where there are none. */
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
