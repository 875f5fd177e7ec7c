import { bestChain } from '../adapters/checkpoint-store/checkpoint-folder.ts';
import { type StatePartition, statePartitions } from '../adapters/checkpoint-store/state-folder.ts';
import type { ObjectStore } from '../adapters/object-store/object-store.ts';
import { messageOf } from '../errors.ts';
import { type RestoredStore, restoreStore } from '../formats/checkpoint/checkpoint.ts';
import { type Identity, migrationOf } from '../pipeline/identity.ts';
import { inSlices } from '../pipeline/time-slices.ts';
import { type Checkpoint, type Clock, partitionName, type TopicPartition } from '../ports.ts';
import type { PartitionState } from '../state/partition.ts';
import { restoredUnder } from '../state/migrate.ts';
import type { SavedHeader } from '../state/saved.ts';
import type { Settings } from '../state/settings.ts';
import { finish, type Steps } from '../state/steps.ts';
import { changes } from './changes.ts';

/** The state of a partition at its newest checkpoint. */
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

/** The group whose checkpoints are read, and how their states are laid out. */
export interface GroupReading {
  readonly store: ObjectStore;
  readonly group: string;
  readonly topics: readonly string[];
  readonly settings: Settings;
  /** The settings that shape the state, of the reader. */
  readonly shaping: Identity['settings'];
  readonly clock: Clock;
}

/** The partitions of a group by name, as they were read last. */
export type GroupStates = Map<string, SavedPartition>;

/**
 * Reads the newest checkpoints of all partitions of a group beside their writers; of those that `states` holds, what is new alone. `changed` is
 * told of each, in the turn in which the state before stops to be one. Resolves with what keeps any from being read: such a partition stays as it was.
 */
export async function readGroup(
  reading: GroupReading,
  states: GroupStates,
  changed: (saved: SavedPartition) => void,
): Promise<readonly string[]> {
  const { store, group, topics } = reading;
  const all = await statePartitions(store);
  const found = all.filter((each) => each.group === group && topics.includes(each.topic));
  const problems: string[] = [];
  for (const partition of found) {
    const problem = await readPartition(reading, partition, states, changed).catch(messageOf);
    if (problem !== undefined) problems.push(problem);
  }
  const names = new Set(found.map(partitionName));
  for (const name of states.keys()) if (!names.has(name)) states.delete(name);
  return problems;
}

async function readPartition(
  reading: GroupReading,
  { topic, partition, folder }: StatePartition,
  states: GroupStates,
  changed: (saved: SavedPartition) => void,
): Promise<undefined> {
  const { store } = reading;
  const before = states.get(partitionName({ topic, partition }));
  let { chain } = await bestChain(store, folder, before?.checkpoint);
  // Nothing new, or nothing there that is whole.
  if (chain.length === 0) return undefined;
  const isDelta = chain[0]!.base !== undefined;
  if (isDelta && before?.restored === undefined) ({ chain } = await bestChain(store, folder));
  changed(await restoreOnto(reading, states, { topic, partition }, chain));
  return undefined;
}

/** Restores checkpoints of a partition, from a snapshot on, or deltas onto what `states` holds of it, and puts the state there. */
export async function restoreOnto(
  { settings, shaping, clock }: Pick<GroupReading, 'settings' | 'shaping' | 'clock'>,
  states: GroupStates,
  partition: TopicPartition,
  checkpoints: readonly Pick<Checkpoint, 'id' | 'base' | 'bytes'>[],
): Promise<SavedPartition> {
  const name = partitionName(partition);
  const onto = checkpoints[0]!.base === undefined ? undefined : states.get(name)?.restored;
  const files = checkpoints.map(({ bytes }) => bytes);
  const steps = stateOf(files, onto, { settings, shaping, name });
  // The state before shares its containers: no reader may look until all of it is read.
  const made = onto === undefined ? await inSlices(clock, steps) : finish(steps);
  const saved = { ...made, partition, name, checkpoint: checkpoints.at(-1)!.id };
  states.set(name, saved);
  return saved;
}

function* stateOf(
  files: readonly Uint8Array[],
  onto: RestoredStore | undefined,
  {
    settings,
    shaping,
    name,
  }: { readonly settings: Settings; readonly shaping: Identity['settings']; readonly name: string },
): Steps<Pick<SavedPartition, 'state' | 'identity' | 'restored'>> {
  const restored = yield* restoreStore(files, onto);
  const { store } = restored;
  const { identity } = JSON.parse(store.header) as SavedHeader & { readonly identity: Identity };
  const migration = migrationOf(identity, { ...identity, settings: shaping }, { changes, settings, name });
  const state = yield* restoredUnder(settings, store, migration);
  return { state, identity, restored: migration === undefined ? restored : undefined };
}
