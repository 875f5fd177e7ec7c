import type { Checkpoint, CheckpointStore, TopicPartition } from '../../src/ports.ts';
import { bestChain, chainTo, compact, type Folder, put, snapshotsIn, treeOf } from './disk.ts';
import type { Instance } from './instance.ts';
import { operate, type World, witness } from './world.ts';

/** What a process knows of the branch that it writes. */
interface Chain {
  snapshots: number;
  deltas: number;
  lastId: string | undefined;
  broken: boolean;
}

/** The checkpoints of a process, on the disk that all share; it chooses, compacts and prunes as the file store does. */
export function simCheckpoints(world: World, instance: Instance): CheckpointStore {
  const chains = new Map<number, Chain>();
  const out = (): boolean => world.timeline.nowMs < world.diskOutUntilMs;
  const save = (partition: TopicPartition, file: Checkpoint): Promise<void> => {
    const folder = world.folders[partition.partition]!;
    const effect = (): void => {
      put(folder, file);
      witness(world, () => world.checks.saved(world, partition.partition, file));
    };
    return operate(world, instance, { effect, torn: () => putTorn(world, folder, file), out });
  };
  return {
    async load({ partition }) {
      const folder = world.folders[partition]!;
      const effect = (): readonly Checkpoint[] | undefined => {
        const files = chosenChain(world, folder);
        witness(world, () => world.checks.loaded(world, partition, files));
        if (files !== undefined) chains.set(partition, chainOf(folder, files));
        return files;
      };
      return (await operate(world, instance, { effect, out })) ?? [];
    },
    async save(partition, file) {
      const folder = world.folders[partition.partition]!;
      const written = save(partition, file);
      if (world.plant.saves === 'acknowledged early') written.catch(() => undefined);
      else await written;
      witness(world, () => world.checks.acknowledged(world, partition.partition, file));
      const chain = chains.get(partition.partition) ?? { snapshots: 0, deltas: 0, lastId: undefined, broken: false };
      chains.set(partition.partition, chain);
      if (file.base !== undefined && file.base === chain.lastId && !treeOf(folder).byId.has(file.base))
        chain.broken = true;
      append(chain, file);
      const { compactAfter } = world.scenario;
      if ((chain.snapshots < 2 && chain.deltas > 0) || chain.deltas > compactAfter || chain.snapshots > 3)
        requestCompaction(world, instance, folder, chain, file.id);
    },
    wantsSnapshot({ partition }) {
      const chain = chains.get(partition);
      return chain === undefined || chain.snapshots < 2 || chain.broken;
    },
  };
}

/** What a process would be given to go on from. */
export function chosenChain(world: World, folder: Folder): Checkpoint[] | undefined {
  const { store } = world.plant;
  if (store === undefined) return bestChain(folder);
  const tree = treeOf(folder);
  const ids = folder.map(({ id }) => id).reverse();
  if (store === 'last writer')
    return ids.map((id) => chainTo(tree, id)).find((chain) => chain !== undefined) ?? undefined;
  const latest = folder.toSorted((a, b) => b.nextOffset - a.nextOffset)[0];
  return latest && (chainTo(tree, latest.id) ?? [latest]);
}

function chainOf(folder: Folder, files: readonly Checkpoint[]): Chain {
  const chain: Chain = { snapshots: 0, deltas: 0, lastId: undefined, broken: false };
  for (const file of files) append(chain, file);
  chain.snapshots = snapshotsIn(folder);
  return chain;
}

function append(chain: Chain, { id, base }: Checkpoint): void {
  chain.lastId = id;
  if (base !== undefined) chain.deltas++;
  else {
    chain.snapshots++;
    chain.deltas = 0;
    chain.broken = false;
  }
}

/** In a thread of its own: the process goes on meanwhile, and may die. */
function requestCompaction(world: World, instance: Instance, folder: Folder, chain: Chain, id: string): void {
  const done = (ok: boolean): void => {
    chain.broken ||= !ok;
    chain.snapshots = snapshotsIn(folder);
    if (ok) chain.deltas = 0;
  };
  operate(world, instance, { effect: () => compact(folder, id) }).then(done, () => undefined);
}

/** Part of a file, or a file with a flipped bit, under its name: what a disk that lies leaves behind. */
function putTorn(world: World, folder: Folder, file: Checkpoint): void {
  if (folder.some(({ id, base }) => id === file.id && base === file.base)) return;
  put(folder, file, damagedBytes(world, file.bytes));
}

export function damagedBytes({ random }: World, bytes: Uint8Array): Uint8Array {
  if (random.chance(0.5)) return bytes.slice(0, random.int(bytes.length));
  const flipped = bytes.slice();
  flipped[random.int(flipped.length)]! ^= 1 << random.int(8);
  return flipped;
}
