import type { Steps } from '../codec/steps.ts';
import type { Clock } from '../ports.ts';

/** How long work goes on without a turn of the event loop. */
const sliceMs = 5;

/** Whether a slice that began at `startMs` is over. */
export function sliceIsOver(clock: Clock, startMs: number): boolean {
  return clock.monotonicMs() - startMs >= sliceMs;
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
