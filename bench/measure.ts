/** One thing to measure; a run does all of its work once. */
export interface Case {
  readonly name: string;
  readonly run: () => void;
}

export interface Measured {
  readonly name: string;
  /** Median CPU time of one unit of work, in µs. */
  readonly micros: number;
  readonly least: number;
  readonly most: number;
}

/** Runs the cases in turn, round by round, after one round to warm up: figures of one call can be compared with each other. */
export function interleaved(cases: readonly Case[], units: number, rounds: number): Measured[] {
  const times = cases.map(() => [] as number[]);
  for (let round = 0; round <= rounds; round++) {
    cases.forEach(({ run }, index) => {
      const before = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(before);
      if (round > 0) times[index]!.push((user + system) / units);
    });
  }
  return cases.map(({ name }, index) => summary(name, times[index]!));
}

/** Median and range of figures in µs. */
export function summary(name: string, micros: readonly number[]): Measured {
  const sorted = [...micros].sort((a, b) => a - b);
  return { name, micros: sorted[sorted.length >> 1]!, least: sorted[0]!, most: sorted.at(-1)! };
}

/** A table of figures with their ratio to one of them. */
export function table(title: string, measured: readonly Measured[], base: string): string {
  const one = measured.find(({ name }) => name === base)!.micros;
  const rows = measured.map(({ name, micros, least, most }) =>
    [
      name.padEnd(40),
      `${micros.toFixed(2)} µs`.padStart(10),
      `(${least.toFixed(2)} to ${most.toFixed(2)})`.padStart(18),
      `${(micros / one).toFixed(2)} x`.padStart(8),
    ].join(' '),
  );
  return [title, ...rows].join('\n');
}
