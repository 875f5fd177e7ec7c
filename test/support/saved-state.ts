import type { Checkpoint } from '../../src/ports.ts';
import type { Store } from '../../src/state/containers/store.ts';
import { restored } from './encoded.ts';

/** What the files from a snapshot to a checkpoint say. */
export interface SavedState {
  readonly id: string;
  readonly files: number;
  readonly store: Store;
}

/** The state of the files that a store of checkpoints loads; undefined where there are none. */
export function savedState(files: readonly Checkpoint[]): SavedState | undefined {
  if (files.length === 0) return undefined;
  return { id: files.at(-1)!.id, files: files.length, store: restored(files.map(({ bytes }) => bytes)).store };
}
