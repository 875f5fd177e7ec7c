import { restoreStore } from '../../src/formats/checkpoint/checkpoint.ts';
import type { CheckpointFile, SavedState } from '../../src/ports.ts';

/** What a store of checkpoints says of the files from a full state to a cut. */
export function savedState(files: readonly CheckpointFile[] | undefined): SavedState | undefined {
  if (files === undefined || files.length === 0) return undefined;
  return {
    id: files.at(-1)!.id,
    files: files.length,
    store: () => restoreStore(files.map(({ bytes }) => bytes)).store,
  };
}
