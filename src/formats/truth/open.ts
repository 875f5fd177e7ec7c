import { type RecordBatch, RecordBatchReader } from 'apache-arrow';
import { hexadecimal } from '../../state/containers/hexadecimal.ts';
import { sharedBytes, sharedIntegers } from '../../state/containers/shared-arrays.ts';
import { type ArrowForm, checkStructure, unreadable } from '../arrow/structure.ts';
import { shortened } from '../json/shortened.ts';
import { listLength, type TextEntries, type TruthBatch } from './cells.ts';
import { checkCells, readLabels } from './check.ts';
import { checkColumnTypes, columnNames, needsRows, type ReadBatch, readBatch } from './columns.ts';
import { addContent, addContentText } from './content.ts';
import { isSealed } from '../bytes/file-seal.ts';
import { TruthError, truthError } from './error.ts';
import { buildIndex, indexBytes, type TruthIndex } from './index.ts';
import { checkRows, type RowLimits } from './limits.ts';
import { truthMetadata } from './builder.ts';

/** A truth file in memory. Over a SharedArrayBuffer its bytes are used as they are; else columns are copied into such. */
export interface TruthFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface OpenOptions {
  /** Undefined: rows are not limited. */
  readonly limits?: RowLimits | undefined;
  /** Called with the name of each file before it is read and checked. */
  readonly working?: ((file: string) => void) | undefined;
}

/** The part of `assay truth inspect` for one file. */
export interface TruthFileInfo {
  readonly name: string;
  readonly form: ArrowForm;
  readonly rows: number;
  readonly batches: number;
  /** Written by `assay truth build`. */
  readonly built: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string; readonly used: boolean }[];
}

/**
 * Truth files checked and indexed as one table: plain values and views of SharedArrayBuffers, so it can be posted to another
 * thread, which shares all of it. `truthTable` reads it.
 */
export interface LoadedTruth {
  readonly version: string;
  readonly rows: number;
  readonly batches: readonly TruthBatch[];
  readonly index: TruthIndex;
  /** Label code of each row, `noLabel` where it has none. */
  readonly labels: Uint8Array;
  /** Number of tools of each row, -1 where none are recorded. */
  readonly toolCounts: Int32Array;
  readonly files: readonly TruthFileInfo[];
}

/**
 * Opens Arrow truth files as one table (docs/reference/truth.md), or throws a TruthError that names file, row, column, value
 * and remedy. Tables that `assay truth build` wrote are checked by their seal, or else by their content hash; any other cell by cell.
 * Compressed buffers need `registerArrowCodecs` first.
 */
export function openTruth(files: readonly TruthFile[], { limits, working }: OpenOptions = {}): LoadedTruth {
  const parts: Part[] = [];
  let rows = 0;
  for (const file of files) {
    working?.(file.name);
    const part = readFile(file, rows);
    parts.push(part);
    rows += part.info.rows;
  }
  if (rows >= 0x7fffffff) throw new TruthError(`${rows} rows of truth are more than this program can hold (2^31)`);
  const labels = sharedBytes(rows);
  const content = new Uint32Array(4);
  for (const part of parts) {
    working?.(part.info.name);
    checkPart(part, labels, content);
    if (limits !== undefined) checkRows(part.info.name, part.batches, limits);
  }
  const batches = parts.flatMap((part) => part.batches.map(({ labels: _, ...batch }) => batch));
  const ids = batches.map((batch) => batch.ids);
  const index = buildIndex(ids, (id, one, other) => refuseRepeated(parts, id, one, other));
  const toolCounts = countTools(rows, batches);
  const version = hexadecimal(content);
  return { version, rows, batches, index, labels, toolCounts, files: parts.map((part) => part.info) };
}

/** Returns whether an Arrow file has to be read row by row; false where it is damaged, so that opening it refuses it. */
export function readsByRows(bytes: Uint8Array, hasPlaces: boolean): boolean {
  try {
    return needsRows(RecordBatchReader.from(bytes).open().schema, hasPlaces);
  } catch {
    return false;
  }
}

/** Bytes of a table besides its files, by its number of rows: the index, and label and tool count of each row. */
export function truthOverhead(rows: number): number {
  return indexBytes(rows) + rows * (Uint8Array.BYTES_PER_ELEMENT + Int32Array.BYTES_PER_ELEMENT);
}

