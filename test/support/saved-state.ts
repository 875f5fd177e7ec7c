import { restoreStore } from '../../src/formats/checkpoint/checkpoint.ts';
import type { Checkpoint, SavedState } from '../../src/ports.ts';

/** What a store of checkpoints says of the files from a snapshot to a checkpoint. */
export function savedState(files: readonly Checkpoint[] | undefined): SavedState | undefined {
  if (files === undefined || files.length === 0) return undefined;
  return {
    id: files.at(-1)!.id,
    files: files.length,
    store: () => restoreStore(files.map(({ bytes }) => bytes)).store,
  };
}
