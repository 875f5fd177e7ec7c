import { readFamilyRow } from '../../scoring/family.ts';
import type { Json } from '../../scoring/json.ts';
import type { Layout } from '../../state/row-layout.ts';
import type { Scored } from '../../stream/score.ts';

/** Where an event came from. */
export type RowSource =
  | { readonly topic: string; readonly partition: number; readonly offset: number }
  | { readonly file: string; readonly line: number };

export type ScoreRow = Readonly<Record<string, Json>>;

/**
 * One scored event with each family's part, null where a family does not apply (docs/reference/outputs.md); `ts` in ms. `tags` are the names of those
 * that it has.
 */
export function scoreRow(scored: Scored, layout: Layout, source: RowSource, tags: readonly string[] = []): ScoreRow {
  const { accepted } = scored;
  const { batch, event } = accepted;
  const run = batch.run[event]!;
  return {
    event_id: batch.eventId(event) ?? null,
    example_id: batch.exampleId(event),
    ts: accepted.ts,
    model: batch.names.text(batch.model[event]!),
    agent: batch.names.text(batch.agent[event]!),
    run: run < 0 ? null : run,
    source: { ...source },
    tags: tagsOf(scored, tags),
    ...partsOf(scored, layout),
  };
}

/** What the rows of events that repeat have in common. */
const partsByLike = new WeakMap<object, ScoreRow>();

function partsOf(scored: Scored, layout: Layout): ScoreRow {
  const { like } = scored;
  if (like === undefined) return readParts(scored, layout);
  const known = partsByLike.get(like);
  if (known !== undefined) return known;
  const parts = readParts(scored, layout);
  partsByLike.set(like, parts);
  return parts;
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

function tagsOf({ accepted: { batch, event } }: Scored, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = batch.tag(event, name);
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** Names of calls, in order; a malformed call may have none. */
function namesOf(calls: readonly { readonly name: string | undefined }[] | undefined): string[] | null {
  return calls?.flatMap(({ name }) => name ?? []) ?? null;
}
