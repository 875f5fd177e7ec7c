import { headOf, restoreStore } from '../../formats/checkpoint/checkpoint.ts';
import { checkpointFileName } from '../../formats/checkpoint/names.ts';
import type { Store } from '../../state/containers/store.ts';
import type { CheckpointFile } from '../../ports.ts';
import { bestChain, countFulls, type Look, lookInto } from './checkpoint-folder.ts';

/** What a partition's folder holds. It can be sent from thread to thread. */
export interface LoadedFolder {
  /** Names of the files found damaged. */
  readonly damaged: readonly string[];
  /** Full states of which nothing is known to be wrong. */
  readonly fulls: number;
  /** Files from a full state to the best cut, of which there is one at least; none where nothing can be restored. */
  readonly files: readonly LoadedFile[];
  /** What they say; a text: why this release cannot tell. Undefined where there are no files. */
  readonly store: Store | string | undefined;
}

export interface LoadedFile {
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  readonly bytes: number;
}

/** Reads the best state of a folder. */
export async function loadFolder(folder: string): Promise<LoadedFolder> {
  const { look, chain } = await loadBest(folder);
  const fulls = countFulls(look.tree, look.damaged);
  const damaged = look.damaged.map(({ name }) => name);
  if (chain === undefined) return { damaged, fulls, files: [], store: undefined };
  const files = chain.map((file) => ({
    id: file.id,
    parent: file.parent,
    name: checkpointFileName(file),
    bytes: file.bytes.length,
  }));
  return { damaged, fulls, files, store: storeIn(chain) };
}

/** Lists again while another process prunes what was listed. */
async function loadBest(folder: string): Promise<{ look: Look; chain: CheckpointFile[] | undefined }> {
  for (let attempt = 1; ; attempt++) {
    const look = await lookInto(folder);
    const chain = await bestChain(look);
    if (!look.gone || attempt === 5) return { look, chain };
  }
}

function storeIn(chain: readonly CheckpointFile[]): Store | string {
  try {
    return restoreStore(
      chain.map(({ bytes }) => bytes),
      headOf,
    ).store;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
