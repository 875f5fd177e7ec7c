import { systemClock } from '../adapters/system-clock.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** Takes checkpoints on a timer, until the signal is aborted. */
export async function checkpointEvery(
  everyMs: number,
  pipeline: Pick<Pipeline, 'checkpointAll'>,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    await systemClock.sleep(everyMs, over);
    if (!over.aborted) await pipeline.checkpointAll();
  }
}
