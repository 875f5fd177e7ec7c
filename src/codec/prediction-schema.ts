import * as z from 'zod';
import { isObject } from '../core/json.ts';
import { fits, idCharactersMax, isId } from './unicode.ts';

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
 * The fields of a prediction event (spec: wire, section 1). Every check is a plain predicate: `z.record` and the like copy
 * what they look at, at several times the cost. The messages are the remedies of `explain`.
 */
const eventSchema = z.object({
  example_id: field((v) => isId(v, idCharactersMax), 'a text of 1 to 512 characters without lone surrogates'),
  event_id: field((v) => isId(v, idCharactersMax), 'a text of 1 to 512 characters without lone surrogates'),
  ts: field((v) => typeof v === 'string' || typeof v === 'number', 'ISO 8601 text or a number of milliseconds'),
  model: field(isName, `a text of at most ${nameCharactersMax} characters other than "${otherName}"`),
  agent: field(isName, `a text of at most ${nameCharactersMax} characters other than "${otherName}"`),
  tags: field(isObject, 'an object'),
  run: field((v) => Number.isInteger(v) && (v as number) >= 0, 'an integer of at least 0'),
  label: field((v) => typeof v === 'string', 'a text'),
  tool_calls: list(isObject, 'an object {"name": …, "arguments": …}'),
  tools: list((v) => typeof v === 'string' || isObject(v), 'a name or an object {"name": …, "parameters": …}'),
  error: field((v) => typeof v === 'string', 'a text'),
  success: field((v) => typeof v === 'boolean', 'true or false'),
});

const compiled = z.compile(eventSchema, { strict: true });

/** Whether a JSON value is an event by the types of its fields. */
export function isEvent(value: unknown): value is RawEvent {
  return isObject(value) && z.validate(compiled, value);
}

/** What is wrong with a value that is no event, and where. `path` is the first offending place; empty for the whole value. */
export function explainEvent(value: unknown): { readonly path: readonly PropertyKey[]; readonly expected: string } {
  if (!isObject(value)) return { path: [], expected: 'a JSON object, or an array of objects' };
  const issue = z.safeParse(eventSchema, value).error?.issues[0];
  return { path: issue?.path ?? [], expected: issue?.message ?? 'an event' };
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && fits(value, nameCharactersMax) && value !== otherName;
}

type Check = z.ZodOptional<z.ZodNullable<z.ZodType>>;

function field(accepts: (value: unknown) => boolean, expected: string): Check {
  return z.custom<unknown>(accepts, `must be ${expected}`).nullish();
}

function list(accepts: (value: unknown) => boolean, expected: string): Check {
  return z.array(z.custom<unknown>(accepts, `must be ${expected}`), 'must be an array').nullish();
}
