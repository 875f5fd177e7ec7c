import { type KeptStep, type OpenRun, type OpenRuns, stepsOf, traceOfKey } from '../state/open-runs.ts';
import type { RunPlan } from '../state/settings.ts';
import { chainsOf } from './chains.ts';

/** The first run of a key's steps to end: the first `count` of a chain of them, in their order. */
export interface First extends End {
  readonly run: OpenRun;
  readonly steps: readonly KeptStep[];
  readonly chain: readonly KeptStep[];
}

/** How a chain of steps ends. */
interface End {
  readonly count: number;
  /** Its steps show that it is over; else only the watermark can. */
  readonly isOver: boolean;
  /** No step came for so long that it is over. */
  readonly isIdle: boolean;
  /** Event time of its last step, and that up to which a step belongs to it. */
  readonly lastMs: number;
  readonly untilMs: number;
}

/** The watermark that ends a run. A producer whose clock is behind is waited for as long as it is. */
export function endOfWait({ untilMs, run }: First): number {
  return untilMs + run.lagMs;
}

/** Finds the run of a key's steps that ends first. */
export function firstOf(openRuns: OpenRuns, run: OpenRun): First {
  // Sorting is stable: equal times stay in the order in which they came.
  const steps = stepsOf(openRuns, run).sort((a, b) => a.ts - b.ts);
  const { plan } = openRuns;
  if (plan.wholeTraces || traceOfKey(run.key) !== undefined)
    return { run, steps, chain: steps, ...endOfTrace(plan, run) };
  const chains = chainsOf(steps).map((chain) => ({ run, steps, chain, ...endOfChain(plan, chain) }));
  return chains.reduce((first, each) => (each.untilMs < first.untilMs ? each : first));
}

function endOfTrace({ idleMs }: RunPlan, { latest, endsAt, steps: { length: count } }: OpenRun): End {
  return Number.isFinite(endsAt)
    ? { count, isOver: true, isIdle: false, lastMs: latest, untilMs: endsAt + streamedMs }
    : { count, isOver: false, isIdle: true, lastMs: latest, untilMs: latest + idleMs };
}

function endOfChain({ endsAtOnce, idleMs }: RunPlan, chain: readonly KeptStep[]): End {
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const [index, { ts, ends }] of chain.entries()) {
    const [count, next] = [index + 1, chain[index + 1]];
    lastMs = Math.max(lastMs, ts);
    if (endsAtOnce && ends) return { count, isOver: true, isIdle: false, lastMs, untilMs: lastMs };
    if (next !== undefined && next.ts - lastMs >= idleMs)
      return { count, isOver: true, isIdle: true, lastMs, untilMs: lastMs + idleMs };
  }
  return { count: chain.length, isOver: false, isIdle: true, lastMs, untilMs: lastMs + idleMs };
}

/** Spans of streamed answers may end a little after their root. */
const streamedMs = 1_000;
