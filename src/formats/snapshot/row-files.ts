import { partitionFolder } from '../checkpoint/names.ts';
import { programName } from '../../name.ts';

/** A position between two predictions of a partition. */
export interface RowPlace {
  readonly nextOffset: number;
  /** Number of predictions scored before it. */
  readonly scored: number;
}

/** A file of score rows that counts. */
export interface RowFile {
  /** Path in the folder of score rows. */
  readonly name: string;
  readonly rows: number;
  /** Next offset of the partition at its end. */
  readonly nextOffset: number;
  /** When it was ended, ms. */
  readonly endedMs: number;
}

/** A file whose rows are durable in segments: each process that writes it gives it the same name and the same rows. */
export interface EndedFile extends RowFile {
  /** Id of the checkpoint at its end. */
  readonly id: string;
  /** Next offset of the partition at its first row. */
  readonly firstOffset: number;
  /** Number of predictions scored at its end. */
  readonly scored: number;
  /** Names of its segments, in order. */
  readonly segments: readonly string[];
  /** Version of the truth that was in use at its end. */
  readonly truth?: string | undefined;
}

/** Score rows before a checkpoint, as the checkpoint notes them: files that count, and segments of rows that are in no file yet. */
export interface RowsNote {
  /** Name of the last written file; manifests name the files before it. */
  readonly last: string | undefined;
  readonly ended: readonly EndedFile[];
  /** Where the open file begins. */
  readonly from: RowPlace;
  readonly rows: number;
  readonly segments: readonly string[];
}

/** A manifest: all files of a partition that count, in order, up to an offset. */
export interface Manifest {
  readonly name: string;
  readonly nextOffset: number;
  readonly files: readonly RowFile[];
}

/** A partition of a group. */
export interface RowsKey {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
}

/** Path of the file whose rows begin at a place and end with a checkpoint. Parquet files lie in folders of the hour in which they ended. */
export function rowFileName(
  { topic, partition }: RowsKey,
  { nextOffset, scored }: RowPlace,
  end: Pick<EndedFile, 'id' | 'endedMs'> & { readonly format: 'arrow' | 'parquet' },
): string {
  const name = `scores-${topic}-${partition}-${digits(nextOffset)}-${scored}-${end.id}.${end.format}`;
  const time = new Date(end.endedMs).toISOString();
  return end.format === 'arrow' ? name : `date=${time.slice(0, 10)}/hour=${time.slice(11, 13)}/${name}`;
}

/** Name of a segment: the rows between two checkpoints, or a part of them. */
export function segmentName(nextOffset: number, id: string): string {
  return `${digits(nextOffset)}.${id}.rows`;
}

/** Parses the name of a segment; undefined for another file. */
export function parseSegmentName(name: string): { readonly nextOffset: number; readonly id: string } | undefined {
  const [, nextOffset, id] = /^(\d{16})\.([^.]+)\.rows$/.exec(name) ?? [];
  return id === undefined ? undefined : { nextOffset: Number(nextOffset), id };
}

/** Folder of the manifests of a partition, in the folder of score rows. */
export function manifestFolder(key: RowsKey): string {
  return `_manifest/${partitionFolder(key.group, key)}`;
}

/** Name of the manifest that ends with a file: the greatest name is the newest manifest. */
export function manifestName({ nextOffset, scored, id }: EndedFile): string {
  return `${digits(nextOffset)}-${digits(scored)}-${id}.json`;
}

/** Returns whether a file is a manifest, by its name. */
export function isManifestName(name: string): boolean {
  return /^\d{16}-\d{16}-.+\.json$/.test(name);
}

/** A manifest as JSON text. */
export function manifestText({ group, topic, partition }: RowsKey, { nextOffset, files }: Manifest): string {
  const listed = files.map(({ name, rows, nextOffset: next_offset, endedMs }) => ({
    ...{ name, rows, next_offset },
    ended: new Date(endedMs).toISOString(),
  }));
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const head = { format: `${programName}.rows/1`, group, topic, partition, next_offset: nextOffset, rows };
  return `${JSON.stringify({ ...head, files: listed })}\n`;
}

/** Parses what `manifestText` wrote; undefined for another text, or a damaged one. */
export function parseManifest(name: string, bytes: Uint8Array): Manifest | undefined {
  try {
    const { next_offset: nextOffset, files } = JSON.parse(new TextDecoder().decode(bytes)) as {
      readonly next_offset: number;
      readonly files: readonly WrittenFile[];
    };
    return { name, nextOffset, files: files.map(rowFileOf) };
  } catch {
    return undefined;
  }
}

/** A file as manifests list it. */
export interface WrittenFile {
  readonly name: string;
  readonly rows: number;
  readonly next_offset: number;
  readonly ended: string;
}

/** The file that a manifest lists. */
export function rowFileOf({ name, rows, next_offset: nextOffset, ended }: WrittenFile): RowFile {
  return { name, rows, nextOffset, endedMs: Date.parse(ended) };
}

/** A number with 16 digits: such texts sort as their numbers do. */
function digits(number: number): string {
  return String(number).padStart(16, '0');
}
