import { jsonText } from '../../formats/json/json-text.ts';
import type { Json, JsonObject } from '../../scoring/json.ts';
import { labels } from '../../scoring/label.ts';
import { eachScored, type ScoredEventsOptions } from '../../service/scored-events.ts';
import { feedbackText } from '../../service/feedback-files.ts';
import { settingsOf } from '../../config/settings.ts';
import type { Event } from '../../stream/event.ts';
import type { ExpectedFields, Feedback } from '../../stream/feedback-book.ts';
import { createSuspects, unbounded } from '../../service/suspects.ts';

export interface TruthSuspectsOptions extends ScoredEventsOptions {
  /** Models that must agree on an answer. */
  readonly models: number;
}

/** `assay truth suspects`: prints a line of JSON for each example whose truth several models contradict alike, or a judge, then one for each event for which feedback expects different things. Resolves with the exit status. */
export async function truthSuspects({ models, ...options }: TruthSuspectsOptions): Promise<number> {
  const { layout } = settingsOf(options.config, undefined, options.judgements !== undefined);
  const suspects = createSuspects({ layout, models, bounds: unbounded });
  const conflicts: Json[] = [];
  const visited = await eachScored(options, suspects.add, {
    onJudged: suspects.addJudgement,
    onContested: (event, feedback) => void conflicts.push(conflictOf(event, feedback)),
  });
  const found = suspects.list();
  for (const suspect of found) process.stdout.write(`${jsonText(suspect as unknown as Json)}\n`);
  for (const conflict of conflicts) process.stdout.write(`${jsonText(conflict)}\n`);
  process.stderr.write(feedbackText(visited.feedback));
  const contested = options.feedback === undefined ? '' : `; feedback on ${conflicts.length} events conflicts`;
  process.stderr.write(`${found.length} of ${suspects.examples} examples are suspect${contested}\n`);
  return 0;
}

/** An event for which feedback expects different things: each record with its expectation, the newest, which holds, last. */
function conflictOf({ exampleId, eventId }: Event, feedback: readonly Feedback[]): Json {
  const expectations = feedback.flatMap(({ id, ts, expected }) =>
    expected === undefined ? [] : [{ id, ts: new Date(ts).toISOString(), ...plainExpectation(expected) }],
  );
  return { example_id: exampleId, event_id: eventId ?? null, conflict: expectations };
}

function plainExpectation({ label, expected, reference }: ExpectedFields): JsonObject {
  return {
    ...(label !== undefined && { label: (labels as readonly string[])[label] ?? null }),
    ...(expected && { tool_calls: expected.map(({ name, arguments: given }) => ({ name, arguments: given })) }),
    ...(reference !== undefined && { reference }),
  };
}
