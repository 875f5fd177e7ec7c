import type { Config } from '../../src/config/config.ts';
import { cannotAnswer, invalid, labelCode } from '../../src/scoring/label.ts';
import type { Activation } from '../../src/state/partition.ts';
import { type EventSpec, eventJson, judgementJson, judgementName, predictedLabel } from './event.ts';
import type { Scenario } from './faults.ts';
import type { SimPartition } from './log.ts';
import type { AcceptedEvent, MadeEvent } from './traffic.ts';
import { createNaiveRuns, endNaiveRuns, keyOfStep, type NaiveRuns, takeNaiveStep } from './naive-runs.ts';
import { goldLabel, knownFrom } from './truth.ts';

/**
 * What became of the events of a partition, worked out from what they were made of, with lists and loops and none of the program's
 * own code: the rules of the specification, read once more.
 */
export interface NaiveCounts {
  read: number;
  scored: number;
  pending: number;
  expired: number;
  duplicates: number;
  conflicts: number;
  late: number;
  unverified: number;
  readonly rejected: Map<string, number>;
  readonly decisions: Decision[];
  readonly judged: NaiveJudgement[];
  readonly runs: NaiveRuns;
  greatestTs: number;
}

/** One prediction scored by family `decision`. */
export interface Decision {
  readonly model: string;
  readonly gold: number;
  readonly predicted: number;
  readonly tsMs: number;
  readonly late: boolean;
}

/** One judgement. */
export interface NaiveJudgement {
  readonly name: string;
  readonly model: string;
  readonly failed: boolean;
  readonly tsMs: number;
  readonly late: boolean;
}

interface Naive {
  readonly counts: NaiveCounts;
  readonly config: Config;
  readonly revised: boolean;
  readonly judgements: boolean;
  readonly seen: Map<string, { readonly ts: number; readonly says: string }>;
  pending: AcceptedEvent[];
  version: number;
}

/** `versionOf`: number of a version of the truth by its name. */
export function naiveCounts(
  partition: SimPartition,
  activations: readonly Activation[],
  config: Config,
  { truthRevised: revised, judgements }: Pick<Scenario, 'truthRevised' | 'judgements'>,
  versionOf: (version: string) => number,
): NaiveCounts {
  const naive = createNaive(config, revised, judgements);
  const waiting = [...activations];
  const activate = (offset: number): void => {
    while (waiting.length > 0 && waiting[0]!.offset <= offset) {
      naive.version = versionOf(waiting.shift()!.version);
      const pending = naive.pending;
      naive.pending = [];
      for (const event of pending) place(naive, event);
    }
  };
  for (const record of partition.records) {
    activate(record.offset);
    const isStep = (event: MadeEvent): boolean =>
      event.reject === undefined && keyOfStep(config, event.spec) !== undefined;
    // In a record of both, the steps come last.
    for (const event of record.events.toSorted((a, b) => Number(isStep(a)) - Number(isStep(b)))) {
      naive.counts.read++;
      if (event.reject === undefined) accept(naive, event);
      else naive.counts.rejected.set(event.reject, (naive.counts.rejected.get(event.reject) ?? 0) + 1);
    }
  }
  activate(partition.high);
  naive.counts.pending = naive.pending.length;
  return naive.counts;
}

function createNaive(config: Config, revised: boolean, judgements: boolean): Naive {
  const zeros = { read: 0, scored: 0, pending: 0, expired: 0, duplicates: 0, conflicts: 0, late: 0, unverified: 0 };
  const lists = { ...zeros, rejected: new Map(), decisions: [], judged: [], runs: createNaiveRuns(config) };
  const counts = { ...lists, greatestTs: Number.NEGATIVE_INFINITY };
  return { counts, config, revised, judgements, seen: new Map(), pending: [], version: 0 };
}

function accept(naive: Naive, event: AcceptedEvent): void {
  const { counts, config, seen, judgements } = naive;
  const { eventId, example } = event.spec;
  const key = keyOfStep(config, event.spec);
  const watermark = counts.greatestTs - config.time.out_of_orderness.ms;
  if (eventId !== undefined) {
    const horizon = watermark - config.dedupe.window.ms;
    const identity = `${key ?? example}/${eventId}`;
    const first = seen.get(identity);
    const says = contentText(event.spec, judgements);
    if (event.tsMs < horizon) counts.unverified++;
    else if (first !== undefined && first.ts >= horizon) {
      counts.duplicates++;
      if (first.says !== says) counts.conflicts++;
      return;
    } else seen.set(identity, { ts: event.tsMs, says });
  }
  if (key !== undefined) for (const run of takeNaiveStep(counts.runs, key, event, counts.greatestTs)) place(naive, run);
  counts.greatestTs = Math.max(counts.greatestTs, event.tsMs);
  const now = counts.greatestTs - config.time.out_of_orderness.ms;
  for (const run of endNaiveRuns(counts.runs, now)) place(naive, run);
  if (key === undefined) place(naive, event);
  expire(naive);
}

/** What an event or judgement says of its example. */
function contentText(spec: EventSpec, judgements: boolean): string {
  const { judgement, by, score, failed } = judgementJson(spec, true);
  const { label, tool_calls: calls, output, error, success, run } = eventJson(spec, true);
  return JSON.stringify(judgements ? [judgement, by, score, failed] : [label, calls, output, error, success, run]);
}

function place(naive: Naive, event: AcceptedEvent): void {
  const { counts, config, version, revised, judgements } = naive;
  const { example, model = 'unknown', error } = event.spec;
  if (!judgements && knownFrom(example) > version) {
    naive.pending.push(event);
    return;
  }
  counts.scored++;
  const late = event.tsMs < counts.greatestTs - config.time.windows.at(-1)!.ms;
  if (late) counts.late++;
  if (judgements) {
    counts.judged.push({ name: judgementName(event.spec), model, failed: error, tsMs: event.tsMs, late });
    return;
  }
  const gold = goldLabel(example, version, revised);
  if (gold === undefined) return;
  const label = predictedLabel(event.spec);
  const predicted = label === invalid && config.metrics.mode === 'upstream' ? cannotAnswer : label;
  counts.decisions.push({ model, gold: labelCode(gold), predicted, tsMs: event.tsMs, late });
}

function expire(naive: Naive): void {
  const { counts, config } = naive;
  const horizon = counts.greatestTs - config.time.out_of_orderness.ms - config.join.truth_wait.ms;
  const gone = new Set(naive.pending.filter(({ tsMs }) => tsMs < horizon));
  // A stable sort: of equally old ones the first that came.
  const oldest = naive.pending.filter((event) => !gone.has(event)).toSorted((a, b) => a.tsMs - b.tsMs);
  for (const event of oldest.slice(0, Math.max(0, oldest.length - config.limits.pending))) gone.add(event);
  counts.expired += gone.size;
  naive.pending = naive.pending.filter((event) => !gone.has(event));
}
