import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, syncFolder } from '../object-store/make-folder.ts';

/** A file that grows under a temporary name and has its own only when it is whole. */
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
  const state: { file: FileHandle | undefined; renamed: boolean } = { file: await open(path, 'w'), renamed: false };
  return {
    write: (pieces) => writeFile(state.file!, pieces),
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
