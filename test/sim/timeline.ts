import type { Clock } from '../../src/ports.ts';
import type { Random } from './prng.ts';

/** What is to happen, in order of virtual time. */
export interface Timeline {
  nowMs: number;
  /** `owner`: the process in which it happens; when that dies it does not, and `lost` is called instead. */
  after(delayMs: number, owner: object | undefined, happen: () => void, lost?: () => void): void;
  /** The owner stands still for a while: what it was about to do happens later. */
  postpone(owner: object, byMs: number): void;
  /** The owner dies. */
  drop(owner: object): void;
  /** Lets the next thing happen; false where there is none. */
  step(): boolean;
}

interface Due {
  readonly atMs: number;
  readonly order: number;
  readonly owner: object | undefined;
  readonly happen: () => void;
  readonly lost: (() => void) | undefined;
}

export function createTimeline(): Timeline {
  let due: Due[] = [];
  let order = 0;
  const timeline: Timeline = {
    nowMs: 0,
    after(delayMs, owner, happen, lost) {
      const entry = { atMs: timeline.nowMs + delayMs, order: order++, owner, happen, lost };
      let at = due.length;
      while (at > 0 && isBefore(entry, due[at - 1]!)) at--;
      due.splice(at, 0, entry);
    },
    postpone(owner, byMs) {
      due = due
        .map((entry) => (entry.owner === owner ? { ...entry, atMs: entry.atMs + byMs } : entry))
        .sort((a, b) => (isBefore(a, b) ? -1 : 1));
    },
    drop(owner) {
      const gone = due.filter((entry) => entry.owner === owner);
      due = due.filter((entry) => entry.owner !== owner);
      for (const entry of gone) entry.lost?.();
    },
    step() {
      const next = due.shift();
      if (next === undefined) return false;
      timeline.nowMs = Math.max(timeline.nowMs, next.atMs);
      next.happen();
      return true;
    },
  };
  return timeline;
}

function isBefore(a: Due, b: Due): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

/**
 * The clock of one process: it goes as the timeline goes, from a start of its own, since no two clocks agree. Each look at it takes
 * time, so that work is cut into slices of any size.
 */
export function simClock(timeline: Timeline, owner: object, { int }: Random): Clock {
  const startMs = int(1e12);
  let spentMs = 0;
  return {
    nowMs: () => startMs + timeline.nowMs,
    monotonicMs: () => timeline.nowMs + (spentMs += int(10)),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve();
        else timeline.after(ms, owner, resolve);
      }),
    turn: () => new Promise((resolve) => timeline.after(int(30), owner, resolve)),
  };
}

/** Lets all that can go on without time go on: promises that are settled, and what follows from them. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
