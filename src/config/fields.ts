import { RE2JS } from 're2js';
import * as z from 'zod';
import {
  type Duration,
  durationOf,
  durationPattern,
  durationText,
  type Instant,
  instantOf,
  timerMsMax,
} from './duration.ts';

/*
 * The kinds of values that keys hold. A message says what is wrong with the value; `problems.ts` puts place, key and value before it.
 */

/** A key that holds a value, with its meaning and an example of it other than the default. */
export function key<Schema extends z.ZodType>(schema: Schema, example: z.input<Schema>, meaning: string): Schema {
  return schema.meta({ description: meaning, examples: [example] });
}

const century = 36_525 * 86_400_000;

/** A duration of at least `leastMs`. */
export function duration(leastMs: number = 0): z.ZodType<Duration, string> {
  return durationIn(leastMs, century);
}

/** A duration that a timer waits for: above 0, and at most what a timer takes. */
export function timer(leastMs: number = 1): z.ZodType<Duration, string> {
  return durationIn(leastMs, timerMsMax);
}

function durationIn(leastMs: number, mostMs: number): z.ZodType<Duration, string> {
  const form = 'is not a duration; write a whole number with a unit (ms, s, m, h, d), such as 10s';
  const range =
    mostMs === timerMsMax
      ? `is out of range; give between ${durationText(leastMs)} and 24d`
      : leastMs > 0
        ? `is out of range; give at least ${durationText(leastMs)}, and at most 100 years`
        : 'is out of range; give at most 100 years';
  return z
    .string({ error: form })
    .regex(durationPattern, { error: form, abort: true })
    .transform(durationOf)
    .refine(({ ms }) => ms >= leastMs && ms <= mostMs, { error: range });
}

/** Where to begin: the two words, or an ISO time. */
export function startingPoint(): z.ZodType<'earliest' | 'latest' | Instant, string> {
  const form = 'is no starting point; write earliest, latest, or a time such as 2026-05-01T00:00:00Z';
  return z.string({ error: form }).transform((text, context) => {
    if (text === 'earliest' || text === 'latest') return text;
    const instant = instantOf(text);
    if (instant !== undefined) return instant;
    context.addIssue({ code: 'custom', message: form });
    return z.NEVER;
  });
}

/** Text of at least one character. */
export function text(): z.ZodString {
  return z
    .string({ error: 'is not text; put it in quotes' })
    .min(1, { error: 'is empty; leave the key out, or give it a value' });
}

/** A regular expression of RE2. */
export function pattern(): z.ZodString {
  return z.string({ error: 'is no text' }).superRefine((source, context) => {
    try {
      RE2JS.compile(source);
    } catch (error) {
      const message = `is no regular expression of RE2: ${(error as Error).message}; lookaround and back references are none`;
      context.addIssue({ code: 'custom', message });
    }
  });
}

/** A password or private key: never printed, never logged. `writeOnly` is how JSON Schema says so. */
export function secret(): z.ZodString {
  return text().meta({ writeOnly: true });
}

/** True or false. */
export function flag(): z.ZodBoolean {
  return z.boolean({ error: 'is neither true nor false' });
}

/** A whole number from `least` to `most`. */
export function whole(least: number, most: number = Number.MAX_SAFE_INTEGER): z.ZodNumber {
  const error =
    most === Number.MAX_SAFE_INTEGER
      ? `is not a whole number of at least ${least}`
      : `is not a whole number from ${least} to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}

/** Any finite number. */
export function number(): z.ZodNumber {
  return z.number({ error: 'is not a finite number' });
}

/** One of a few words. */
export function choice<const Names extends readonly [string, ...string[]]>(
  ...names: Names
): z.ZodType<Names[number], Names[number]> {
  const list = names.length === 2 ? names.join(' nor ') : undefined;
  return z.enum(names, { error: list ? `is neither ${list}` : `is none of ${names.join(', ')}` });
}

/** A list of values of one kind; `example` is how one is written. */
export function list<Item extends z.ZodType>(item: Item, example: string): z.ZodArray<Item> {
  return z.array(item, { error: `is not a list; write it as ${example}` });
}
