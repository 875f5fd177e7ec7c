import { rejectCodes } from '../state/reject.ts';
import type { Steps } from './steps.ts';
import type { Blobs } from './containers/pending-log.ts';
import { indexEntries } from './breakdowns.ts';
import type { Ids } from './containers/ids.ts';
import { indexPanes } from './panes.ts';
import { type Activation, type Containers, emptyContainers, type Numbers, partitionOf } from './partition.ts';
import type { PartitionState, Settings } from './partition.ts';
import { indexPending } from './pending.ts';
import type { Store } from './containers/store.ts';
import type { Table } from './containers/table.ts';
import type { Texts } from './containers/dictionary.ts';

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

/**
 * The state that a store describes; the store's containers become the state's own. Throws where they are not those of the settings. An index
 * that is made again is a step.
 */
export function* restoredPartition(settings: Settings, store: Store): Steps<PartitionState> {
  const state = partitionOf(settings, containersIn(store, containersOf(emptyContainers(settings))));
  const { numbers } = state;
  for (const name of Object.keys(numbers) as (keyof Numbers)[])
    numbers[name] = store.numbers.get(name) ?? numbers[name];
  rejectCodes.forEach((code, index) => {
    state.rejected[index] = store.numbers.get(`rejected.${code}`) ?? 0;
  });
  state.activations.push(...(JSON.parse(store.header) as SavedHeader).activations);
  yield;
  yield indexPanes(state);
  yield indexEntries(state);
  yield indexPending(state);
  return state;
}

type Held = Pick<Store, 'texts' | 'tables' | 'ids' | 'blobs'>;

function containersOf(state: Containers): Held {
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

/** The containers of a store that has those of the pattern and no others. */
function containersIn(store: Held, pattern: Held): Containers {
  for (const kind of ['texts', 'tables', 'ids', 'blobs'] as const) {
    const [names, expected] = [store, pattern].map((held) => [...held[kind].keys()].sort().join(', '));
    if (names !== expected) unfit(`its ${kind} are ${names}, those of this release ${expected}`);
  }
  for (const [name, { values }] of pattern.tables) {
    const found = store.tables.get(name)!.values;
    if (found !== values) unfit(`table ${name} has ${found} values a row, ${values} expected`);
  }
  return {
    slices: store.texts.get('slices')!,
    names: store.texts.get('names')!,
    tallies: store.tables.get('tallies')!,
    entries: store.tables.get('entries')!,
    groups: store.tables.get('groups')!,
    seen: store.ids.get('seen')!,
    pending: store.blobs.get('pending')!,
  };
}

function unfit(why: string): never {
  throw new Error(
    `the saved state does not fit: ${why}; it was written under other settings or by another release: ` +
      'use that one, another kafka.group_id, or start with --rebuild',
  );
}
