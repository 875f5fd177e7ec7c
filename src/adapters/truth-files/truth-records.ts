import { decodeUtf8 } from '../../formats/bytes/utf8.ts';
import type { TruthBuilder } from '../../formats/truth/builder.ts';
import { nothingAtPlace, type TruthCounts } from '../../formats/truth/counts.ts';
import { TruthError } from '../../formats/truth/error.ts';
import { keyOf, truthFields, type TruthPlaces } from '../../formats/truth/fields.ts';
import { type RecordUnit, type Refused, truthLines } from '../../formats/truth/lines.ts';
import { truthReader, type TruthReading } from '../../formats/truth/record.ts';
import { isLikelyColumn } from '../../formats/truth/unread.ts';
import { fileRecords, type RecordBatch } from '../files/file-records.ts';

/** A file of truth records; its content where it was read already. */
export interface RecordFile {
  readonly name: string;
  readonly bytes?: Uint8Array;
}

/** The content of files of truth records in numbers, and their keys that nothing reads. */
export interface ReadRecords {
  readonly counts: TruthCounts;
  readonly unread: readonly string[];
}

/** Takes a record of a file: its number, and its text; undefined is no UTF-8. */
export type TakeRecord = (number: number, text: string | undefined) => void;

/** A reader of texts between the records of a file and the truth in them, as benchmarks need; as `TruthLines.openFile` returns it. */
export type Between = (add: TakeRecord, refuse: (number: number, problem: string) => void) => TakeRecord;

export interface RecordOptions extends TruthReading {
  readonly between?: Between | undefined;
  /** Further columns by which a text is recognized as CSV. */
  readonly columns?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** No record is longer than a string can be. */
const recordBytesMax = 2 ** 29 - 32;

/** Puts the truth records of files of any kind into a builder. Rejects where a file cannot be read, or a place holds nothing. */
export async function readTruthFiles(
  files: readonly RecordFile[],
  builder: TruthBuilder,
  refused: Refused,
  { between, columns = [], signal, ...reading }: RecordOptions,
): Promise<ReadRecords> {
  const reader = truthReader(reading);
  const lines = truthLines(builder, refused, reader);
  await eachRecord(files, { fields: reading.fields, columns, signal }, (name, unit) => {
    const addTruth = lines.openFile(name, unit);
    return between?.(addTruth, (number, problem) => refused(name, number, problem, unit)) ?? addTruth;
  });
  const unread = [...reader.unread];
  const missing = reader.missing();
  if (missing !== undefined) throw new TruthError(nothingAtPlace(missing, unread));
  return { counts: lines.counts, unread };
}

/** Reads the records of files of any kind, one file after the other; `open` gives the taker of the records of a file. Rejects where one cannot be read. */
export async function eachRecord(
  files: readonly RecordFile[],
  { fields = {}, columns = [], signal }: Pick<RecordOptions, 'fields' | 'columns' | 'signal'>,
  open: (name: string, unit: RecordUnit) => TakeRecord,
): Promise<void> {
  const isColumn = columnsRead(fields, columns);
  const options = { recordBytesMax, isColumn, fieldOption: '--truth-field', ...(signal && { signal }) } as const;
  for (const { name, bytes } of files) {
    const { unit, batches } = await fileRecords(name, options, bytes).catch((error) => unreadable(name, error));
    const take = open(name, unit);
    for await (const { records } of readable(name, batches)) {
      signal?.throwIfAborted();
      for (const { bytes: held, start, end, offset } of records) take(offset, decodeUtf8(held, start, end));
    }
  }
}

async function* readable(name: string, batches: AsyncIterable<RecordBatch>): AsyncGenerator<RecordBatch> {
  try {
    yield* batches;
  } catch (error) {
    unreadable(name, error);
  }
}

/** Throws an error of reading, which names the file, as one of the truth. */
function unreadable(name: string, error: unknown): never {
  const { message } = error as Error;
  throw message.startsWith(`${name}: `) ? new TruthError(message, { cause: error }) : error;
}

/** Columns by which a text is a table of truth: fields, places, and names that may hold an expectation, so that its rows say which. */
function columnsRead(places: TruthPlaces, columns: readonly string[]): (name: string) => boolean {
  const named = Object.values(places).flatMap((list) => [list].flat().map(keyOf));
  const read = new Set<string | undefined>([...truthFields, ...named, ...columns]);
  return (name) => read.has(name) || isLikelyColumn(name);
}
