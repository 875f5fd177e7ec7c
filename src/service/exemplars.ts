import type { Layout } from '../state/row-layout.ts';
import { exemplarKey, type Telemetry } from '../telemetry.ts';
import { type Event, tagOf } from '../stream/event.ts';
import type { Scored } from '../stream/score.ts';

/** Longest exemplar: the characters of its labels' names and values together (OpenMetrics 1.0, "Exemplars"). */
const charactersMax = 128;

/** A model gets a new exemplar once in so long: a scrape shows one, however many there were. */
const restMs = 1_000;

/** Keeps the latest hallucinated event of each model and kind, for the counters of hallucinations. Call it for every failed event. */
export function exemplarsOf(
  { exemplars, models }: Telemetry,
  { families }: Layout,
  nowMs: () => number,
): (scored: Scored) => void {
  const at = families.findIndex(({ name }) => name === 'decision');
  const kindsField = families[at]?.row['hallucinations'];
  const restUntil = new Map<string, number>();
  return ({ event, ts, joined, prepared, outcomes }) => {
    if (outcomes[at] === undefined || kindsField?.kind !== 'texts') return;
    const { model } = event;
    // A model without counters has no series to stand at.
    if (!models.has(model) || nowMs() < (restUntil.get(model) ?? Number.NEGATIVE_INFINITY)) return;
    const kinds = kindsField.of({ outcome: outcomes[at], input: joined, prepared: prepared.prepared[at] });
    const labels = kinds.length === 0 ? undefined : labelsOf(event);
    if (labels === undefined) return;
    restUntil.set(model, nowMs() + restMs);
    for (const kind of kinds) exemplars.set(exemplarKey(model, kind), { labels, tsMs: ts });
  };
}

/** Its trace where it names one, else its event id; undefined where it has neither, or too long a one. */
function labelsOf(event: Event): readonly (readonly [name: string, value: string])[] | undefined {
  const candidates = [
    ['trace_id', tagOf(event, 'trace_id')],
    ['event_id', event.eventId ?? ''],
  ] as const;
  const found = candidates.find(([name, value]) => value !== '' && name.length + value.length <= charactersMax);
  return found && [found];
}
