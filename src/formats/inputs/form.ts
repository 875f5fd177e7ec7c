import { isObject, type JsonObject } from '../../scoring/json.ts';
import { contentOf, readAnswer, readSteps } from '../messages/steps.ts';

/** The content of one answer of a model, by the names of the native event. */
export interface Answer {
  readonly event_id?: unknown;
  readonly ts?: unknown;
  readonly model?: unknown;
  readonly tool_calls?: unknown;
  readonly results?: unknown;
  /** Answers of the model, where they are several. */
  readonly steps?: number | undefined;
  /** A call with a result is the last of them, so that no words follow; or more of the answer was to come. */
  readonly unfinished?: boolean;
  /** Its words follow its last call. */
  readonly closes?: boolean | undefined;
  readonly tools?: unknown;
  readonly output?: unknown;
  readonly error?: unknown;
  /** The model, or a filter before or after it, declined to answer. */
  readonly refused?: boolean;
  /** A key of the answer that nothing reads, where nothing of its content was read. */
  readonly unread?: string | undefined;
}

/** The content of an answer's message, or of its list of items or parts. */
export function said(content: unknown): Answer {
  const steps = isObject(content) ? readAnswer(content) : readSteps([content], { isAnswer: true });
  return contentOf(steps);
}

/** The first of some values that is there; null and empty text are absent. */
export function firstGiven(...values: readonly unknown[]): unknown {
  return values.find((value) => value !== undefined && value !== null && value !== '');
}

/** A form of records (docs/reference/inputs.md, "Records"). Its functions take any JSON object, and never throw. */
export interface Form {
  /** Where an answer of this form has its content, for messages. */
  readonly content: string;
  /** A key of an answer of this form that a native event with fields of the same names lacks. */
  readonly mark: string;
  /** Returns whether an answer has another such key. */
  isMarked?(answer: JsonObject): boolean;
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

/** Returns whether a choice, or a message of a span, was cut off by a content filter, as OpenAI marks it. */
export function isFiltered(choice: unknown): boolean {
  return inside(choice, 'finish_reason') === 'content_filter';
}
