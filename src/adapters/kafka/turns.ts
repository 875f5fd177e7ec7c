/** Turns of the event loop, shared out: what waits is done in the order it came, and a turn takes about so long, however many wait. */
export interface Turns {
  /** Resolves when the work was done, in a later turn. Rejects with what it throws. */
  take(work: () => void): Promise<void>;
  /** Whether the present turn should end. */
  isOver(): boolean;
}

/** Turns of so many milliseconds. */
export function createTurns(turnMs: number): Turns {
  const waiting: (() => void)[] = [];
  let isPlanned = false;
  let endMs = 0;
  const isOver = (): boolean => performance.now() >= endMs;

  function plan(): void {
    if (!isPlanned) setImmediate(turn);
    isPlanned = true;
  }

  function turn(): void {
    isPlanned = false;
    endMs = performance.now() + turnMs;
    do waiting.shift()!();
    while (waiting.length > 0 && !isOver());
    if (waiting.length > 0) plan();
  }

  return {
    isOver,
    take(work) {
      plan();
      return new Promise((resolve, reject) => {
        waiting.push(() => {
          try {
            resolve(work());
          } catch (error) {
            reject(error as Error);
          }
        });
      });
    },
  };
}
