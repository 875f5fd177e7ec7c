/** A cut: the state of a partition between two records. */
export interface Cut {
  /** Unique name of the cut. */
  readonly id: string;
  readonly nextOffset: number;
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
}

/** What a checkpoint file says of itself. */
export interface Head extends Cut {
  /** Id of the cut that the file changes, undefined for a full state. */
  readonly parent: string | undefined;
  readonly format: number;
}

/** Refuses a file that is intact but of another state. */
export function unfit(head: Head, why: string): never {
  throw new Error(
    `checkpoint ${nameOf(head)} does not fit the state: ${why}; it was written under other settings or releases`,
  );
}

/** How a cut is named in messages. */
export function nameOf(head: Head): string {
  return `${head.group} ${head.topic}/${head.partition} at ${head.nextOffset} (${head.id})`;
}
