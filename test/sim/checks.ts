import { isDeepStrictEqual } from 'node:util';
import type { Task } from '../../src/pipeline/task.ts';
import { type Checkpoint, partitionName } from '../../src/ports.ts';
import type { Store } from '../../src/state/containers/store.ts';
import type { SavedHeader } from '../../src/state/saved.ts';
import { storeOf } from '../../src/state/saved.ts';
import { contentsOf, restored } from '../support/encoded.ts';
import { deadLetterKey } from './dead-letters.ts';
import { chainTo, type Folder, isIntact, treeOf } from './disk.ts';
import type { Instance } from './instance.ts';
import { topic } from './log.ts';
import { createReferences, type References } from './reference.ts';
import { chosenChain } from './store.ts';
import type { World } from './world.ts';

/** The laws, looked at while things happen. Each throws, naming what it saw. */
export interface Checks {
  /** A file is on the disk, whether or not its writer hears of it. */
  saved(world: World, partition: number, file: Checkpoint): void;
  /** Its writer heard of it. */
  acknowledged(world: World, partition: number, file: Checkpoint): void;
  /** A process was given a state to go on from. */
  loaded(world: World, partition: number, files: readonly Checkpoint[] | undefined): void;
  /** The group accepted the commit of a process, which hears of it and counts what was new. */
  published(world: World, instance: Instance, partition: number, nextOffset: number): void;
  /** A file that was acknowledged has been damaged. */
  damaged(world: World, partition: number): void;
  /** Greatest next offset of what was acknowledged and is not damaged; -1 where there is none. */
  durableOffset(partition: number): number;
  /** After everything that happens. */
  step(world: World): void;
  references(world: World): References;
  /** Files of acknowledged checkpoints that were damaged. */
  damage: number;
}

export function createChecks(partitions: number): Checks {
  let references: References | undefined;
  const checkpoints = checkpointChecks(partitions);
  const checks: Checks = Object.assign(checkpoints, {
    ...countChecks(partitions, checkpoints),
    references: (world: World) => (references ??= createReferences(world.config, world.truths)),
    saved(world: World, partition: number, file: Checkpoint) {
      const chain = chainTo(treeOf(world.folders[partition]!), file.id);
      if (chain !== undefined) compareWithReference(world, checks.references(world), partition, chain);
      checks.loaded(world, partition, chosenChain(world, world.folders[partition]!));
    },
  });
  return checks;
}

interface Acknowledged {
  readonly id: string;
  readonly nextOffset: number;
  /** It cannot be restored: it, or what it builds on, was damaged. */
  lost: boolean;
}

/** (b): what was acknowledged can be restored, damage apart, and nothing older is. */
function checkpointChecks(
  partitions: number,
): Pick<Checks, 'damage' | 'acknowledged' | 'loaded' | 'damaged' | 'durableOffset'> {
  const acknowledged: Acknowledged[][] = Array.from({ length: partitions }, () => []);
  const checks = {
    damage: 0,
    acknowledged(world: World, partition: number, { id, nextOffset }: Checkpoint) {
      const folder = world.folders[partition]!;
      const lost = folder.some((file) => file.id === id) && !restorable(folder).has(id);
      acknowledged[partition]!.push({ id, nextOffset, lost });
    },
    loaded(_world: World, partition: number, files: readonly Checkpoint[] | undefined) {
      const expected = checks.durableOffset(partition);
      const offset = files?.at(-1)?.nextOffset ?? -1;
      if (offset < expected)
        throw new Error(`(b) partition ${partition} was restored at ${offset}, acknowledged and valid was ${expected}`);
    },
    damaged(world: World, partition: number) {
      checks.damage++;
      const folder = world.folders[partition]!;
      const valid = restorable(folder);
      for (const checkpoint of acknowledged[partition]!)
        if (folder.some(({ id }) => id === checkpoint.id) && !valid.has(checkpoint.id)) checkpoint.lost = true;
      if ((world.group.committed[partition] ?? 0) > 0 && valid.size === 0)
        throw new Error(`a single damaged file has left partition ${partition} without a valid checkpoint`);
    },
    durableOffset: (partition: number) =>
      acknowledged[partition]!.reduce((most, { nextOffset, lost }) => (lost ? most : Math.max(most, nextOffset)), -1),
  };
  return checks;
}

