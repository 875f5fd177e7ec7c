import type { Config } from '../../config/config.ts';
import { shapingSettings } from '../../config/config-hash.ts';
import { systemClock } from '../../adapters/system-clock.ts';
import { inSlices, inTurn, type SerialQueue } from '../../pipeline/time-slices.ts';
import { type Checkpoint, partitionName, type TopicPartition } from '../../ports.ts';
import { finish } from '../../state/steps.ts';
import { type GroupStates, stateOf } from '../group-states.ts';
import type { ScoringService } from '../running-service.ts';
import { readersOf, settingsOf } from '../settings.ts';
import { hidePartition, showPartition } from '../shown-partitions.ts';

/** The states of partitions that threads hold, as of their checkpoints, in the service whose pages show them. */
export interface ThreadStates {
  /** What a thread has restored, or the next delta. */
  apply(thread: number, partition: TopicPartition, checkpoints: readonly Checkpoint[]): void;
  revoked(thread: number, partition: TopicPartition): void;
  /** Resolves when all is applied. */
  applied(): Promise<void>;
}

/** No partition. */
export function threadStates(config: Config, service: ScoringService): ThreadStates {
  const settings = settingsOf(config, undefined);
  const shaping = Object.fromEntries(shapingSettings(config).map(({ key, value }) => [key, value]));
  const readerOfTopic = readersOf(config);
  const states: GroupStates = new Map();
  const holders = new Map<string, number>();
  const queue: SerialQueue = { last: Promise.resolve() };

  async function restore(partition: TopicPartition, checkpoints: readonly Checkpoint[]): Promise<void> {
    const name = partitionName(partition);
    const before = states.get(name);
    const checkpoint = checkpoints.at(-1)!.id;
    // A snapshot in the place of the deltas that it equals.
    if (before?.checkpoint === checkpoint) return;
    const onto = checkpoints[0]!.base === undefined ? undefined : before?.restored;
    const steps = stateOf(
      checkpoints.map(({ bytes }) => bytes),
      onto,
      { settings, shaping, name },
    );
    // The state before shares its containers: nobody may look until all of it is read.
    const made = onto === undefined ? await inSlices(systemClock, steps) : finish(steps);
    const saved = { ...made, partition, name, checkpoint };
    states.set(name, saved);
    showPartition(service, saved, readerOfTopic);
  }

  return {
    apply(thread, partition, checkpoints) {
      if (checkpoints.length === 0) return;
      holders.set(partitionName(partition), thread);
      void inTurn(queue, () => restore(partition, checkpoints));
    },
    revoked(thread, partition) {
      const name = partitionName(partition);
      // Whoever has it now may have spoken first.
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
