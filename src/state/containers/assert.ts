/** Throws where the program contradicts itself: a bug. The process ends, and starts again from its checkpoint. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`);
}
