import { isDeepStrictEqual } from 'node:util';
import type { Checkpoint, TopicPartition } from '../../src/ports.ts';
import { codeOf, createDictionary } from '../../src/state/containers/dictionary.ts';
import { appendText, createPendingLog, type PendingLog, removeText } from '../../src/state/containers/pending-log.ts';
import type { Store } from '../../src/state/containers/store.ts';
import {
  chunkOf,
  createTable,
  findRow,
  markRow,
  removeRow,
  rowOf,
  valuesAt,
} from '../../src/state/containers/table.ts';
import { contentsOf, encodeDelta, encodeSnapshot } from './encoded.ts';
import type { SavedState } from './saved-state.ts';

/** A partition's state that is a function of its offset alone: what a checkpoint holds can be told from right and wrong. */
export interface Counting {
  readonly store: Store;
  nextOffset: number;
  lastId: string | undefined;
}

export const group = 'a group/of "one"';

export function createCounting(): Counting {
  const store: Store = {
    header: '{}',
    numbers: new Map([['offset', 0]]),
    dictionaries: new Map([['names', createDictionary()]]),
    tables: new Map([['counts', createTable(2)]]),
    ids: new Map(),
    pendingLogs: new Map([['pending', createPendingLog()]]),
  };
  return { store, nextOffset: 0, lastId: undefined };
}

/** Applies records up to an offset. */
export function advance(counting: Counting, nextOffset: number): void {
  const { store } = counting;
  const table = store.tables.get('counts')!;
  const pending: PendingLog = store.pendingLogs.get('pending')!;
  for (let offset = counting.nextOffset; offset < nextOffset; offset++) {
    const row = rowOf(table, offset % 7, 0, 0, 0);
    chunkOf(table, row)[valuesAt(table, row)]! += 1;
    chunkOf(table, row)[valuesAt(table, row) + 1]! += offset;
    markRow(table, row);
    if (offset % 5 === 4) removeRow(table, findRow(table, offset % 7, 0, 0, 0));
    if (offset % 11 === 0) codeOf(store.dictionaries.get('names')!, `name ${offset}`);
    appendText(pending, `p${offset}`);
    if (offset >= 3) removeText(pending, offset - 3);
  }
  counting.nextOffset = nextOffset;
  store.numbers.set('offset', nextOffset);
}

/** A checkpoint of the state as it is: a snapshot, or the delta from the last one. */
export function takeCheckpoint(
  counting: Counting,
  { topic, partition }: TopicPartition,
  id: string,
  isSnapshot: boolean,
): Checkpoint {
  const { store, nextOffset, lastId } = counting;
  const base = isSnapshot ? undefined : lastId;
  const of = { id, nextOffset, group, topic, partition };
  const bytes = base === undefined ? encodeSnapshot(store, of) : encodeDelta(store, of, base);
  counting.lastId = id;
  return { id, base, nextOffset, bytes };
}

/** Whether a saved state is exactly that of its offset. */
export function isRight(saved: SavedState): boolean {
  const { store, nextOffset } = resume(saved);
  const expected = createCounting();
  advance(expected, nextOffset);
  return isDeepStrictEqual(contentsOf(store), contentsOf(expected.store));
}

/** A saved state, to go on from. */
export function resume(saved: SavedState): Counting {
  const { store, id } = saved;
  return { store, nextOffset: store.numbers.get('offset')!, lastId: id };
}
