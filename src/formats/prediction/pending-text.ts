import type { EventBatch } from '../../stream/event.ts';
import type { Json, JsonObject } from '../../scoring/json.ts';
import { jsonText } from '../json/json-text.ts';
import { namedCall } from './calls.ts';
import type { RawCall, RawEvent } from './schema.ts';

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
  if (tagNames.length > 0) keep(known, 'tags', keptTags(batch, row, tagNames));
  if (run >= 0) known['run'] = run;
  keep(known, 'label', event.label);
  keep(known, 'tool_calls', event.tool_calls?.map(keptCall));
  keep(known, 'tools', event.tools);
  keep(known, 'output', event.output);
  keep(known, 'error', event.error);
  keep(known, 'success', event.success);
  return jsonText(known as { [field: string]: Json });
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
function keptTags(batch: EventBatch, row: number, tagNames: readonly string[]): JsonObject | undefined {
  const kept: [string, string][] = [];
  tagNames.forEach((tag, at) => {
    const text = batch.names.text(batch.tags[row * batch.tagCount + at]!);
    if (text !== '') kept.push([tag, text]);
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
