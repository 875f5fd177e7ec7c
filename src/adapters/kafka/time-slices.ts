/** Shares the event loop among many works: they are done in the order they came, and the loop turns after each time slice. */
export interface TimeSlices {
  /** Resolves when the work was done, in a later turn of the event loop. Rejects with what it throws. */
  take(work: () => void): Promise<void>;
  /** Whether the present slice is over. */
  isOver(): boolean;
}

/** Time slices of so many milliseconds. */
export function createTimeSlices(sliceMs: number): TimeSlices {
  const waiting: (() => void)[] = [];
  let isPlanned = false;
  let endMs = 0;
  const isOver = (): boolean => performance.now() >= endMs;

  function plan(): void {
    if (!isPlanned) setImmediate(slice);
    isPlanned = true;
  }

  function slice(): void {
    isPlanned = false;
    endMs = performance.now() + sliceMs;
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
