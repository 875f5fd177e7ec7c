import type { Clock, Log, OnOutage } from '../ports.ts';

export interface RetryOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The attempt, for the log: "save the checkpoint of predictions/3". */
  readonly what: string;
  readonly onOutage: OnOutage;
}

const firstDelayMs = 100;
const longestDelayMs = 5_000;

/** Tries an operation until it succeeds, with backoff; rejects only when the signal aborts. */
export async function retry<T>(operation: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { clock, log, signal, what, onOutage } = options;
  for (let delayMs = firstDelayMs, attempt = 1; ; delayMs = Math.min(2 * delayMs, longestDelayMs), attempt++) {
    try {
      const result = await operation();
      if (attempt > 1) {
        log.info({ attempt }, `${what}: succeeded after an outage`);
        onOutage(false);
      }
      return result;
    } catch (error) {
      if (signal.aborted) throw error;
      if (attempt === 1) {
        log.warn({ err: error }, `${what} failed; trying again until it succeeds`);
        onOutage(true, error);
      }
      await clock.sleep(delayMs, signal);
      if (signal.aborted) throw error;
    }
  }
}
