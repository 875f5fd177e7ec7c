import process from 'node:process';

/** Deadlines that only a failure meets are so many times as long in CI, whose machine may be slow. */
export const patience: number = process.env['CI'] === 'true' ? 5 : 1;

/** Waits until something is so; fails with its name after some time. What `holds` throws is thrown at once. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  const deadline = Date.now() + patience * limitMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${patience * limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
