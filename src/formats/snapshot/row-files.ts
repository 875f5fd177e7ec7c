import { partitionFolder } from '../checkpoint/names.ts';

/** Between two predictions of a partition. */
export interface RowPlace {
  readonly nextOffset: number;
  /** Predictions scored so far. */
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

/** A file whose rows are durable in segments: whoever writes it gives it the same name and the same rows. */
export interface EndedFile extends RowFile {
  /** Id of the checkpoint at its end. */
  readonly id: string;
  /** Next offset of the partition at its first row. */
  readonly firstOffset: number;
  /** Predictions scored at its end. */
  readonly scored: number;
  /** Names of its segments, in order. */
  readonly segments: readonly string[];
  /** Version of the truth that was in use at its end. */
  readonly truth?: string | undefined;
}

/** What a checkpoint says of the score rows before it: which files count, and where the rows lie that are in none yet. */
export interface RowsNote {
  /** The last file that is written; the manifests say which came before it. */
  readonly last: string | undefined;
  readonly ended: readonly EndedFile[];
  /** Where the open file begins. */
  readonly from: RowPlace;
  readonly rows: number;
  readonly segments: readonly string[];
}

/** All files of a partition that count, in order, up to a place: a manifest. */
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

/** Path of the file whose rows begin at a place and end with a checkpoint: those of Parquet lie in folders of the hour in which they ended. */
export function rowFileName(
  { topic, partition }: RowsKey,
  { nextOffset, scored }: RowPlace,
  end: Pick<EndedFile, 'id' | 'endedMs'> & { readonly format: 'arrow' | 'parquet' },
): string {
  const name = `scores-${topic}-${partition}-${digits(nextOffset)}-${scored}-${end.id}.${end.format}`;
  const time = new Date(end.endedMs).toISOString();
  return end.format === 'arrow' ? name : `date=${time.slice(0, 10)}/hour=${time.slice(11, 13)}/${name}`;
}

/** Name of the rows between two checkpoints, or of a part of them. */
export function segmentName(nextOffset: number, id: string): string {
  return `${digits(nextOffset)}.${id}.rows`;
}

/** Offset and id in the name of a segment; undefined where it is none. */
export function parseSegmentName(name: string): { readonly nextOffset: number; readonly id: string } | undefined {
  const [, nextOffset, id] = /^(\d{16})\.([^.]+)\.rows$/.exec(name) ?? [];
  return id === undefined ? undefined : { nextOffset: Number(nextOffset), id };
}

/** Where the manifests of a partition lie, in the folder of score rows. */
export function manifestFolder(key: RowsKey): string {
  return `_manifest/${partitionFolder(key.group, key)}`;
}

/** By name is by place: the greatest is the newest. */
export function manifestName({ nextOffset, scored, id }: EndedFile): string {
  return `${digits(nextOffset)}-${digits(scored)}-${id}.json`;
}

/** Whether a file in a folder is a manifest. */
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
  const head = { format: 'assay.rows/1', group, topic, partition, next_offset: nextOffset, rows };
  return `${JSON.stringify({ ...head, files: listed })}\n`;
}

/** A manifest that `manifestText` made; undefined where it is none, or damaged. */
export function parseManifest(name: string, bytes: Uint8Array): Manifest | undefined {
  try {
    const { next_offset: nextOffset, files } = JSON.parse(new TextDecoder().decode(bytes)) as Written;
    const listed = files.map((file) => ({
      ...{ name: file.name, rows: file.rows, nextOffset: file.next_offset },
      endedMs: Date.parse(file.ended),
    }));
    return { name, nextOffset, files: listed };
  } catch {
    return undefined;
  }
}

interface Written {
  readonly next_offset: number;
  readonly files: readonly {
    readonly name: string;
    readonly rows: number;
    readonly next_offset: number;
    readonly ended: string;
  }[];
}

/** Offsets in order of text are in order of number. */
function digits(number: number): string {
  return String(number).padStart(16, '0');
}
