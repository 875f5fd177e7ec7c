import type { CheckpointFile, CheckpointStore, TopicPartition } from '../../src/ports.ts';
import { savedState } from '../support/saved-state.ts';
import { bestChain, chainTo, type Folder, fullStates, put, tidy, treeOf } from './disk.ts';
import type { Instance } from './instance.ts';
import { operate, witness, type World } from './world.ts';

/** What a process knows of the branch that it writes. */
interface Chain {
  fulls: number;
  changes: number;
  lastId: string | undefined;
  broken: boolean;
}

/** The checkpoints of a process, on the disk that all share; it chooses, compacts and prunes as the file store does. */
export function simCheckpoints(world: World, instance: Instance): CheckpointStore {
  const chains = new Map<number, Chain>();
  const out = (): boolean => world.timeline.nowMs < world.diskOutUntilMs;
  const save = (partition: TopicPartition, file: CheckpointFile): Promise<void> => {
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
      const effect = (): readonly CheckpointFile[] | undefined => {
        const files = chosenChain(world, folder);
        witness(world, () => world.checks.loaded(world, partition, files));
        if (files !== undefined) chains.set(partition, chainOf(folder, files));
        return files;
      };
      return savedState(await operate(world, instance, { effect, out }));
    },
    async save(partition, file) {
      const folder = world.folders[partition.partition]!;
      const written = save(partition, file);
      if (world.plant.saves === 'acknowledged early') written.catch(() => undefined);
      else await written;
      witness(world, () => world.checks.acknowledged(world, partition.partition, file));
      const chain = chains.get(partition.partition) ?? { fulls: 0, changes: 0, lastId: undefined, broken: false };
      chains.set(partition.partition, chain);
      if (file.parent !== undefined && file.parent === chain.lastId && !treeOf(folder).byId.has(file.parent))
        chain.broken = true;
      append(chain, file);
      const { compactAfter } = world.scenario;
      if ((chain.fulls < 2 && chain.changes > 0) || chain.changes > compactAfter || chain.fulls > 3)
        requestTidy(world, instance, folder, chain, file.id);
    },
    wantsFull({ partition }) {
      const chain = chains.get(partition);
      return chain === undefined || chain.fulls < 2 || chain.broken;
    },
  };
}

/** What a process would be given to go on from. */
export function chosenChain(world: World, folder: Folder): CheckpointFile[] | undefined {
  const { store } = world.plant;
  if (store === undefined) return bestChain(folder);
  const tree = treeOf(folder);
  const ids = folder.map(({ id }) => id).reverse();
  if (store === 'last writer')
    return ids.map((id) => chainTo(tree, id)).find((chain) => chain !== undefined) ?? undefined;
  const latest = folder.toSorted((a, b) => b.nextOffset - a.nextOffset)[0];
  return latest && (chainTo(tree, latest.id) ?? [latest]);
}

function chainOf(folder: Folder, files: readonly CheckpointFile[]): Chain {
  const chain: Chain = { fulls: 0, changes: 0, lastId: undefined, broken: false };
  for (const file of files) append(chain, file);
  chain.fulls = fullStates(folder);
  return chain;
}

function append(chain: Chain, { id, parent }: CheckpointFile): void {
  chain.lastId = id;
  if (parent !== undefined) chain.changes++;
  else {
    chain.fulls++;
    chain.changes = 0;
    chain.broken = false;
  }
}

/** In a thread of its own: the process goes on meanwhile, and may die. */
function requestTidy(world: World, instance: Instance, folder: Folder, chain: Chain, id: string): void {
  const done = (ok: boolean): void => {
    chain.broken ||= !ok;
    chain.fulls = fullStates(folder);
    if (ok) chain.changes = 0;
  };
  operate(world, instance, { effect: () => tidy(folder, id) }).then(done, () => undefined);
}

/** Part of a file, or a file with a flipped bit, under its name: what a disk that lies leaves behind. */
function putTorn(world: World, folder: Folder, file: CheckpointFile): void {
  if (folder.some(({ id, parent }) => id === file.id && parent === file.parent)) return;
  put(folder, file, damagedBytes(world, file.bytes));
}

export function damagedBytes({ random }: World, bytes: Uint8Array): Uint8Array {
  if (random.chance(0.5)) return bytes.slice(0, random.int(bytes.length));
  const flipped = bytes.slice();
  flipped[random.int(flipped.length)]! ^= 1 << random.int(8);
  return flipped;
}
