/** The steps left for one event: comparing a value is a step. Beyond, nothing more is found equal. */
export interface Steps {
  left: number;
  /** Values within values that are being compared. */
  depth: number;
}

/** Values deeper than this are compared without rules: the engine's stack holds several times as many. */
export const depthMax = 256;

/** Steps of such a comparison, whatever the size. */
export const deepSteps = 20_000;

/** Takes steps; false where none are left. */
export function spend(steps: Steps, count: number): boolean {
  steps.left -= count;
  return steps.left >= 0;
}
