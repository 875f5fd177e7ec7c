import { restoreStore } from '../../formats/checkpoint/checkpoint.ts';
import { checkpointFileName } from '../../formats/checkpoint/names.ts';
import type { Store } from '../../state/containers/store.ts';
import type { Checkpoint } from '../../ports.ts';
import { bestChain, countSnapshots, type FolderScan, scanFolder } from './checkpoint-folder.ts';

/** What a partition's folder holds. It can be sent from thread to thread. */
export interface LoadedFolder {
  /** Names of the files found damaged. */
  readonly damaged: readonly string[];
  /** Snapshots of which nothing is known to be wrong. */
  readonly snapshots: number;
  /** Files from a snapshot to the best checkpoint, of which there is one at least; none where nothing can be restored. */
  readonly files: readonly LoadedFile[];
  /** What they say; a text: why this release cannot tell. Undefined where there are no files. */
  readonly store: Store | string | undefined;
}

export interface LoadedFile {
  readonly id: string;
  readonly base: string | undefined;
  readonly name: string;
  readonly bytes: number;
}

/** Reads the best state of a folder. */
export async function loadFolder(folder: string): Promise<LoadedFolder> {
  const { scan, chain } = await loadBest(folder);
  const snapshots = countSnapshots(scan.tree, scan.damaged);
  const damaged = scan.damaged.map(({ name }) => name);
  if (chain === undefined) return { damaged, snapshots, files: [], store: undefined };
  const files = chain.map((file) => ({
    id: file.id,
    base: file.base,
    name: checkpointFileName(file),
    bytes: file.bytes.length,
  }));
  return { damaged, snapshots, files, store: storeIn(chain) };
}

/** Lists again while another process prunes what was listed. */
async function loadBest(folder: string): Promise<{ scan: FolderScan; chain: Checkpoint[] | undefined }> {
  for (let attempt = 1; ; attempt++) {
    const scan = await scanFolder(folder);
    const chain = await bestChain(scan);
    if (!scan.gone || attempt === 5) return { scan, chain };
  }
}

function storeIn(chain: readonly Checkpoint[]): Store | string {
  try {
    return restoreStore(chain.map(({ bytes }) => bytes)).store;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
