import type { Event } from '../../stream/event.ts';

/** Answers of providers that may be steps of one run, although each came as a record of its own: for one process. */
export interface StepsApart {
  /** The last answer of each example that gave no run, the oldest first. */
  readonly last: Map<string, LastAnswer>;
  /** Number of answers that follow one which made a call. */
  steps: number;
  /** The first example that has such answers. */
  example: string | undefined;
}

interface LastAnswer {
  readonly hasCall: boolean;
  readonly ts: number;
}

/** Examples whose last answer is kept; the oldest give way. */
const examplesMax = 10_000;
/** Answers of one run follow each other within so many ms. */
const idleMs = 60_000;

/** No answers yet. */
export function noSteps(): StepsApart {
  return { last: new Map(), steps: 0, example: undefined };
}

/** Notes an answer that gives no run, and follows soon after an answer to the same example that made a call. */
export function noteStep(apart: StepsApart, { exampleId, model, agent, ts, run, given, prediction }: Event): void {
  if (run !== undefined || given['words'] !== true) return;
  const { last } = apart;
  const key = `${exampleId}\0${model}\0${agent}`;
  const before = last.get(key);
  last.delete(key);
  last.set(key, { hasCall: prediction.calls !== undefined, ts });
  if (last.size > examplesMax) last.delete(last.keys().next().value!);
  if (before?.hasCall !== true || Math.abs(ts - before.ts) > idleMs) return;
  apart.steps++;
  apart.example ??= exampleId;
}

/** The notice of such answers; none where there are none. */
export function noticesOf({ steps, example }: StepsApart): string[] {
  if (example === undefined) return [];
  const what = `${steps} ${steps === 1 ? 'answer follows' : 'answers follow'} an answer with a call to the same example within a minute, first of ${example}, and none gives run`;
  return [
    `${what}: are they steps of one run? Set runs.by: example (replay: --runs-by example), or another place that they share; or number runs with run`,
  ];
}
