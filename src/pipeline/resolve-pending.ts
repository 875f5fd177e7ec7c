import { activateTruth, pendingNumbers, resolvePending as resolveSome } from '../stream/fold.ts';
import type { ActiveTruth } from '../stream/truth-cache.ts';
import { collect } from './collect.ts';
import { spillRows } from './score-rows.ts';
import type { Service } from './service.ts';
import { inTurn, sliceIsOver } from './time-slices.ts';
import { exclusively, type Task } from './task.ts';

/** Pending predictions resolved between two looks at the clock. */
const stepPredictions = 8;

/**
 * Makes the truth in use that of a partition and resolves its pending predictions, in time slices during which its records wait. A
 * version that arrives meanwhile waits too, so that the state says by which version each prediction was resolved.
 */
export function resolvePending(service: Service, task: Task): void {
  if (task.busy === undefined && task.state.pending.waiting.size === 0) useTruth(task, service.options.truth());
  else void exclusively(task, () => inTurn(service.queue, () => resolveAll(service, task)));
}

async function resolveAll(service: Service, task: Task): Promise<void> {
  const { clock, scores, telemetry, truth } = service.options;
  const { fold, name } = task;
  const version = truth();
  useTruth(task, version);
  const waiting = pendingNumbers(fold);
  for (let done = false; !done && !task.closed; ) {
    const start = clock.monotonicMs();
    telemetry.work.set(name, start);
    do done = resolveSome(fold, version, waiting, stepPredictions);
    while (!done && !sliceIsOver(clock, start));
    collect(service, task, []);
    telemetry.work.delete(name);
    if (scores?.isFull()) await spillRows(service);
    if (!done) await clock.turn();
  }
}

function useTruth(task: Task, truth: ActiveTruth): void {
  task.truth = truth;
  if (activateTruth(task.state, truth.table)) task.touched = true;
}
