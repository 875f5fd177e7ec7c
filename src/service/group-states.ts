import { bestChain } from '../adapters/checkpoint-store/checkpoint-folder.ts';
import { statePartitions } from '../adapters/checkpoint-store/state-folder.ts';
import type { ObjectStore } from '../adapters/object-store/object-store.ts';
import { systemClock } from '../adapters/system-clock.ts';
import type { Config } from '../config/config.ts';
import { shapingByKey } from '../config/config-hash.ts';
import { settingsOf, topicsOf } from '../config/settings.ts';
import { messageOf } from '../errors.ts';
import { type RestoredStore, restoreStore } from '../formats/checkpoint/checkpoint.ts';
import { partitionFolder } from '../formats/checkpoint/names.ts';
import { type Identity, migrationOf } from '../pipeline/identity.ts';
import { inSlices } from '../pipeline/time-slices.ts';
import { type Checkpoint, partitionName, type TopicPartition } from '../ports.ts';
import type { PartitionState } from '../state/partition.ts';
import { restoredUnder } from '../state/migrate.ts';
import { rowListener, type SavedHeader } from '../state/saved.ts';
import type { Settings } from '../state/settings.ts';
import { finish, type Steps } from '../state/steps.ts';
import { changes } from './changes.ts';

/** The state of a partition at its newest checkpoint, as far as it is shown. */
export interface SavedPartition {
  readonly partition: TopicPartition;
  readonly name: string;
  readonly state: PartitionState;
  readonly identity: Identity;
  /** Id of the checkpoint. */
  readonly checkpoint: string;
  /** The store for the next delta; undefined where the state was laid out anew. */
  readonly restored: RestoredStore | undefined;
}

/** Where the checkpoints of a group lie, and how their states are laid out. */
export interface GroupReading {
  /** Undefined where no states are cached: each checkpoint is then reported whole. */
  readonly store: ObjectStore | undefined;
  readonly group: string;
  readonly topics: readonly string[];
  readonly settings: Settings;
  /** The settings that shape the state, of the reader. */
  readonly shaping: Identity['settings'];
}

/** How the checkpoints of a configuration are read. */
export function groupReading(config: Config, store: ObjectStore | undefined): GroupReading {
  const settings = settingsOf(config, undefined);
  return { store, group: config.kafka.group_id, topics: topicsOf(config), settings, shaping: shapingByKey(config) };
}

/** The partitions of a group by name, as they were read last. */
export type GroupStates = Map<string, SavedPartition>;

/**
 * Reads the newest checkpoints of all partitions of a group beside their writers; of those that `states` holds, what is new alone. Resolves with
 * what keeps any from being read: such a partition stays as it was.
 */
export async function readGroup(reading: GroupReading, states: GroupStates): Promise<readonly string[]> {
  const { store, group, topics } = reading;
  const all = await statePartitions(store!);
  const found = all.filter((each) => each.group === group && topics.includes(each.topic));
  const problems: string[] = [];
  for (const { topic, partition } of found) {
    const problem = await readPartition(reading, states, { topic, partition }).catch(messageOf);
    if (problem !== undefined) problems.push(problem);
  }
  const names = new Set(found.map(partitionName));
  for (const name of states.keys()) if (!names.has(name)) states.delete(name);
  return problems;
}

/** Reads the newest checkpoint of a partition; what is new alone, where `states` holds it. */
export async function readPartition(
  reading: GroupReading,
  states: GroupStates,
  partition: TopicPartition,
): Promise<undefined> {
  const { store, group } = reading;
  if (store === undefined) return;
  const folder = partitionFolder(group, partition);
  const before = states.get(partitionName(partition));
  let { chain } = await bestChain(store, folder, before?.checkpoint);
  // Nothing new, or nothing there that is whole.
  if (chain.length === 0) return;
  if (chain[0]!.base !== undefined && before?.restored === undefined) ({ chain } = await bestChain(store, folder));
  await restoreOnto(reading, states, partition, chain);
}

/** Returns whether a checkpoint is a delta from the state that is held of its partition, or needs none. */
export function follows({ base }: Pick<Checkpoint, 'base'>, held: SavedPartition | undefined): boolean {
  return base === undefined || (held?.restored !== undefined && base === held.checkpoint);
}

/** Restores checkpoints of a partition, from a snapshot on, or deltas onto what `states` holds of it, and puts the state there. */
export async function restoreOnto(
  { settings, shaping }: Pick<GroupReading, 'settings' | 'shaping'>,
  states: GroupStates,
  partition: TopicPartition,
  checkpoints: readonly Pick<Checkpoint, 'id' | 'base' | 'bytes'>[],
): Promise<void> {
  const name = partitionName(partition);
  const onto = checkpoints[0]!.base === undefined ? undefined : states.get(name)?.restored;
  const files = checkpoints.map(({ bytes }) => bytes);
  const before = onto && states.get(name)?.state;
  const steps = stateOf(files, onto, before, { settings, shaping, name });
  // The state before shares its containers: no reader may look until all of it is read.
  const made = onto === undefined ? await inSlices(systemClock, steps) : finish(steps);
  states.set(name, { ...made, partition, name, checkpoint: checkpoints.at(-1)!.id });
}

function* stateOf(
  files: readonly Uint8Array[],
  onto: RestoredStore | undefined,
  before: PartitionState | undefined,
  { settings, shaping, name }: Pick<GroupReading, 'settings' | 'shaping'> & { readonly name: string },
): Steps<Pick<SavedPartition, 'state' | 'identity' | 'restored'>> {
  const restored = yield* restoreStore(files, onto, true, before && rowListener(before));
  const { store } = restored;
  const { identity } = JSON.parse(store.header) as SavedHeader & { readonly identity: Identity };
  const migration = migrationOf(identity, { ...identity, settings: shaping }, { changes, settings, name });
  const state = yield* restoredUnder(settings, store, migration, before);
  return { state, identity, restored: migration === undefined ? restored : undefined };
}
