import { isObject, type JsonObject } from '../../scoring/json.ts';

/** What one answer of a model says, by the names of the native event; a field that the form does not have is undefined. */
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
  /** A key that tells an answer of this form from a native event with fields of the same names. */
  readonly mark: string;
  tells(answer: JsonObject): boolean;
  /** An answer for each choice; undefined for a choice that is none. Called where the form tells it is its own. */
  read(answer: JsonObject): readonly (Answer | undefined)[];
}

/** The value under a key of an object; undefined where there is no object, or no such key of its own. */
export function inside(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The objects in a list; none where it is no list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A text, or the texts of a list of parts joined; undefined where there is neither. */
export function textOf(content: unknown): string | undefined {
  return typeof content === 'string' ? content : joined(objectsIn(content).map((part) => inside(part, 'text')));
}

/** The texts among some values as one; undefined where there are none. */
export function joined(values: readonly unknown[]): string | undefined {
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length === 0 ? undefined : texts.join('');
}

/** A list, or undefined where it is empty: a provider that leaves the list of calls out made none. */
export function unlessEmpty<Item>(list: readonly Item[]): readonly Item[] | undefined {
  return list.length === 0 ? undefined : list;
}
