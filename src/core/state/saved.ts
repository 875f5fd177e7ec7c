import { rejectCodes } from '../reject.ts';
import type { Blobs } from './blobs.ts';
import { indexEntries } from './entries.ts';
import type { Ids } from './ids.ts';
import { indexPanes } from './panes.ts';
import type { Activation, Numbers, PartitionState } from './partition.ts';
import { indexPending } from './pending.ts';
import type { Store } from './store.ts';
import type { Table } from './table.ts';
import type { Texts } from './texts.ts';

/** Small JSON that a checkpoint carries besides the containers. */
export interface SavedHeader {
  /** What else the state depends on: settings, cluster, partition count (`pipeline/identity.ts` compares them). */
  readonly identity: object;
  readonly activations: readonly Activation[];
}

/** The state in the form that checkpoints know. The containers are the state's own: a cut clears their change marks. */
export function storeOf(state: PartitionState, identity: SavedHeader['identity']): Store {
  const numbers = new Map<string, number>(Object.entries(state.numbers));
  rejectCodes.forEach((code, index) => void numbers.set(`rejected.${code}`, state.rejected[index]!));
  const header: SavedHeader = { identity, activations: state.activations };
  return { ...containersOf(state), header: JSON.stringify(header), numbers };
}

/** An empty state's containers, for a checkpoint to be applied to; `finishRestore` makes the state whole afterwards. */
export function restoreTarget(state: PartitionState): Store {
  return { ...containersOf(state), header: '{}', numbers: new Map() };
}

/** Takes scalars and header over and makes what is derived again. */
export function finishRestore(state: PartitionState, store: Store): void {
  const { numbers } = state;
  for (const name of Object.keys(numbers) as (keyof Numbers)[])
    numbers[name] = store.numbers.get(name) ?? numbers[name];
  rejectCodes.forEach((code, index) => {
    state.rejected[index] = store.numbers.get(`rejected.${code}`) ?? 0;
  });
  const header = JSON.parse(store.header) as SavedHeader;
  state.activations.push(...header.activations);
  indexPanes(state);
  indexEntries(state);
  indexPending(state);
  const { stability } = state.settings;
  if (stability !== undefined) state.derived.groupIndex = stability.createIndex(state.groups);
}

function containersOf(state: PartitionState): Pick<Store, 'texts' | 'tables' | 'ids' | 'blobs'> {
  return {
    texts: new Map<string, Texts>([
      ['slices', state.slices],
      ['names', state.names],
    ]),
    tables: new Map<string, Table>([
      ['tallies', state.tallies],
      ['entries', state.entries],
      ['groups', state.groups],
    ]),
    ids: new Map<string, Ids>([['seen', state.seen]]),
    blobs: new Map<string, Blobs>([['pending', state.pending]]),
  };
}
