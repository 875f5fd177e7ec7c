/** Work that can be left between two steps, so that a caller decides how much of it is done at once. */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all of it now. */
export function finish<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
