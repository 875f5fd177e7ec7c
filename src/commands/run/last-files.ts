import { systemClock } from '../../adapters/system-clock.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../ports.ts';

export interface StopOptions {
  readonly config: Config;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Aborted when the stop is over. */
  readonly stopping: AbortController;
}

/**
 * Gives what waits for files that are written at a stop; after a signal until two thirds of the grace period are over at most, however often it waits. Score
 * rows that are in no file then lie beside the checkpoint: the next owner writes them.
 */
export function lastFiles({
  config: { grace },
  log,
  signal,
  stopping,
}: StopOptions): (files: Promise<unknown>) => Promise<void> {
  const report = { late: false };
  const late = aborted(signal)
    .then(() => systemClock.sleep((2 / 3) * grace.ms, stopping.signal))
    .then(() => 'late');
  return async (files) => {
    const first = await Promise.race([files, late]);
    if (first !== 'late' || stopping.signal.aborted || report.late) return;
    report.late = true;
    log.warn({}, 'the last files are not written: the next owner of the partitions writes their score rows');
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
