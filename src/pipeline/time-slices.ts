import type { Steps } from '../state/steps.ts';
import type { Clock } from '../ports.ts';

/** How long work goes on before the event loop turns. */
const sliceMs = 5;

/** Returns whether a slice that began at `startMs` is over. */
export function sliceIsOver(clock: Clock, startMs: number): boolean {
  return clock.monotonicMs() - startMs >= sliceMs;
}

/** Work that goes one after the other: two in slices at once would hold every turn for twice as long. */
export interface SerialQueue {
  last: Promise<unknown>;
}

/** Does work when all is over that was put into the queue before. */
export function inTurn<Result>(queue: SerialQueue, work: () => Promise<Result>): Promise<Result> {
  const done = queue.last.then(work);
  queue.last = done.catch(() => undefined);
  return done;
}

/** Does the steps in slices, between which the event loop turns. */
export async function inSlices<Result>(clock: Clock, steps: Steps<Result>): Promise<Result> {
  for (;;) {
    const startMs = clock.monotonicMs();
    do {
      const step = steps.next();
      if (step.done) return step.value;
    } while (!sliceIsOver(clock, startMs));
    await clock.turn();
  }
}
