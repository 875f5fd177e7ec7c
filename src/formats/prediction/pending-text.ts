import { type Event, tagOf } from '../../stream/event.ts';
import { isObject, type Json, type JsonObject, present } from '../../scoring/json.ts';
import { parseJson } from '../../scoring/parse-json.ts';
import { jsonText } from '../json/json-text.ts';
import { namedCall, type RawCall } from '../calls/calls.ts';
import type { RawEvent } from './schema.ts';
import { inRange } from '../../scoring/timestamp.ts';
import { jsonIn } from '../json/parsed.ts';
import { requestIn } from '../messages/request.ts';

/** The text of a pending prediction: the fields of its event that are read, as compact JSON that reads back as the same event. */
export function pendingText(event: Event, tsMs: number, tagNames: ReadonlySet<string>, keepsRequest = false): string {
  const given = event.given as RawEvent;
  const fields = {
    example_id: event.exampleId,
    ts: tsMs,
    event_id: event.eventId,
    model: event.model,
    agent: event.agent,
    tags: tagsOf(event, tagNames),
    run: event.run,
    label: given.label,
    tool_calls: given.tool_calls?.map((call) => present(namedParts(call))),
    results: given.results,
    unfinished: given['unfinished'] === true || undefined,
    tools: given.tools,
    output: given.output,
    error: given.error,
    success: given.success,
    steps: given['steps'],
    run_seconds: given['run_seconds'],
    refused: given['refused'] === true || undefined,
    // An event with a call or a label has no decision in words.
    words: (given['words'] === true && given.label == null && !given.tool_calls?.length) || undefined,
    request: keepsRequest ? requestIn(event.given) : undefined,
  };
  return jsonText(present(fields));
}

/**
 * The text of a pending prediction as an event of a file, which people read too. A time that only orders events without one is left out; arguments that are the
 * text of an object become that object, which is how they are read.
 */
export function eventLine(text: string): string {
  const timed = parseJson(text) as JsonObject & { readonly ts: number };
  const { ts, ...untimed } = timed;
  const event: JsonObject = inRange(ts) ? timed : untimed;
  const calls = event['tool_calls'];
  return jsonText(Array.isArray(calls) ? { ...event, tool_calls: calls.map(shownCall) } : event);
}

function shownCall(call: Json): Json {
  if (!isObject(call) || typeof call['arguments'] !== 'string') return call;
  const given = jsonIn(call['arguments']);
  return isObject(given) ? { ...call, arguments: given } : call;
}

function namedParts(call: RawCall): object {
  const { name, arguments: given } = namedCall(call);
  return { name, arguments: given };
}

/** The configured tags that the event has; `__proto__` is a name like any other. */
function tagsOf(event: Event, tagNames: ReadonlySet<string>): JsonObject | undefined {
  const found: [string, string][] = [];
  for (const tag of tagNames) {
    const text = tagOf(event, tag);
    if (text !== '') found.push([tag, text]);
  }
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
