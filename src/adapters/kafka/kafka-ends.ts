import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, partitionName } from '../../ports.ts';
import type { Assignment } from './kafka-assignment.ts';
import type { End, KafkaOffsets } from './kafka-offsets.ts';

/** The condition that ends a run. */
export interface Stop {
  stop(): void;
  fail(error: unknown): void;
}

/**
 * Ends a run once the group has passed what there was at the start: this member by its positions, others by their commits. A member
 * that was killed keeps its share until its session ends; a member that left before would leave the share unread.
 */
export async function stopAtEnds(assignment: Assignment, offsets: KafkaOffsets, halt: Stop, log: Log): Promise<void> {
  const ends = await offsets.ends();
  const highs = new Map(ends.map(({ partition, high }) => [partitionName(partition), high]));
  let waitingIn: number | undefined;
  const waitForOthers = async (others: readonly End[]): Promise<void> => {
    const { epoch } = assignment;
    const partitions = others.map(({ partition }) => partitionName(partition));
    log.info(
      { partitions },
      `At the ends of its own partitions: waits for other members to reach ${partitions.length} more`,
    );
    // Other members may be waiting for the commits of this one.
    await assignment.consumer.save();
    const stays = (): boolean => assignment.epoch === epoch && !assignment.stopping && ownReached(assignment, highs);
    while (stays()) {
      const reached = await haveCommitted(others, offsets);
      if (reached && stays()) return halt.stop();
      await sleep(askAgainMs);
    }
    if (waitingIn === epoch) waitingIn = undefined;
  };
  assignment.changed = () => {
    if (assignment.group === undefined || assignment.stopping || waitingIn === assignment.epoch) return;
    if (!ownReached(assignment, highs)) return;
    const refused = [...assignment.partitions.values()].filter((each) => each.refused).map(({ name }) => name);
    if (refused.length > 0)
      return halt.fail(
        new Error(`Stopped before the end of ${refused.join(', ')}: refused, see the log for the remedy`),
      );
    const others = ends.filter(({ partition }) => !assignment.partitions.has(partitionName(partition)));
    if (others.length === 0) return halt.stop();
    waitingIn = assignment.epoch;
    void waitForOthers(others).catch(halt.fail);
  };
}

const askAgainMs = 200;

/** Returns whether this member has no more to read in any of its partitions, or may not. */
function ownReached({ partitions, consumer }: Assignment, highs: ReadonlyMap<string, number>): boolean {
  return [...partitions.values()].every(
    ({ name, partition, ready, refused }) =>
      refused || (ready && (consumer.nextOffset(partition) ?? -1) >= (highs.get(name) ?? 0)),
  );
}

async function haveCommitted(ends: readonly End[], offsets: KafkaOffsets): Promise<boolean> {
  const committed = await Promise.all(ends.map(({ partition }) => offsets.committed(partition)));
  return ends.every(({ high }, index) => (committed[index] ?? 0) >= high);
}
