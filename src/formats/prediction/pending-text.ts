import type { EventBatch } from '../../stream/event.ts';
import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { jsonText } from '../json/json-text.ts';
import { namedCall } from './calls.ts';
import { tagText } from './event-values.ts';
import type { RawCall, RawEvent } from './schema.ts';
import { inRange } from '../../scoring/timestamp.ts';

/**
 * What a pending prediction keeps of an event: the fields that Assay knows, as compact JSON that reads back as the same
 * event.
 */
export function pendingText(
  batch: EventBatch,
  row: number,
  event: RawEvent,
  tsMs: number,
  tagNames: readonly string[],
): string {
  const { names } = batch;
  const run = batch.run[row]!;
  const known: { [field: string]: unknown } = { example_id: batch.exampleId(row), ts: tsMs };
  keep(known, 'event_id', event.event_id);
  keep(known, 'model', names.text(batch.model[row]!));
  keep(known, 'agent', names.text(batch.agent[row]!));
  if (tagNames.length > 0) keep(known, 'tags', keptTags(event, tagNames));
  if (run >= 0) known['run'] = run;
  keep(known, 'label', event.label);
  keep(known, 'tool_calls', event.tool_calls?.map(keptCall));
  keep(known, 'tools', event.tools);
  keep(known, 'output', event.output);
  keep(known, 'error', event.error);
  keep(known, 'success', event.success);
  if (event['refused'] === true) known['refused'] = true;
  return jsonText(known as { [field: string]: Json });
}

/**
 * The text as an event of a file, for people too. A time that only kept the order of events without one is none there; arguments that are the
 * text of an object become that object, as which they are read anyway.
 */
export function eventLine(text: string): string {
  const timed = JSON.parse(text) as JsonObject & { readonly ts: number };
  const { ts, ...untimed } = timed;
  const event: JsonObject = inRange(ts) ? timed : untimed;
  const calls = event['tool_calls'];
  return jsonText(Array.isArray(calls) ? { ...event, tool_calls: calls.map(shownCall) } : event);
}

function shownCall(call: Json): Json {
  if (!isObject(call) || typeof call['arguments'] !== 'string') return call;
  try {
    const given = JSON.parse(call['arguments']) as Json;
    return isObject(given) ? { ...call, arguments: given } : call;
  } catch {
    return call;
  }
}

function keep(known: { [field: string]: unknown }, field: string, value: unknown): void {
  if (value !== null && value !== undefined) known[field] = value;
}

function keptCall(given: RawCall): JsonObject {
  const call = namedCall(given);
  const known = {};
  keep(known, 'name', call.name);
  keep(known, 'arguments', call.arguments);
  return known;
}

/** The configured tags that the event has; `__proto__` is a name like any other. */
function keptTags(event: RawEvent, tagNames: readonly string[]): JsonObject | undefined {
  const kept: [string, string][] = [];
  for (const tag of tagNames) {
    const text = tagText(event, tag);
    if (text !== '') kept.push([tag, text]);
  }
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
