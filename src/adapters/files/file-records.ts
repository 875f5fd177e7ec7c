import { stat } from 'node:fs/promises';
import { fileKind, type FileKind } from '../../formats/files/kind.ts';
import { hiveFolders, withFolders } from '../../formats/files/hive-folders.ts';
import type { LogRecord } from '../../stream/event.ts';
import { byteChunks, type ByteChunks, chunksOf, headOf, wholeOf } from './byte-chunks.ts';
import { csvRecords } from './csv-records.ts';
import { decompressed } from './decompress.ts';
import { documentRecords } from './document-records.ts';
import { lineRecords } from './line-records.ts';
import { tableRecords } from './table-records.ts';
import type { TableRequest } from './table-worker.ts';

/** Records of a file, in order. */
export interface FileRecords {
  /** Names of folders `name=value` above the file that are no field. */
  readonly unreadFolders: readonly string[];
  /** The unit of their offsets: lines and elements from 1, rows from 0. */
  readonly unit: 'line' | 'element' | 'row';
  readonly batches: AsyncIterable<RecordBatch>;
}

export interface RecordBatch {
  readonly records: readonly LogRecord[];
  /** Bytes of the file read so far. */
  readonly bytesRead: number;
}

export interface FileOptions {
  /** Longest record; of a longer one only the beginning is read, enough for it to be refused. */
  readonly recordBytesMax: number;
  /** Returns whether a column of this name is read: by its columns a text is recognized as CSV. */
  readonly isColumn: (name: string) => boolean;
  /** The option that names the place of a field, for messages. */
  readonly fieldOption?: '--field' | '--truth-field';
  readonly signal?: AbortSignal;
}

/**
 * Opens a file of records, or standard input (`-`): NDJSON, a JSON array or object, CSV, Parquet, Arrow, each also compressed with gzip or
 * zstd, recognized by content. Folders named `field=value` above it give that field to records that lack it. An empty file has no records; `bytes` are the content where it was read already. Rejects where it cannot be read or is none of these, naming it.
 */
export async function fileRecords(path: string, options: FileOptions, bytes?: Uint8Array): Promise<FileRecords> {
  const { fields, unread } = hiveFolders(path, options.isColumn);
  const { unit, batches } = await openRecords(path, options, bytes);
  return { unit, batches: fields === undefined ? batches : withFields(batches, fields), unreadFolders: unread };
}

type OpenRecords = Pick<FileRecords, 'unit' | 'batches'>;

async function* withFields(batches: AsyncIterable<RecordBatch>, fields: string): AsyncGenerator<RecordBatch> {
  for await (const { records, bytesRead } of batches)
    yield { records: records.map((record) => withFolders(record, fields)), bytesRead };
}

async function openRecords(path: string, options: FileOptions, bytes?: Uint8Array): Promise<OpenRecords> {
  const source = bytes === undefined ? await byteChunks(path, options.signal) : chunksOf(bytes);
  const { found, chunks } = await headOf(source.chunks, kindBy(options));
  if (found.kind !== 'gzip' && found.kind !== 'zstd')
    return recordsOf(found, { ...source, chunks }, path, true, options);
  const plain = await headOf(decompressed(found.kind, chunks, path), kindBy(options));
  return recordsOf(plain.found, { ...source, chunks: plain.chunks }, path, false, options);
}

function kindBy(options: FileOptions): (head: Buffer, ended: boolean) => FileKind | undefined {
  return (head, ended) => fileKind(head, ended, options.isColumn, options.fieldOption);
}

const isRead = 'NDJSON, a JSON array, CSV with a header, Parquet and Arrow are read, each also gzip or zstd';

async function recordsOf(
  found: FileKind,
  { chunks, read, isFile, close }: ByteChunks,
  path: string,
  isPlain: boolean,
  { recordBytesMax, signal }: FileOptions,
): Promise<OpenRecords> {
  const counted = async function* (batches: AsyncIterable<readonly LogRecord[]>): AsyncGenerator<RecordBatch> {
    for await (const records of batches) yield { records, bytesRead: read.bytes };
  };
  switch (found.kind) {
    case 'lines':
    case 'empty':
      return { unit: 'line', batches: counted(lineRecords(chunks, recordBytesMax)) };
    case 'document':
      return { unit: 'element', batches: counted(documentRecords(chunks, recordBytesMax, path)) };
    case 'csv':
      return { unit: 'line', batches: counted(csvRecords(chunks, found.separator, path)) };
    case 'parquet':
    case 'arrow': {
      // Their parts are not read in order: what is no file is held whole.
      const bytes = isPlain && isFile ? undefined : await wholeOf(chunks, wholeBytesMax, `${path}: ${tooLong}`);
      if (bytes === undefined) close();
      return { unit: 'row', batches: rowsOf({ kind: found.kind, path, bytes }, read, signal) };
    }
    case 'gzip':
    case 'zstd':
      throw new Error(`${path}: is compressed twice; decompress it once`);
    case 'unknown':
      throw new Error(`${path}: is ${found.seems}; ${isRead}`);
  }
}

async function* rowsOf(
  request: TableRequest,
  read: ByteChunks['read'],
  signal: AbortSignal | undefined,
): AsyncGenerator<RecordBatch> {
  const size = request.bytes === undefined ? (await stat(request.path)).size : read.bytes;
  for await (const { records, share } of tableRecords(request, signal)) yield { records, bytesRead: share * size };
}

/** More than can be held, as a few bytes decompress to gigabytes. */
const wholeBytesMax = 2 ** 30;
const tooLong = `a table of more than ${wholeBytesMax} bytes is read only from a plain file; write it to one, decompressed`;
