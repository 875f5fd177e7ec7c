import { activateTruth, pendingNumbers, resolvePending as resolveSome } from '../stream/fold.ts';
import { createRevising, keptNumbers, reviseSome } from '../stream/revise.ts';
import type { ActiveTruth } from '../stream/truth-cache.ts';
import { collect } from './collect.ts';
import { spillRows } from './score-rows.ts';
import type { Service } from './service.ts';
import { inTurn, sliceIsOver } from './time-slices.ts';
import { exclusively, type Task } from './task.ts';

/** Pending predictions resolved between two looks at the clock. */
const stepPredictions = 8;

/** Kept events looked at between two looks at the clock: of most nothing changed. */
const stepKept = 64;

/**
 * Makes the truth in use that of a partition, resolves its pending predictions and revises the events that it keeps, in time slices during which
 * its records wait. A version that arrives meanwhile waits too, so that the state says by which version each prediction was resolved.
 */
export function resolvePending(service: Service, task: Task): void {
  const { pending, revisable } = task.state;
  const isIdle = pending.waiting.size === 0 && revisable.log.texts.size === 0;
  if (task.busy === undefined && isIdle) useTruth(task, service.options.truth());
  else void exclusively(task, () => inTurn(service.queue, () => resolveAll(service, task)));
}

async function resolveAll(service: Service, task: Task): Promise<void> {
  const { fold } = task;
  const version = service.options.truth();
  useTruth(task, version);
  const waiting = pendingNumbers(fold);
  await inSlices(service, task, () => resolveSome(fold, version, waiting, stepPredictions));
  const revising = (task.revising ??= createRevising(fold));
  const kept = keptNumbers(revising, version);
  await inSlices(service, task, () => reviseSome(revising, version, kept, stepKept));
}

/** Does the steps of a work, until one says that it was the last, in time slices. */
async function inSlices(service: Service, task: Task, step: () => boolean): Promise<void> {
  const { clock, scores, telemetry } = service.options;
  const { name } = task;
  for (let done = false; !done && !task.closed; ) {
    const start = clock.monotonicMs();
    telemetry.work.set(name, start);
    do done = step();
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
