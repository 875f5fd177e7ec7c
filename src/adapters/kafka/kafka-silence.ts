import { type Link, SilentError } from './kafka-outage.ts';

/** The answers of the brokers to one use of a Kafka. */
export interface Answers {
  /** Time on the clock of `performance.now()`, in ms, up to which every broker that was asked has answered; NaN before the first answer. */
  untilMs(): number;
  /** A broker has answered. */
  heard(): void;
  /** Waits for an answer. */
  awaited<T>(answer: Promise<T>): Promise<T>;
  /** The connections were given up: answers that are awaited will not come. */
  reset(): void;
}

/** Answers, of which none has come. */
export function newAnswers(): Answers {
  const asked = new Set<{ readonly sinceMs: number }>();
  let lastMs = Number.NaN;
  return {
    untilMs: () => Math.min(lastMs, ...[...asked].map(({ sinceMs }) => sinceMs)),
    heard: () => void (lastMs = performance.now()),
    async awaited(answer) {
      const entry = { sinceMs: performance.now() };
      asked.add(entry);
      try {
        return await answer;
      } finally {
        asked.delete(entry);
      }
    },
    reset: () => asked.clear(),
  };
}

/**
 * Reports an outage where a broker that was asked has not answered for `limitMs`. Turns of a timer are counted and not the time: a process that
 * was stopped itself has not heard the answers. Returns a function that ends the watch.
 *
 * @param isJoining says whether a join is under way, which the group answers when all its members have joined
 */
export function watchSilence(answers: Answers, link: Link, limitMs: number, isJoining: () => boolean): () => void {
  let beforeMs = Number.NaN;
  let turns = 0;
  const timer = setInterval(() => {
    const untilMs = answers.untilMs();
    turns = isJoining() || !Object.is(untilMs, beforeMs) ? 0 : turns + 1;
    beforeMs = untilMs;
    if (turns >= turnsOfLimit && link.problem() === undefined) link.down(new SilentError(limitMs));
  }, limitMs / turnsOfLimit);
  timer.unref();
  return () => clearInterval(timer);
}

const turnsOfLimit = 20;
