import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { readTimestamp } from '../../scoring/timestamp.ts';
import { parsedOr } from '../json/parsed.ts';
import { type Expectation, expectationIn } from './expectation.ts';
import type { LackKind } from './lacks.ts';

/** The truth that a record gives on one example: its id, where it has one, and when it was written. */
export interface Given {
  /** Undefined: the record names nothing that an event carries. */
  readonly id: unknown;
  readonly parts: Expectation;
  /** Time of its last change, in ms; undefined where it has none. */
  readonly changedMs: number | undefined;
}

/** The truth in a part of a record, or why there is none. */
export type Reading = Given | { readonly lack: LackKind };

/** An export of a platform (docs/reference/truth.md, "Platforms"). Its functions never throw. */
export interface Platform {
  /** Parts of a record, each with truth of its own: a page of an API holds many. */
  readonly parts: (record: JsonObject) => readonly JsonObject[];
  /** `number` is that of the part, from 1, among all parts of the file. */
  readonly read: (part: JsonObject, number: number) => Reading;
}

/** The objects under the first of some keys that holds some; the record itself where none does. */
export function partsUnder(record: JsonObject, ...keys: readonly string[]): readonly JsonObject[] {
  for (const key of keys) {
    const list = parsedOr(record[key]);
    const objects = Array.isArray(list) ? (list as readonly unknown[]).map(parsedOr).filter(isObject) : [];
    if (objects.length > 0) return objects;
  }
  return [record];
}

/** The object under a key, also where it is JSON text; an empty one where there is none. */
export function objectAt(record: JsonObject, key: string): JsonObject {
  const value = parsedOr(record[key]);
  return isObject(value) ? value : {};
}

/** The first of some keys of a record with a value. */
export function firstAt(record: JsonObject, ...keys: readonly string[]): Json | undefined {
  return keys.map((key) => record[key]).find((value) => value !== undefined && value !== null && value !== '');
}

/** The truth in an expected answer, with the tools that its input lists. */
export function readingOf(
  id: unknown,
  answer: unknown,
  { input, changed }: { readonly input?: unknown; readonly changed?: unknown } = {},
): Reading {
  const found = expectationIn(answer);
  if (typeof found === 'string') return { lack: found };
  const asked = parsedOr(input);
  const tools = isObject(asked) ? parsedOr(asked['tools']) : undefined;
  const parts = Array.isArray(tools) ? { tools: tools as Json, ...found } : found;
  return { id, parts, changedMs: timeMs(changed) };
}

function timeMs(given: unknown): number | undefined {
  if (typeof given === 'number') return given;
  const ms = typeof given === 'string' ? readTimestamp(given) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
