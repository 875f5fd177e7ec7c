/** A log inside, as threads that read it are given it: plain data. */
export interface SharedLog {
  /** Folder of the log. */
  readonly folder: string;
  /** Name of this log among all logs. */
  readonly id: string;
  /** Topic of the events, and the number of its partitions. */
  readonly topic: string;
  readonly partitions: number;
  /** Numbers that the writer and the readers tell each other. */
  readonly buffer: SharedArrayBuffer;
}

/** Topic of the truth, which has one partition. */
export const truthTopic = 'truth';

/** Numbers that the writer and the readers of a log tell each other, by number of a partition of events; truth comes behind them. */
export interface SharedNumbers {
  /** Next offset that is not durable yet. */
  end(partition: number): number;
  /** Wakes the readers. */
  setEnd(partition: number, offset: number): void;
  /** Next offset that no checkpoint covers; -1 while no reader has said so. */
  covered(partition: number): number;
  setCovered(partition: number, offset: number): void;
  /** Number of changes so far. */
  version(): number;
  /** Resolves when the number of changes is no longer `version`, or at a `wake`. */
  changed(version: number): Promise<unknown>;
  /** Has all that wait for changes look again. */
  wake(): void;
}

/** Memory for the numbers of a log. */
export function sharedBuffer(partitions: number): SharedArrayBuffer {
  const numbers = partitions + 1;
  const buffer = new SharedArrayBuffer(8 * (1 + 2 * numbers));
  new BigInt64Array(buffer, 8 * (1 + numbers)).fill(-1n);
  return buffer;
}

/** The numbers in the memory of a log. */
export function sharedNumbers({ buffer, partitions }: Pick<SharedLog, 'buffer' | 'partitions'>): SharedNumbers {
  const numbers = partitions + 1;
  const version = new Int32Array(buffer, 0, 1);
  const ends = new BigInt64Array(buffer, 8, numbers);
  const covered = new BigInt64Array(buffer, 8 * (1 + numbers), numbers);
  return {
    end: (partition) => Number(Atomics.load(ends, partition)),
    setEnd(partition, offset) {
      Atomics.store(ends, partition, BigInt(offset));
      Atomics.add(version, 0, 1);
      Atomics.notify(version, 0);
    },
    covered: (partition) => Number(Atomics.load(covered, partition)),
    setCovered: (partition, offset) => void Atomics.store(covered, partition, BigInt(offset)),
    version: () => Atomics.load(version, 0),
    wake: () => void Atomics.notify(version, 0),
    changed: async (seen) => await Atomics.waitAsync(version, 0, seen).value,
  };
}