/** (e) and (g): what is counted adds up, and no process counts what was counted before. */
function countChecks(partitions: number, checkpoints: Pick<Checks, 'damage'>): Pick<Checks, 'published' | 'step'> {
  const publishedTo = new Array<number>(partitions).fill(0);
  /** By task: up to where its records were published when it began, or since by itself. */
  const publishedBy = new WeakMap<Task, number>();
  return {
    published(_world, { number, pipeline }, partition, nextOffset) {
      const task = pipeline.service.tasks.get(partitionName({ topic, partition }));
      if (task === undefined || checkpoints.damage > 0) return;
      const from = publishedBy.get(task)!;
      if (from < publishedTo[partition]!)
        throw new Error(
          `(g) process ${number} counts ${partition} from ${from}, counted up to ${publishedTo[partition]}`,
        );
      publishedTo[partition] = nextOffset;
      publishedBy.set(task, nextOffset);
    },
    step(world) {
      checkAccounting(world);
      for (const { pipeline } of world.instances)
        for (const task of pipeline.service.tasks.values())
          if (!publishedBy.has(task)) publishedBy.set(task, Math.max(0, task.checkpointOffset));
    },
  };
}

/** Checkpoints that can be restored, worked out without the store's code. */
function restorable(folder: Folder): Set<string> {
  const intact = folder.filter(isIntact);
  const found = new Set<string>();
  for (let before = -1; found.size !== before; ) {
    before = found.size;
    for (const { id, base } of intact) if (base === undefined || found.has(base)) found.add(id);
  }
  return found;
}

/** (a): whatever its history, a checkpoint holds what the naive fold of the log comes to. (f): its refused records are in the dead letters. */
function compareWithReference(
  world: World,
  references: References,
  partition: number,
  chain: readonly Checkpoint[],
): void {
  const { store, head } = restored(chain.map(({ bytes }) => bytes));
  const { identity, activations } = JSON.parse(store.header) as SavedHeader;
  const { state, expired } = references.at(world.log[partition]!, activations, head.nextOffset);
  const wanted = storeOf(state, identity);
  if (!isDeepStrictEqual(contentsOf(store), contentsOf(wanted))) {
    const where = `partition ${partition} at ${head.nextOffset}, checkpoint ${head.id}`;
    throw new Error(`(a) ${where} is another state than the naive fold's:\n${differences(store, wanted)}`);
  }
  const refused = world.log[partition]!.records.filter(({ offset }) => offset < head.nextOffset).flatMap((record) =>
    record.events.filter(({ reject }) => reject !== undefined).map((event) => ({ offset: record.offset, event })),
  );
  for (const { offset, event } of refused)
    requireLetter(world, deadLetterKey(partition, offset, event.element, event.reject!), head.id);
  for (const place of expired) requireLetter(world, `${partition}/${place}/no_truth`, head.id);
}

function requireLetter(world: World, key: string, checkpoint: string): void {
  if (!world.deadLetters.has(key))
    throw new Error(`(f) checkpoint ${checkpoint} no longer holds ${key}, and it is in no dead letter`);
}

/** (e) The accounting law, at every moment. */
function checkAccounting({ instances }: World): void {
  for (const { pipeline, number } of instances)
    for (const { name, state } of pipeline.service.tasks.values()) {
      const { read, scored, expired, duplicates, steps, runs } = state.numbers;
      const rejected = state.rejected.reduce((sum, count) => sum + count, 0);
      const open = state.openRuns.runs.size;
      const accounted = scored + state.pending.waiting.size + expired + duplicates + rejected + open + steps - runs;
      if (read !== accounted)
        throw new Error(`(e) ${name} at process ${number}: ${read} read, ${accounted} accounted for`);
    }
}

/** Which containers of two stores differ. */
function differences(a: Store, b: Store): string {
  const lines: string[] = [];
  if (a.header !== b.header) lines.push(`header: ${a.header}\n     not ${b.header}`);
  for (const [name, value] of b.numbers)
    if (!Object.is(a.numbers.get(name), value)) lines.push(`${name}: ${a.numbers.get(name)}, not ${value}`);
  for (const [name, { list }] of b.dictionaries)
    if (list.join('\n') !== a.dictionaries.get(name)!.list.join('\n'))
      lines.push(`dictionary ${name}: ${a.dictionaries.get(name)!.list}\n     not ${list}`);
  for (const [name, { size }] of b.tables) lines.push(`rows of ${name}: ${a.tables.get(name)!.size}, ${size}`);
  for (const [name, { texts }] of b.pendingLogs)
    lines.push(`texts of ${name}: ${[...a.pendingLogs.get(name)!.texts.keys()]}, ${[...texts.keys()]}`);
  return lines.join('\n');
}
