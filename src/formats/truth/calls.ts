import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { rulesProblem } from '../../scoring/match/rules.ts';
import type { ExpectedCall } from '../../scoring/truth.ts';
import { problemOf } from '../json/problem.ts';
import { shortened } from '../json/shortened.ts';
import { argumentsDocument } from '../prediction/schema.ts';
import { jsonIn, readJson } from '../json/parsed.ts';

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
      .transform((given) => given ?? {}),
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
  return isObject(typeof given === 'string' ? jsonIn(given) : given);
}
