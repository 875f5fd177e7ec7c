import type { Steps } from '../state/steps.ts';
import type { Clock } from '../ports.ts';

/** How long work goes on without a turn of the event loop. */
const sliceMs = 5;

/** Whether a slice that began at `startMs` is over. */
export function sliceIsOver(clock: Clock, startMs: number): boolean {
  return clock.monotonicMs() - startMs >= sliceMs;
}

/** Work that goes one after the other: two in slices at once would hold every turn for twice as long. */
export interface Lane {
  last: Promise<unknown>;
}

/** Does work when what was begun before in the lane is over. */
export function inLane<Result>(lane: Lane, work: () => Promise<Result>): Promise<Result> {
  const done = lane.last.then(work);
  lane.last = done.catch(() => undefined);
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
