import { mayNestDeeper } from '../json/json-depth.ts';
import { valuesOf, valuesOfText } from '../json/json-values.ts';
import { namedCall } from '../calls/calls.ts';
import type { RawEvent } from './schema.ts';

/** The limits of one record (configuration: `limits.record_bytes`, `depth`, `elements`, `calls`, `values`). */
export interface RecordLimits {
  readonly recordBytes: number;
  readonly depth: number;
  readonly elements: number;
  readonly calls: number;
  readonly values: number;
}

/** The limits of a text that was accepted before. */
export const noLimits: RecordLimits = {
  recordBytes: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
  elements: Number.POSITIVE_INFINITY,
  calls: Number.POSITIVE_INFINITY,
  values: Number.POSITIVE_INFINITY,
};

/** How many times as many values as one event a record of several may hold. */
export const valuesOfSeveral = 10;

/** Limits that a record could exceed, by its text: almost none is looked at more closely. */
export interface Suspicions {
  readonly deep: boolean;
  /** It may hold more values than an event may. */
  readonly large: boolean;
}

/** Cheap upper bounds: a value takes two characters, a part of a key one. */
export function suspicionsOf(text: string, { depth, values }: RecordLimits): Suspicions {
  return { deep: mayNestDeeper(text, depth), large: text.length >= 2 * values };
}

/** Returns whether the text of a record, of one event or `several`, holds more values than it may: to parse a megabyte of them takes up to 100 ms. */
export function textHoldsMore(text: string, several: boolean, { values }: RecordLimits): boolean {
  const most = several || text.startsWith('[') ? valuesOfSeveral * values : values;
  return valuesOfText(text, most) > most;
}

/** Why an event is too large; `suspect`: its record may hold more values. */
export function sizeProblem(
  event: RawEvent,
  suspect: boolean,
  { calls, values }: RecordLimits,
): 'too_many_calls' | 'too_large' | undefined {
  if (event.tool_calls && event.tool_calls.length > calls) return 'too_many_calls';
  return suspect && eventHoldsMore(event, values) ? 'too_large' : undefined;
}

/** Counts also the values in texts that scoring parses: arguments, and an output that may be an answer or a call. */
function eventHoldsMore(event: RawEvent, most: number): boolean {
  let left = most - valuesOf(event, most);
  const countIn = (text: string): void => void (left -= valuesOfText(text, left + 1) - 1);
  for (const call of event.tool_calls ?? []) {
    const given = left < 0 ? undefined : namedCall(call).arguments;
    if (typeof given === 'string') countIn(given);
  }
  const { output } = event;
  if (left >= 0 && typeof output === 'string' && mayBeParsed.test(output)) countIn(output.slice(output.search(/[[{]/)));
  return left < 0;
}

const mayBeParsed = /^\s*[[{<]/;
