import { type RowFile, rowFileOf, type WrittenFile } from './row-files.ts';

/** A file that `assay compact` of an earlier version wrote in the place of others. */
export interface MergedFile {
  readonly file: RowFile;
  /** Names of the files whose rows it has. */
  readonly of: readonly string[];
}

/** Folder of the records of merged files of a partition, in the folder of score rows. */
export function mergedFolder(partition: string): string {
  return `_merged/${partition}`;
}

/** Parses the record of a merged file; undefined where it is damaged. */
export function parseMerged(bytes: Uint8Array): MergedFile | undefined {
  try {
    const { file, of } = JSON.parse(new TextDecoder().decode(bytes)) as {
      readonly file: WrittenFile;
      readonly of: readonly string[];
    };
    return { file: rowFileOf(file), of: [...of] };
  } catch {
    return undefined;
  }
}

/** Files with merged ones in the places of their parts. */
export function withMerged(files: readonly RowFile[], merged: readonly MergedFile[]): readonly RowFile[] {
  let found = files;
  for (const { file, of } of merged) {
    const parts = new Set(of);
    const first = found.findIndex(({ name }) => parts.has(name));
    if (first >= 0) found = found.toSpliced(first, 1, file).filter(({ name }) => !parts.has(name));
  }
  return found;
}

/** Name of the file that has the rows of a file now: the records are in the order of merging. */
export function mergedName(name: string, merged: readonly MergedFile[]): string {
  return merged.reduce((now, { file, of }) => (of.includes(now) ? file.name : now), name);
}
