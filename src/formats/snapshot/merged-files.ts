import type { RowFile } from './row-files.ts';

/** A file that stands for others: their rows, in their order. */
export interface MergedFile {
  readonly file: RowFile;
  /** Names of the files whose rows it has. */
  readonly of: readonly string[];
}

/** Path of a file that stands for some, beside the first of them: the same whoever merges them. */
export function mergedName(of: readonly RowFile[]): string {
  return of[0]!.name.replace(/(\.[^.]+)$/, `_${of.length}$1`);
}

/** Where the records of merged files of a partition lie, in the folder of score rows. */
export function mergedFolder(partition: string): string {
  return `_merged/${partition}`;
}

/** Name of the record of a merged file. By name is by time: what was merged again comes later. */
export function mergedRecordName({ name }: RowFile): string {
  return `${name.slice(name.lastIndexOf('/') + 1)}.json`;
}

/** A record as JSON text. */
export function mergedText({ file, of }: MergedFile): string {
  const { name, rows, nextOffset: next_offset, endedMs } = file;
  const ended = new Date(endedMs).toISOString();
  return `${JSON.stringify({ format: 'assay.merged/1', file: { name, rows, next_offset, ended }, of })}\n`;
}

/** A record that `mergedText` made; undefined where it is none, or damaged. */
export function parseMerged(bytes: Uint8Array): MergedFile | undefined {
  try {
    const { file, of } = JSON.parse(new TextDecoder().decode(bytes)) as Written;
    const { name, rows, next_offset: nextOffset, ended } = file;
    return { file: { name, rows, nextOffset, endedMs: Date.parse(ended) }, of: [...of] };
  } catch {
    return undefined;
  }
}

interface Written {
  readonly file: { readonly name: string; readonly rows: number; readonly next_offset: number; readonly ended: string };
  readonly of: readonly string[];
}

/** Files with merged ones in the places of theirs. */
export function withMerged(files: readonly RowFile[], merged: readonly MergedFile[]): readonly RowFile[] {
  let found = files;
  for (const { file, of } of merged) {
    const parts = new Set(of);
    const first = found.findIndex(({ name }) => parts.has(name));
    if (first >= 0) found = found.toSpliced(first, 1, file).filter(({ name }) => !parts.has(name));
  }
  return found;
}
