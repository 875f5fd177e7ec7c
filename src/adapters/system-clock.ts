import { setImmediate as nextTurn, setTimeout as after } from 'node:timers/promises';
import type { Clock } from '../ports.ts';

/** The clock of this machine. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => after(ms, undefined, { signal }).catch(() => undefined),
  turn: () => nextTurn(),
};
