import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../object-store/make-folder.ts';

/**
 * A file that grows under a temporary name and has its own only when it is whole. What fails may be tried again with the same
 * arguments.
 */
export interface NewFile {
  /** Appends. One call at a time. */
  write(pieces: readonly Uint8Array[]): Promise<void>;
  /** Puts it in its place, over what may be there; durable when resolved. */
  finish(path: string): Promise<void>;
  /** Removes what was written, unless it is finished. */
  abandon(): Promise<void>;
}

/** Begins a file in a folder, which is made where it is missing. The temporary name begins with `name`. */
export async function newFile(folder: string, name: string): Promise<NewFile> {
  await makeFolder(folder);
  const path = join(folder, `.${name}.${randomUUID()}.tmp`);
  const state: { file: FileHandle | undefined; size: number; renamed: boolean } = {
    file: await open(path, 'w'),
    size: 0,
    renamed: false,
  };
  return {
    async write(pieces) {
      // A write that fails halfway is tried again from where the last whole one ended.
      state.size = await writeAt(state.file!, pieces, state.size);
    },
    async finish(target) {
      await state.file?.datasync();
      await state.file?.close();
      state.file = undefined;
      if (!state.renamed) await rename(path, target);
      state.renamed = true;
      await syncFolder(dirname(target));
    },
    async abandon() {
      const { file } = state;
      state.file = undefined;
      await file?.close().catch(() => undefined);
      if (!state.renamed) await rm(path, { force: true });
    },
  };
}

/** Buffers for one call of the system. */
const piecesMax = 512;

/** Writes at a position, or where the file stands; resolves with where the next write belongs. */
export async function writeAt<Position extends number | undefined>(
  file: FileHandle,
  pieces: readonly Uint8Array[],
  from: Position,
): Promise<Position> {
  let position = from;
  for (let at = 0; at < pieces.length; at += piecesMax) {
    let rest = pieces.slice(at, at + piecesMax);
    while (rest.length > 0) {
      const { bytesWritten } = await file.writev(rest, position);
      if (position !== undefined) position = (position + bytesWritten) as Position;
      rest = after(rest, bytesWritten);
    }
  }
  return position;
}

/** The pieces without their first bytes. */
function after(pieces: readonly Uint8Array[], bytes: number): Uint8Array[] {
  let gone = bytes;
  const rest: Uint8Array[] = [];
  for (const piece of pieces) {
    if (gone >= piece.length) gone -= piece.length;
    else {
      rest.push(gone > 0 ? piece.subarray(gone) : piece);
      gone = 0;
    }
  }
  return rest;
}

async function syncFolder(folder: string): Promise<void> {
  const open_ = await open(folder, 'r');
  try {
    await open_.sync();
  } finally {
    await open_.close();
  }
}
