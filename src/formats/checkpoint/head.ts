/** What a checkpoint is of: a partition of a group, up to an offset. */
export interface CheckpointKey {
  /** Unique name of the checkpoint. */
  readonly id: string;
  readonly nextOffset: number;
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
}

/** What a checkpoint file says of itself. */
export interface Head extends CheckpointKey {
  /** Id of the checkpoint that a delta builds on, undefined for a snapshot. */
  readonly base: string | undefined;
  readonly format: number;
}

/** Refuses a file that is intact but of another state. */
export function unfit(head: Head, why: string): never {
  throw new Error(
    `checkpoint ${nameOf(head)} does not fit the state: ${why}; it was written under other settings or releases`,
  );
}

/** How a checkpoint is named in messages. */
export function nameOf(head: Head): string {
  return `${head.group} ${head.topic}/${head.partition} at ${head.nextOffset} (${head.id})`;
}
