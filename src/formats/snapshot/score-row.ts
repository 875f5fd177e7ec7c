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
  const { accepted, outcomes, joined, prepared } = scored;
  const { prediction, truth } = joined;
  const { batch, event } = accepted;
  const run = batch.run[event]!;
  const row: Record<string, Json> = {
    event_id: batch.eventId(event) ?? null,
    example_id: batch.exampleId(event),
    ts: accepted.ts,
    model: batch.names.text(batch.model[event]!),
    agent: batch.names.text(batch.agent[event]!),
    run: run < 0 ? null : run,
    source: { ...source },
    tags: tagsOf(scored, tags),
    success: prediction.success ?? null,
    expected_calls: truth.expected?.length ?? null,
    predicted_calls: prediction.calls?.length ?? null,
    expected_tools: namesOf(truth.expected),
    predicted_tools: namesOf(prediction.calls),
  };
  layout.families.forEach((family, index) => {
    const outcome = outcomes[index];
    const input = { outcome, input: joined, prepared: prepared.prepared[index] };
    row[family.name] = outcome === undefined ? null : readFamilyRow(family, input);
  });
  return row;
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
