import { readFamilyRow } from '../../scoring/family.ts';
import type { Json } from '../../scoring/json.ts';
import type { Layout } from '../../state/row-layout.ts';
import { type Event, tagOf } from '../../stream/event.ts';
import type { Scored } from '../../stream/score.ts';
import { jsonText } from '../json/json-text.ts';

/** Where an event came from: a record of a topic, or a line of a file. */
export interface RowSource {
  readonly topic?: string;
  readonly partition?: number;
  readonly offset?: number;
  readonly file?: string;
  readonly line?: number;
}

/** What a row says of its event alone; `ts` in ms, `tags` those that it has. */
export interface RowEvent {
  readonly event_id: string | null;
  readonly example_id: string;
  readonly ts: number;
  readonly model: string;
  readonly agent: string;
  readonly run: number | null;
  readonly source: RowSource;
  readonly tags: Readonly<Record<string, string>>;
}

export type ScoreRow = Readonly<Record<string, Json>>;

/** A scored event, valid while it is being handed over: a row has the fields of both its event and its parts. */
export interface ScoredRow {
  readonly event: RowEvent;
  /** The same for rows with the same parts, where that is known. */
  readonly like: object | undefined;
  /** Its calls, and each family's part, null where a family does not apply (docs/reference/outputs.md). */
  readonly parts: () => ScoreRow;
}

/** The row of a scored event, with the tags of some names. */
export function scoreRow(scored: Scored, layout: Layout, source: RowSource, tags: readonly string[] = []): ScoredRow {
  const { event, ts } = scored;
  const own: RowEvent = {
    event_id: event.eventId ?? null,
    example_id: event.exampleId,
    ts,
    model: event.model,
    agent: event.agent,
    run: event.run ?? null,
    source,
    tags: tagsOf(event, tags),
  };
  return { event: own, like: undefined, parts: () => readParts(scored, layout) };
}

/** Makes rows with their parts as JSON texts; the text of parts is made once for all rows that are alike. */
export function rowTexts(): (row: ScoredRow) => string {
  const texts = new WeakMap<object, string>();
  const textOf = ({ like, parts }: ScoredRow): string => {
    const known = like && texts.get(like);
    if (known !== undefined) return known;
    const text = jsonText(parts());
    if (like !== undefined) texts.set(like, text);
    return text;
  };
  return (row) => {
    const event = JSON.stringify({ ...row.event, ts: new Date(row.event.ts).toISOString() });
    return `${event.slice(0, -1)},${textOf(row).slice(1)}`;
  };
}

function readParts({ outcomes, joined, prepared }: Scored, { families }: Layout): ScoreRow {
  const { prediction, truth } = joined;
  const parts: Record<string, Json> = {
    success: prediction.success ?? null,
    expected_calls: truth.expected?.length ?? null,
    predicted_calls: prediction.calls?.length ?? null,
    expected_tools: namesOf(truth.expected),
    predicted_tools: namesOf(prediction.calls),
  };
  families.forEach((family, index) => {
    const outcome = outcomes[index];
    const input = { outcome, input: joined, prepared: prepared.prepared[index] };
    parts[family.name] = outcome === undefined ? null : readFamilyRow(family, input);
  });
  return parts;
}

const noTags: RowEvent['tags'] = {};

function tagsOf(event: Event, names: readonly string[]): RowEvent['tags'] {
  if (names.length === 0) return noTags;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = tagOf(event, name);
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** Names of calls, in order; a malformed call may have none. */
function namesOf(calls: readonly { readonly name: string | undefined }[] | undefined): string[] | null {
  return calls?.flatMap(({ name }) => name ?? []) ?? null;
}