/** One file, read but not yet checked cell by cell. */
interface Part {
  readonly info: TruthFileInfo;
  /** Its first row in the table. */
  readonly first: number;
  readonly bytes: Uint8Array;
  readonly metadata: ReadonlyMap<string, string>;
  readonly batches: readonly ReadBatch[];
}

function readFile({ name, bytes }: TruthFile, first: number): Part {
  const form = checkStructure(name, bytes);
  try {
    return { ...readBatches(name, bytes, form), first, bytes };
  } catch (error) {
    throw unreadable(name, error);
  }
}

function readBatches(file: string, bytes: Uint8Array, form: ArrowForm): Pick<Part, 'info' | 'metadata' | 'batches'> {
  const reader = RecordBatchReader.from(bytes).open();
  const { schema } = reader;
  checkColumnTypes(file, schema);
  const dictionaries = new Map<unknown, TextEntries>();
  const batches: ReadBatch[] = [];
  let rows = 0;
  let read = 0;
  for (const batch of reader as Iterable<RecordBatch>) {
    read++;
    if (batch.numRows < 0) throw new RangeError('a batch of negative length');
    if (batch.numRows === 0) continue;
    batches.push(readBatch(file, rows, batch, dictionaries));
    rows += batch.numRows;
  }
  if (reader.isFile() && read < reader.numRecordBatches) {
    throw truthError({ file }, `the file is cut short: ${read} of ${reader.numRecordBatches} batches; write it again`);
  }
  const columns = schema.fields.map(({ name, type }) => ({
    name,
    type: String(type),
    used: columnNames.includes(name),
  }));
  const built = schema.metadata.get(truthMetadata.built) === '1';
  const info = { name: file, form, rows, batches: batches.length, built, columns };
  return { info, metadata: schema.metadata, batches };
}

/** Checks the rows of one file, fills in their labels and adds their content. */
function checkPart(part: Part, labels: Uint8Array, content: Uint32Array): void {
  const { info, first, metadata } = part;
  const recorded = metadata.get(truthMetadata.rows);
  if (info.built && recorded !== String(info.rows)) {
    const problem = `holds ${info.rows} rows, its metadata say ${recorded ?? 'nothing'}`;
    throw truthError({ file: info.name }, `${problem}: it is cut short or was changed; ${rebuild}`);
  }
  const hash = metadata.get(truthMetadata.hash);
  // To hash the content again takes as long as all else of loading.
  const sealed = info.built && hash !== undefined && isSealed(part.bytes, metadata.get(truthMetadata.seal));
  const own = new Uint32Array(4);
  let row = 0;
  for (const batch of part.batches) {
    readLabels(info.name, row, batch, labels, first + row);
    if (!info.built) checkCells(info.name, row, batch);
    if (!sealed) addContent(batch, labels, first + row, own);
    row += batch.rows;
  }
  if (sealed) addContentText(hash, own);
  if (info.built && hexadecimal(own) !== hash) {
    const problem = `its content (${hexadecimal(own)}) is not what its metadata say (${hash ?? 'nothing'})`;
    throw truthError({ file: info.name }, `${problem}: it is damaged or was changed; ${rebuild}`);
  }
  for (let i = 0; i < 4; i++) content[i]! += own[i]!;
}

const rebuild = `build it again with \`assay truth build\`, or remove the key ${truthMetadata.built} from its schema metadata`;

function countTools(rows: number, batches: readonly TruthBatch[]): Int32Array {
  const counts = sharedIntegers(rows);
  let row = 0;
  for (const batch of batches) {
    for (let i = 0; i < batch.rows; i++) counts[row++] = listLength(batch.tools, i);
  }
  return counts;
}

/** Both rows count in the whole table. */
function refuseRepeated(parts: readonly Part[], id: string, one: number, other: number): never {
  const placeOf = (row: number): { readonly file: string; readonly row: number } => {
    const { info, first } = parts.findLast((part) => part.first <= row)!;
    return { file: info.name, row: row - first };
  };
  const earlier = placeOf(one);
  const problem = `${shortened(id)} is already at ${earlier.file}, row ${earlier.row}; keep one of the two rows`;
  throw truthError({ ...placeOf(other), column: 'example_id' }, problem);
}
