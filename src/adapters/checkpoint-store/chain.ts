import { join } from 'node:path';
import type { LoadedFile, LoadedFolder } from './load-folder.ts';

/** What this process knows of the branch that it writes. */
export interface Chain {
  /** Full states in the folder. */
  fulls: number;
  fullBytes: number;
  /** Changes after the newest full state. */
  changes: { readonly id: string; readonly bytes: number }[];
  changesBytes: number;
  /** Full states saved since the folder was last tidied. */
  fullsSaved: number;
  lastId: string | undefined;
  lastPath: string;
  /** A compaction that failed is tried again at this number of changes. */
  attemptAt: number;
  broken: boolean;
}

/** Of a folder without files. */
export function emptyChain(): Chain {
  const sizes = { fulls: 0, fullBytes: 0, changes: [], changesBytes: 0, fullsSaved: 0 };
  return { ...sizes, lastId: undefined, lastPath: '', attemptAt: 0, broken: false };
}

/** Of a folder that was loaded. */
export function chainOf(folder: string, { files, fulls }: LoadedFolder): Chain {
  const chain = emptyChain();
  for (const file of files) append(chain, file, join(folder, file.name));
  return Object.assign(chain, { fulls, fullsSaved: 0 });
}

/** Takes note of a file that was saved. */
export function append(chain: Chain, { id, parent, bytes }: Omit<LoadedFile, 'name'>, path: string): void {
  chain.lastId = id;
  chain.lastPath = path;
  if (parent === undefined) {
    Object.assign(chain, { fullBytes: bytes, changes: [], changesBytes: 0, attemptAt: 0, broken: false });
    chain.fulls++;
    chain.fullsSaved++;
  } else {
    chain.changes.push({ id, bytes });
    chain.changesBytes += bytes;
  }
}

/** Whether the changes should become a full state: they are many, or long, or there is only one full state. */
export function isDue(chain: Chain, compactAfterFiles: number): boolean {
  const { changes, changesBytes, fulls, fullBytes, fullsSaved, attemptAt } = chain;
  if (changes.length < attemptAt) return false;
  if (fulls < 2 && changes.length > 0) return true;
  const isLong = changesBytes > Math.max(compactFloorBytes, changesShare * fullBytes);
  return isLong || changes.length > compactAfterFiles || fullsSaved > 2;
}

/** Changes that come to more than this share of the full state are compacted: a byte of them takes longer to read than one of that. */
const changesShare = 1 / 3;

/** Bytes of changes below which their size leads to no compaction. */
const compactFloorBytes: number = 4 * 2 ** 20;
