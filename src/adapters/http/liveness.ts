import type { Check } from './routes.ts';

export interface Liveness {
  /** For `/livez`. */
  checks(): readonly Check[];
  stop(): void;
}

const timerAgeMaxMs = 10_000;
const batchAgeMaxMs = 60_000;

/**
 * Returns whether the process is responsive: a timer fired within 10 s, and no batch has been in work for a minute. Never looks
 * at the broker: an outage is no reason to be killed.
 *
 * `work` is the start of each batch in work by name of its partition, on the clock of `performance.now()`.
 */
export function watchLiveness(work: ReadonlyMap<string, number>): Liveness {
  const fired = { at: performance.now() };
  const timer = setInterval(() => {
    fired.at = performance.now();
  }, 1000).unref();
  return { checks: () => livenessChecks(fired.at, work, performance.now()), stop: () => clearInterval(timer) };
}

/** The two checks at a moment. */
export function livenessChecks(firedMs: number, work: ReadonlyMap<string, number>, nowMs: number): readonly Check[] {
  const stuck = [...work].filter(([, since]) => nowMs - since >= batchAgeMaxMs);
  const batches = stuck.map(([partition, since]) => `${partition} for ${seconds(nowMs - since)} s`);
  return [
    { name: 'timer', ok: nowMs - firedMs < timerAgeMaxMs, detail: `last fired ${seconds(nowMs - firedMs)} s ago` },
    {
      name: 'batches',
      ok: stuck.length === 0,
      detail: stuck.length === 0 ? `${work.size} in work` : `in work too long: ${batches.join(', ')}`,
    },
  ];
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}
