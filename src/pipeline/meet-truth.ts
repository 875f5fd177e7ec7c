import { activateTruth, pendingNumbers, resolvePending } from '../core/fold.ts';
import type { ActiveTruth } from '../core/truth-cache.ts';
import { collect } from './collect.ts';
import { spillRows } from './score-rows.ts';
import type { Service } from './service.ts';
import type { Task } from './task.ts';

/** How long pending predictions are resolved without a turn of the event loop, and how many between two looks at the clock. */
const sliceMs = 5;
const stepPredictions = 8;

/**
 * Makes the truth in use that of a partition: its pending predictions meet it in short slices, and its records wait meanwhile. A
 * version that comes in between waits for its turn, so that the state says by which version each prediction was resolved.
 */
export function meetTruth(service: Service, task: Task): void {
  if (task.resolving === undefined && task.state.pending.texts.size === 0) {
    useTruth(task, service.options.truth());
    return;
  }
  const meeting = task.resolving === undefined ? meet(service, task) : task.resolving.then(() => meet(service, task));
  const resolving = meeting.finally(() => {
    if (task.resolving === resolving) task.resolving = undefined;
  });
  task.resolving = resolving;
}

async function meet(service: Service, task: Task): Promise<void> {
  const { clock, scores, telemetry, truth } = service.options;
  const { state, out, name } = task;
  const version = truth();
  useTruth(task, version);
  const waiting = pendingNumbers(state);
  for (let done = false; !done && !task.closed; ) {
    const start = clock.monotonicMs();
    telemetry.work.set(name, start);
    do done = resolvePending(state, version, waiting, stepPredictions, out);
    while (!done && clock.monotonicMs() - start < sliceMs);
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
