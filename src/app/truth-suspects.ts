import { type Json, jsonEqual } from '../scoring/json.ts';
import { type Remedy, remedyFor } from '../scoring/match/remedy.ts';
import type { Verdict } from '../scoring/match/verdict.ts';
import type { Call } from '../scoring/prediction.ts';
import { hashOf } from '../scoring/similarity.ts';
import type { ExpectedCall } from '../scoring/truth.ts';
import { eachScored, outcomeOf, type ScoredEventsOptions } from './scored-events.ts';

export interface SuspectsOptions extends ScoredEventsOptions {
  /** Models that must agree on an answer. */
  readonly models: number;
}

/** An example of which several models say the same, and not what the truth says. */
export interface Suspect {
  readonly example_id: string;
  readonly expected: readonly ExpectedCall[] | null;
  readonly said: readonly Json[];
  /** Models that said it, of those that answered; and how many events. */
  readonly models: readonly string[];
  readonly of_models: number;
  readonly events: number;
  /** Models that were right at least once. */
  readonly right_models: number;
  /** What the truth would have to say. */
  readonly remedy: Remedy | null;
}

/** Answers of one example that are remembered: as many as models may agree on and more. */
const answersMax = 32;

interface Answer {
  readonly calls: readonly Call[];
  readonly remedy: Remedy | undefined;
  readonly models: Set<string>;
  events: number;
}

interface Example {
  readonly id: string;
  readonly expected: readonly ExpectedCall[] | undefined;
  readonly models: Set<string>;
  readonly right: Set<string>;
  readonly answers: Answer[];
}

/** `assay truth suspects`: prints a line of JSON for each example whose truth several models contradict alike. Resolves with the exit status. */
export async function truthSuspects({ models, ...options }: SuspectsOptions): Promise<number> {
  const examples = new Map<string, Example>();
  await eachScored(options, (scored, layout) => {
    const verdict = outcomeOf(scored, layout, 'match') as Verdict | undefined;
    if (verdict === undefined) return;
    const { batch, event } = scored.accepted;
    const id = batch.exampleId(event);
    const model = batch.names.text(batch.model[event]!);
    let example = examples.get(id);
    if (example === undefined) {
      example = { id, expected: scored.joined.truth.expected, models: new Set(), right: new Set(), answers: [] };
      examples.set(id, example);
    }
    note(example, model, verdict);
  });
  const suspects = [...examples.values()].flatMap((example) => suspectOf(example, models));
  suspects.sort((a, b) => b.models.length - a.models.length || b.events - a.events);
  for (const suspect of suspects) process.stdout.write(`${JSON.stringify(suspect)}\n`);
  process.stderr.write(`${suspects.length} of ${examples.size} examples are suspect\n`);
  return 0;
}

function note({ models, right, answers }: Example, model: string, verdict: Verdict): void {
  models.add(model);
  if (verdict.correct) {
    right.add(model);
    return;
  }
  const calls = inOrder(verdict.predicted);
  const known = answers.find((answer) => isSame(answer.calls, calls));
  if (known !== undefined) {
    known.models.add(model);
    known.events++;
  } else if (answers.length < answersMax)
    answers.push({ calls, remedy: remedyFor(verdict), models: new Set([model]), events: 1 });
}

/** The answer that most models gave, if it is one of enough models and of more than were right. */
function suspectOf({ id, expected, models, right, answers }: Example, least: number): Suspect[] {
  const [most] = [...answers].sort((a, b) => b.models.size - a.models.size || b.events - a.events);
  if (most === undefined || most.models.size < least || most.models.size <= right.size) return [];
  return [
    {
      example_id: id,
      expected: expected ?? null,
      said: most.calls.map(({ name, arguments: given }) => ({ name: name ?? null, arguments: given ?? null })),
      models: [...most.models].sort(),
      of_models: models.size,
      events: most.events,
      right_models: right.size,
      remedy: most.remedy ?? null,
    },
  ];
}

/** Calls in an order of their own: that of the agent does not matter. */
function inOrder(calls: readonly Call[]): readonly Call[] {
  const keyed = calls.map((call) => ({ call, name: call.name ?? '', hash: hashOf(call.arguments ?? null) }));
  keyed.sort((a, b) => (a.name === b.name ? a.hash - b.hash : a.name < b.name ? -1 : 1));
  return keyed.map(({ call }) => call);
}

function isSame(some: readonly Call[], others: readonly Call[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ name, arguments: given }, at) => {
      const other = others[at]!;
      return name === other.name && jsonEqual(given ?? null, other.arguments ?? null);
    })
  );
}
