import process from 'node:process';

const referenceText = JSON.stringify(Array.from({ length: 2_000 }, (_, at) => ({ id: `example-${at}`, values: [at] })));
/**
 * Ms of CPU of `JSON.parse(referenceText)` on the machine for which the bounds of the tests were set: estimated, from 1.0 on one
 * where an event of 0.9 KB takes kafkajs and JSON.parse 2.4 times as long.
 */
const referenceMs = 0.5;

/**
 * Ms of CPU that `work` takes, on a machine like the one for which the bounds of the tests were set: where a reference work
 * takes longer than it did there, before or after, so much less is told. A bound then is of the program, not of a slow machine.
 */
export function cpuMsOf(work: () => void): number {
  const before = slowness();
  const ms = cpuMs(work);
  return ms / Math.max(1, before, slowness());
}

function slowness(): number {
  return Math.min(...[0, 1, 2].map(() => cpuMs(() => void JSON.parse(referenceText)))) / referenceMs;
}

/** Ms of CPU that `work` takes here. */
export function cpuMs(work: () => void): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}
