import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A file that grows under a temporary name and has its own only when it is whole. */
export interface NewFile {
  /** Appends, in order. */
  write(pieces: readonly Uint8Array[]): Promise<void>;
  /** Puts it in its place, over what may be there; durable when resolved. */
  finish(path: string): Promise<void>;
  /** Removes what was written, unless it is finished. */
  abandon(): Promise<void>;
}

/** Begins a file in a folder, which is made where it is missing. `name` must be unique among the writers of the folder. */
export async function newFile(folder: string, name: string): Promise<NewFile> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `.${name}.tmp`);
  const state: { file: FileHandle | undefined } = { file: await open(path, 'w') };
  return {
    async write(pieces) {
      if (pieces.length > 0) await writeAll(state.file!, pieces);
    },
    async finish(target) {
      const { file } = state;
      await file!.datasync();
      await file!.close();
      await rename(path, target);
      state.file = undefined;
      await syncFolder(dirname(target));
    },
    async abandon() {
      const { file } = state;
      if (file === undefined) return;
      state.file = undefined;
      await file.close().catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}

/** Writes a whole file, durably and at once for whoever looks. */
export async function writeWhole(path: string, pieces: readonly Uint8Array[]): Promise<void> {
  const file = await newFile(dirname(path), `${basename(path)}.${process.pid}`);
  try {
    await file.write(pieces);
    await file.finish(path);
  } finally {
    await file.abandon();
  }
}

/** Buffers for one call of the system. */
const piecesMax = 512;

async function writeAll(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  for (let at = 0; at < pieces.length; at += piecesMax) {
    let rest = pieces.slice(at, at + piecesMax);
    while (rest.length > 0) {
      const { bytesWritten } = await file.writev(rest);
      rest = after(rest, bytesWritten);
    }
  }
}

/** What is left of some pieces after their first bytes. */
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
