import { demoModels } from '../src/commands/demo/catalogue.ts';
import { createTraffic, type TrafficRecord } from '../src/commands/demo/traffic.ts';
import type { TruthRecord } from '../src/formats/truth/record.ts';
import type { Json, JsonObject } from '../src/scoring/json.ts';
import { benchEvent } from './events.ts';

/** Traffic in which each example and each content comes once, as in production. About 80 % of the events are right. */
export interface UniqueTraffic {
  /** One row for each event. */
  truth(): Iterable<TruthRecord>;
  /** The next event; there are as many as rows of truth. */
  next(tsMs: number): TrafficRecord;
}

/**
 * The demonstration's models, each with examples of its own. Texts in arguments, references and outputs carry the id of their example;
 * tools repeat, as those of one agent do.
 */
export function uniqueTraffic(seed: number, count: number): UniqueTraffic {
  const sources = demoModels.map((model, at) => {
    const examples = Math.ceil((count - at) / demoModels.length);
    return createTraffic({ models: [model], seed: seed + at, examples, runs: 1, duplicates: 0, malformed: 0 });
  });
  let made = 0;
  return {
    *truth() {
      for (const [at, { examples }] of sources.entries()) for (const { record } of examples) yield ownRow(record, at);
    },
    next(tsMs) {
      const at = made % sources.length;
      const [{ key, value }] = sources[at]!.next(tsMs, undefined) as [TrafficRecord];
      const event = JSON.parse(value) as Record<string, Json>;
      const id = ownId(key, at);
      const tool_calls = ownTexts(event['tool_calls']!, id);
      const output = ownTexts(event['output'] ?? 'The tools will tell.', id);
      const own = { ...event, event_id: `event-${made}`, example_id: id, tool_calls, output };
      return { key: id, value: benchEvent(JSON.stringify(own), made++) };
    },
  };
}

function ownId(exampleId: string, source: number): string {
  return `${exampleId}-${source}`;
}

function ownRow({ expected_tool_calls: calls, reference, ...row }: TruthRecord, source: number): TruthRecord {
  const id = ownId(row.example_id, source);
  return {
    ...row,
    example_id: id,
    expected_tool_calls:
      calls?.map((call) => ({ ...call, arguments: ownTexts(call.arguments, id) as JsonObject })) ?? null,
    reference: ownTexts(reference, id),
  };
}

/** The value with the id at the end of each text in it, but for the names of calls. */
function ownTexts(value: Json, id: string): Json {
  if (typeof value === 'string') return `${value} ${id}`;
  if (Array.isArray(value)) return value.map((item: Json) => ownTexts(item, id));
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value as Readonly<Record<string, Json>>);
  return Object.fromEntries(entries.map(([key, item]) => [key, key === 'name' ? item : ownTexts(item, id)]));
}
