import { jsonEqual, type Json } from '../../scoring/json.ts';
import { labels } from '../../scoring/label.ts';
import { isMalformed } from '../../scoring/match/matching.ts';
import type { Call } from '../../scoring/prediction.ts';
import { namedPrediction, type ToolNaming } from '../../scoring/tool-names.ts';
import type { Expectation } from '../../formats/platforms/expectation.ts';
import type { LackKind, RecordPlace } from '../../formats/platforms/lacks.ts';
import { inOrder, isSame } from '../../service/calls-in-order.ts';
import type { Event } from '../../stream/event.ts';

/** The answer of an event: what it would expect as truth, and the calls by which answers are compared. */
export interface Answer {
  /** Model and run that gave it. */
  readonly voter: string;
  readonly parts: Expectation;
  /** Calls by the names that are compared, in an order of their own. */
  readonly calls: readonly Call[];
}

export interface PlacedAnswer extends Answer {
  readonly place: RecordPlace;
}

/** The answer of an event, or why it gives none. */
export function answerOf({ model, run, prediction }: Event, naming: ToolNaming | undefined): Answer | LackKind {
  const { calls = [], label, labelStatus, tools, output } = prediction;
  if (prediction.error !== undefined) return 'failed';
  if (calls.some(isMalformed)) return 'malformed';
  const isLabelled = labelStatus !== 'missing' && labelStatus !== 'invalid';
  if ((!isLabelled && prediction.calls === undefined) || prediction.callsNotRecorded) return 'undecided';
  const named = namedPrediction(prediction, naming).calls ?? [];
  return {
    voter: JSON.stringify([model, run ?? 0]),
    calls: inOrder(named),
    parts: {
      ...(isLabelled && { label: labels[label as 0] }),
      ...(tools !== undefined && { tools }),
      expected_tool_calls: calls as unknown as Json,
      ...(output.kind === 'json' && { reference: output.value }),
    },
  };
}

/** The answer that at least `least` models or runs give, and more than give any other; without `least` the one that all give. Undefined where there is none. */
export function agreed(answers: readonly Answer[], least: number | undefined): Expectation | undefined {
  const groups: Answer[][] = [];
  for (const answer of answers) {
    const group = groups.find(([first]) => isAlike(first!, answer));
    if (group === undefined) groups.push([answer]);
    else group.push(answer);
  }
  if (least === undefined) return groups.length === 1 ? groups[0]![0]!.parts : undefined;
  const [most, next] = groups
    .map((group) => ({ group, voters: new Set(group.map(({ voter }) => voter)).size }))
    .sort((a, b) => b.voters - a.voters);
  return most === undefined || most.voters < least || most.voters === next?.voters ? undefined : most.group[0]!.parts;
}

/** Returns whether two answers decide alike: label, calls in any order, and structured answer. */
function isAlike(one: Answer, other: Answer): boolean {
  return (
    one.parts.label === other.parts.label &&
    isSame(one.calls, other.calls) &&
    jsonEqual(one.parts.reference ?? null, other.parts.reference ?? null)
  );
}
