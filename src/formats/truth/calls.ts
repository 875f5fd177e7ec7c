import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { rulesProblem } from '../../scoring/match/rules.ts';
import type { ExpectedCall } from '../../scoring/truth.ts';
import { argumentsOf, namedCall, type RawCall } from '../calls/calls.ts';
import { problemOf } from '../json/problem.ts';
import { shortened } from '../json/shortened.ts';
import { argumentsDocument } from '../prediction/schema.ts';
import { jsonIn, parsedOr, readJson } from '../json/parsed.ts';
import { unreadOfCall } from './unread.ts';

export const notWellFormed = 'must have no lone surrogates';

const accept = z
  .custom<JsonObject>(() => true)
  .superRefine((given, context) => {
    const problem = rulesProblem(given, false);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({ type: 'object', description: 'What else is equal to the arguments: a rule by path.' });

/** An expected call as NDJSON, and `alternatives` in Arrow, give it. */
export const callSchema = z.object(
  {
    name: z.string('must be a text').refine((text) => text.isWellFormed(), notWellFormed),
    /** An object, or its JSON text. */
    arguments: z
      .custom<JsonObject | string>(isArguments, 'must be an object, or the JSON text of one')
      .meta(argumentsDocument)
      .nullable()
      .default(null)
      .transform((given) => (typeof given === 'string' && !/^\s*\{/.test(given) ? {} : (given ?? {}))),
    accept: accept.nullish(),
  },
  'must be an object {"name": …, "arguments": …}',
);

export type TruthCall = z.output<typeof callSchema>;

const alternativesSchema = z.array(z.array(callSchema, 'must be a list of calls'), 'must be a list of lists of calls');

/** The problem of the text of `alternatives`. */
export function alternativesProblem(text: string): string | undefined {
  const value = jsonIn(text);
  if (value === undefined) return `is ${shortened(text)}, no JSON; write a list of lists of calls as JSON, or null`;
  return problemOf(alternativesSchema, value);
}

/** The problem of the text of a call's rules. */
export function acceptProblem(text: string): string | undefined {
  const value = jsonIn(text);
  return value === undefined
    ? `is ${shortened(text)}, no JSON; write rules by path, or null`
    : rulesProblem(value, false);
}

/** Calls of any form as name, arguments and rules; an element that is no object stays, to be refused. */
export function plainCalls(calls: Json): Json {
  return Array.isArray(calls) ? (calls as readonly Json[]).map(plainCall) : calls;
}

function plainCall(given: Json): Json {
  if (!isObject(given)) return given;
  const { accept: rules, ...call } = given;
  const { name, arguments: args } = namedCall(call as RawCall) as JsonObject;
  const plain = { name, arguments: args } as JsonObject;
  return rules === undefined || rules === null ? plain : { ...plain, accept: parsedOr(rules) as Json };
}

/** The first key of an expected call, or of one of the alternatives, that may hold a part of the call, and that nothing reads. Any other is passed to `note`. */
export function unreadInCalls(record: JsonObject, note: (key: string) => void): string | undefined {
  const { expected_tool_calls: expected, alternatives } = record;
  const lists: (readonly [list: Json | undefined, path: string])[] = [[expected, 'expected_tool_calls']];
  if (Array.isArray(alternatives))
    lists.push(...(alternatives as readonly Json[]).map((list, at) => [list, `alternatives[${at}]`] as const));
  for (const [list, path] of lists) {
    if (!Array.isArray(list)) continue;
    for (let at = 0; at < list.length; at++) {
      const call = list[at] as Json;
      if (!isObject(call)) continue;
      const unread = unreadOfCall(call, (key) => note(`expected_tool_calls[].${key}`));
      if (unread !== undefined)
        return `${path}[${at}].${unread.key}: nothing reads it; write it as ${unread.meant}, or leave it out`;
    }
  }
  return undefined;
}

/** The lists of `alternatives`, whose text is in order. */
export function readAlternatives(text: string): readonly (readonly ExpectedCall[])[] {
  return (readJson(text) as unknown as readonly (readonly TruthCall[])[]).map((list) => list.map(callJson)) as never;
}

/** A call with its arguments as JSON; rules that it does not have are left out. */
export function callJson({ name, arguments: given, accept: rules }: TruthCall): JsonObject {
  const args = typeof given === 'string' ? (readJson(given) as JsonObject) : (given ?? {});
  return rules ? { name, arguments: args, accept: rules } : { name, arguments: args };
}

/** Lists of calls with their arguments as JSON. */
export function callsJson(lists: readonly (readonly TruthCall[])[]): Json {
  return lists.map((list) => list.map(callJson));
}

function isArguments(given: unknown): boolean {
  return argumentsOf(given) !== undefined;
}
