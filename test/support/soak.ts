/** Whether this is the long run, `npm run test:soak`: more rounds, more mutations, real servers that are built first. */
export const soak: boolean = process.env['ASSAY_SOAK'] === '1';

/** Returns how many runs of a property, seeds of a simulation or rounds of damage a test does: few by default, many in the soak. */
export function runs(few: number, many: number = 10 * few): number {
  return soak ? many : few;
}
