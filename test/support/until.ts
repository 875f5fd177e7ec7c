import process from 'node:process';

/** Deadlines that only a failure meets are so many times as long in CI, whose machine may be slow. */
export const patience: number = process.env['CI'] === 'true' ? 5 : 1;

/** Waits until something is so; fails with its name after some time. What `holds` throws is thrown at once. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  const begunMs = Date.now();
  while (!(await holds())) {
    const passedMs = Date.now() - begunMs;
    if (passedMs > patience * limitMs) throw new Error(`not within ${patience * limitMs} ms: ${what}`);
    // What takes long is looked for seldom: looking takes time from what is waited for.
    await new Promise((resolve) => setTimeout(resolve, Math.min(10 + passedMs / 20, 100)));
  }
}
