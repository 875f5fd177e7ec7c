import * as z from 'zod';
import { isObject } from '../../scoring/json.ts';
import { fits, idCharactersMax, isId } from '../bytes/unicode.ts';

/** One event as JSON gives it, after `isEvent`. For every field null means absent; unknown fields are left alone. */
export interface RawEvent {
  readonly [field: string]: unknown;
  readonly example_id?: string | null;
  readonly event_id?: string | null;
  readonly ts?: string | number | null;
  readonly model?: string | null;
  readonly agent?: string | null;
  readonly tags?: { readonly [tag: string]: unknown } | null;
  readonly run?: number | null;
  readonly label?: string | null;
  readonly tool_calls?: readonly RawCall[] | null;
  readonly tools?: readonly (string | object)[] | null;
  readonly output?: unknown;
  readonly error?: string | null;
  readonly success?: boolean | null;
}

/** What a call holds is never refused: it makes the call malformed. */
export interface RawCall {
  readonly name?: unknown;
  readonly arguments?: unknown;
}

/** Stands for "the rest" in every output, so no model or agent may be named so. */
export const otherName = '__other__';
const nameCharactersMax = 256;

/**
 * The fields of a prediction event (docs/reference/events.md), for explanations; the messages are their remedies. `isEvent` says the
 * same, and both use the same predicates.
 */
const eventSchema = z.object({
  example_id: field(isGivenId, 'a text of 1 to 512 characters without lone surrogates'),
  event_id: field(isGivenId, 'a text of 1 to 512 characters without lone surrogates'),
  ts: field(isTime, 'ISO 8601 text or a number of milliseconds'),
  model: field(isName, `a text of at most ${nameCharactersMax} characters other than "${otherName}"`),
  agent: field(isName, `a text of at most ${nameCharactersMax} characters other than "${otherName}"`),
  tags: field(isObject, 'an object'),
  run: field(isRun, 'an integer of at least 0'),
  label: field(isText, 'a text'),
  tool_calls: list(isObject, 'an object {"name": …, "arguments": …}'),
  tools: list(isTool, 'a name or an object {"name": …, "parameters": …}'),
  error: field(isText, 'a text'),
  success: field(isTruth, 'true or false'),
});

type Fields = { readonly [Field in keyof typeof eventSchema.shape]?: unknown };

/**
 * Whether a JSON value is an event by the types of its fields. Written out: even compiled, the schema takes five times as long, which is a
 * twelfth of parsing the event.
 */
export function isEvent(value: unknown): value is RawEvent {
  if (!isObject(value)) return false;
  const event: Fields = value;
  return (
    (isAbsent(event.example_id) || isGivenId(event.example_id)) &&
    (isAbsent(event.event_id) || isGivenId(event.event_id)) &&
    (isAbsent(event.ts) || isTime(event.ts)) &&
    (isAbsent(event.model) || isName(event.model)) &&
    (isAbsent(event.agent) || isName(event.agent)) &&
    (isAbsent(event.tags) || isObject(event.tags)) &&
    (isAbsent(event.run) || isRun(event.run)) &&
    (isAbsent(event.label) || isText(event.label)) &&
    (isAbsent(event.tool_calls) || isListOf(event.tool_calls, isObject)) &&
    (isAbsent(event.tools) || isListOf(event.tools, isTool)) &&
    (isAbsent(event.error) || isText(event.error)) &&
    (isAbsent(event.success) || isTruth(event.success))
  );
}

/** What is wrong with a value that is no event, and where. `path` is the first offending place; empty for the whole value. */
export function explainEvent(value: unknown): { readonly path: readonly PropertyKey[]; readonly expected: string } {
  if (!isObject(value)) return { path: [], expected: 'a JSON object, or an array of objects' };
  const issue = z.safeParse(eventSchema, value).error?.issues[0];
  return { path: issue?.path ?? [], expected: issue?.message ?? 'an event' };
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

function isGivenId(value: unknown): boolean {
  return isId(value, idCharactersMax);
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && fits(value, nameCharactersMax) && value !== otherName;
}

function isRun(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTruth(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isTool(value: unknown): boolean {
  return typeof value === 'string' || isObject(value);
}

function isListOf(value: unknown, accepts: (item: unknown) => boolean): boolean {
  if (!Array.isArray(value)) return false;
  for (let i = 0; i < value.length; i++) if (!accepts(value[i])) return false;
  return true;
}

type Check = z.ZodOptional<z.ZodNullable<z.ZodType>>;

function field(accepts: (value: unknown) => boolean, expected: string): Check {
  return z.custom<unknown>(accepts, `must be ${expected}`).nullish();
}

function list(accepts: (value: unknown) => boolean, expected: string): Check {
  return z.array(z.custom<unknown>(accepts, `must be ${expected}`), 'must be an array').nullish();
}
