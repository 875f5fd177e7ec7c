import type { Config } from '../../../config/config.ts';
import { shapingByKey } from '../../../config/config-hash.ts';
import { systemClock } from '../../../adapters/system-clock.ts';
import { inTurn, type SerialQueue } from '../../../pipeline/time-slices.ts';
import { type Checkpoint, partitionName, type TopicPartition } from '../../../ports.ts';
import { type GroupStates, restoreOnto } from '../../../service/group-states.ts';
import type { ScoringService } from '../../../service/running-service.ts';
import { readersOf, settingsOf } from '../../../config/settings.ts';
import { hidePartition, showPartition } from '../../../service/shown-partitions.ts';

/** The states of partitions that threads hold, as of their checkpoints, in the service whose pages show them. */
export interface ThreadStates {
  /** Applies a restored state of a thread, or its next delta. */
  apply(thread: number, partition: TopicPartition, checkpoints: readonly Checkpoint[]): void;
  revoked(thread: number, partition: TopicPartition): void;
  /** Resolves when all is applied. */
  applied(): Promise<void>;
}

/** No partition. */
export function threadStates(config: Config, service: ScoringService): ThreadStates {
  const reading = { settings: settingsOf(config, undefined), shaping: shapingByKey(config), clock: systemClock };
  const readerOfTopic = readersOf(config);
  const states: GroupStates = new Map();
  const holders = new Map<string, number>();
  const queue: SerialQueue = { last: Promise.resolve() };

  async function restore(partition: TopicPartition, checkpoints: readonly Checkpoint[]): Promise<void> {
    // A snapshot in the place of the deltas that it equals.
    if (states.get(partitionName(partition))?.checkpoint === checkpoints.at(-1)!.id) return;
    showPartition(service, await restoreOnto(reading, states, partition, checkpoints), readerOfTopic);
  }

  return {
    apply(thread, partition, checkpoints) {
      if (checkpoints.length === 0) return;
      holders.set(partitionName(partition), thread);
      void inTurn(queue, () => restore(partition, checkpoints));
    },
    revoked(thread, partition) {
      const name = partitionName(partition);
      // The present owner may have reported first.
      if (holders.get(name) !== thread) return;
      holders.delete(name);
      void inTurn(queue, async () => {
        if (holders.has(name)) return;
        states.delete(name);
        hidePartition(service, name);
      });
    },
    applied: async () => void (await queue.last),
  };
}
