import { readFamilyRow } from '../../scoring/family.ts';
import type { Json } from '../../scoring/json.ts';
import { type Prediction, resultsByCall } from '../../scoring/prediction.ts';
import type { Layout } from '../../state/row-layout.ts';
import { type Event, runSecondsOf, tagOf } from '../../stream/event.ts';
import type { Scored } from '../../stream/score.ts';
import { jsonText } from '../json/json-text.ts';

/** Source of an event: a record of a topic, or a line of a file. */
export interface RowSource {
  readonly topic?: string;
  readonly partition?: number;
  readonly offset?: number;
  readonly file?: string;
  readonly line?: number;
}

/** An event that families counted, as a plain value, as files of score rows hold it (docs/reference/outputs.md); `ts` in ms. */
export interface ScoreRow {
  readonly event_id: string | null;
  readonly example_id: string;
  readonly ts: number;
  readonly model: string;
  readonly agent: string;
  readonly run: number | null;
  /** False: it waits for its truth, and the row has what needs none. */
  readonly scored: boolean;
  readonly source: RowSource;
  /** Tags that the event has. */
  readonly tags: Readonly<Record<string, string>>;
  /** Its calls, and the part of each family, null where the family does not apply, or has its part in another row of the event. */
  readonly [part: string]: unknown;
}

/** Returns the row of a scored event, with the tags of some names. */
export function scoreRow(scored: Scored, layout: Layout, source: RowSource, tags: readonly string[] = []): ScoreRow {
  const { event, ts, moment } = scored;
  return {
    event_id: event.eventId ?? null,
    example_id: event.exampleId,
    ts,
    model: event.model,
    agent: event.agent,
    run: event.run ?? null,
    scored: moment !== 'accepted',
    source,
    tags: tagsOf(event, tags),
    ...partsOf(scored, layout),
  };
}

/** A row as JSON text, its time in ISO 8601. */
export function rowText(row: ScoreRow): string {
  return jsonText({ ...row, ts: new Date(row.ts).toISOString() } as unknown as Json);
}

function partsOf({ event, outcomes, joined, prepared }: Scored, { families }: Layout): Readonly<Record<string, Json>> {
  const { prediction, truth } = joined;
  const parts: Record<string, Json> = {
    success: prediction.success ?? null,
    expected_calls: truth.expected?.length ?? null,
    predicted_calls: prediction.calls?.length ?? null,
    expected_tools: namesOf(prepared.given.expected),
    predicted_tools: namesOf(event.prediction.calls),
    calls: callsOf(event.prediction),
    steps: prediction.steps,
    run_seconds: runSecondsOf(event) ?? null,
  };
  families.forEach((family, index) => {
    const outcome = outcomes[index];
    const input = { outcome, input: joined, prepared: prepared.prepared[index] };
    parts[family.name] = outcome === undefined ? null : readFamilyRow(family, input);
  });
  return parts;
}

function tagsOf(event: Event, names: readonly string[]): ScoreRow['tags'] {
  const tags = names.map((name) => [name, tagOf(event, name)] as const);
  return Object.fromEntries(tags.filter(([, value]) => value !== ''));
}

/** The calls made, with what their results say: `ok` is null where none came back. */
function callsOf({ calls, results = [] }: Prediction): Json[] | null {
  const byCall = resultsByCall(results);
  const okOf = (call: number): boolean | null => {
    const result = byCall.get(call);
    return result === undefined ? null : !result.failed;
  };
  return calls?.map(({ name = null }, call) => ({ name, ok: okOf(call) })) ?? null;
}

/** Names of calls, in order; a malformed call may have none. */
function namesOf(calls: readonly { readonly name: string | undefined }[] | undefined): string[] | null {
  return calls?.flatMap(({ name }) => name ?? []) ?? null;
}
