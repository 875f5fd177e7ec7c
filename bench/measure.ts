import process from 'node:process';

/** Returns the ms of CPU that the work takes here. */
export function cpuMs(work: () => void): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

/** One thing to measure; a run does all of its work once. */
export interface Case {
  readonly name: string;
  readonly run: () => void;
}

export interface Measured {
  readonly name: string;
  /** CPU time of one unit of work in each round, in µs. */
  readonly micros: readonly number[];
}

/** Runs the cases in turn, round by round, after one round to warm up: figures of one call can be compared with each other. */
export function interleaved(cases: readonly Case[], units: number, rounds: number): Measured[] {
  const measured = cases.map(({ name }) => ({ name, micros: [] as number[] }));
  for (let round = 0; round <= rounds; round++) {
    cases.forEach(({ run }, index) => {
      const micros = 1_000 * cpuMs(run);
      if (round > 0) measured[index]!.micros.push(micros / units);
    });
  }
  return measured;
}

/** A table of medians and ranges. The ratio is the median of the ratios within each round, since a machine drifts. */
export function table(title: string, measured: readonly Measured[], base: string): string {
  const one = measured.find(({ name }) => name === base)!.micros;
  const rows = measured.map(({ name, micros }) =>
    [
      name.padEnd(40),
      `${median(micros).toFixed(2)} µs`.padStart(10),
      `(${Math.min(...micros).toFixed(2)} to ${Math.max(...micros).toFixed(2)})`.padStart(18),
      `${median(micros.map((value, round) => value / one[round]!)).toFixed(2)} x`.padStart(8),
    ].join(' '),
  );
  return [title, ...rows].join('\n');
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}
