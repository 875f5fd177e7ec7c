import { type Data, DataType, type RecordBatch, TimeUnit } from 'apache-arrow';
import { identityOfBytes, identityOfText } from '../../state/containers/identity.ts';
import { utf8Text } from '../bytes/utf8.ts';
import { fitted, isField, tagPrefix } from '../inputs/fields.ts';
import type { TextColumn, UsualColumns } from '../prediction/event-table.ts';
import { entryOf } from '../truth/cells.ts';
import { isTextType, textCells } from '../truth/layout.ts';
import { type CellWriter, cellWriter, type Scratch } from './content.ts';

/** What the opening of tables keeps between them. */
export interface Opening {
  readonly scratch: Scratch;
  /** A field of an event that may have been meant as another one. */
  readonly nearName: (event: unknown) => unknown;
}

type Columns = ReadonlyMap<string, Data>;
type Cells = (row: number) => unknown;

/** The columns of a batch, where all that are read are of a type that a table of events usually has; undefined where one is not. */
export function usualColumns({ schema, data }: RecordBatch, { scratch, nearName }: Opening): UsualColumns | undefined {
  const columns: Columns = new Map(schema.fields.map(({ name }, at) => [name, data.children[at]!]));
  const tags = tagColumns(columns);
  const example = columns.get('example_id');
  // Of two columns of one name the last that is not null counts.
  if (columns.size < schema.fields.length || columns.has('refused') || tags === undefined) return undefined;
  if (nearName(othersOf(columns)) !== undefined) return undefined;
  if (example === undefined || DataType.isNull(example.type)) return undefined;
  const named = ['event_id', 'model', 'agent'].map((name) => columns.get(name));
  if (![example, ...named, ...tags.values()].every(isTextOrNone)) return undefined;
  const [ts, run] = [timeCells(columns.get('ts')), numberCells(columns.get('run'))];
  const content = contentOf(columns, scratch);
  if (ts === undefined || run === undefined || content === undefined) return undefined;
  const [event, model, agent] = named.map(textColumn);
  const tagTexts = new Map([...tags].map(([name, column]) => [name, textColumn(column)]));
  return { example: textColumn(example)!, event, model, agent, tag: (name) => tagTexts.get(name), ts, run, content };
}

/** Columns that nobody reads, as an event that has nothing else. */
function othersOf(columns: Columns): object {
  const names = [...columns.keys()].filter((name) => !name.startsWith(tagPrefix) && !isField(name));
  return Object.fromEntries(names.map((name) => [name, true]));
}

/** Tags that are columns, or fields of one column; undefined where some are neither. */
function tagColumns(columns: Columns): Columns | undefined {
  const own = [...columns].filter(([name]) => name.startsWith(tagPrefix));
  const all = columns.get('tags');
  if (all === undefined) return new Map(own.map(([name, column]) => [name.slice(tagPrefix.length), column]));
  if (!DataType.isStruct(all.type) || all.nullCount > 0 || own.length > 0) return undefined;
  const { type, children } = all;
  const fields = new Map(children.map((child, at) => [type.children[at]!.name as string, child]));
  return fields.size === children.length ? fields : undefined;
}

function isTextOrNone(column: Data | undefined): boolean {
  return column === undefined || isTextType(column.type);
}

/** Undefined where there is no column, or nothing in it. */
function textColumn(column: Data | undefined): TextColumn | undefined {
  const cells = column && textCells(column, new Map());
  if (cells === undefined) return undefined;
  const { offsets, bytes } = cells.entries;
  const codes = cells.codes && new Int32Array(offsets.length - 1).fill(-1);
  const dictionary = codes && { codes, of: (row: number) => entryOf(cells, row) };
  return {
    dictionary,
    identity(row, words, at) {
      const entry = entryOf(cells, row);
      if (entry < 0) return -1;
      identityOfBytes(bytes, offsets[entry]!, offsets[entry + 1]!, words, at);
      return offsets[entry + 1]! - offsets[entry]!;
    },
    text(row) {
      const entry = entryOf(cells, row);
      return utf8Text(bytes, offsets[entry]!, offsets[entry + 1]!);
    },
  };
}

const none: Cells = () => undefined;
/** What a Date can be, in ms: a time that is none is absent in a file, too. */
const dateMost = 8.64e15;

/** Undefined where the column is of another type. */
function timeCells(column: Data | undefined): Cells | undefined {
  if (column === undefined || DataType.isNull(column.type)) return none;
  const { type } = column;
  if (!DataType.isTimestamp(type)) return numberCells(column, (value) => fitted('ts', value));
  if (type.unit === TimeUnit.NANOSECOND) return undefined;
  const perMs = { [TimeUnit.SECOND]: 1e-3, [TimeUnit.MILLISECOND]: 1, [TimeUnit.MICROSECOND]: 1e3 }[type.unit];
  return wideCells(column, (value) => {
    const ms = perMs < 1 ? value * 1_000 : Math.trunc(value / perMs);
    return Math.abs(ms) > dateMost ? undefined : ms;
  });
}

/** Undefined where the column is of another type. */
function numberCells(
  column: Data | undefined,
  read: (value: unknown) => unknown = (value) => value,
): Cells | undefined {
  if (column === undefined || DataType.isNull(column.type)) return none;
  const { type } = column;
  if (DataType.isInt(type) && type.bitWidth === 64) return type.isSigned ? wideCells(column, read) : undefined;
  if (!DataType.isInt(type) && !(DataType.isFloat(type) && type.precision > 0)) return undefined;
  const values = column.values as Float64Array;
  return unlessNull(column, (row) => read(values[row]));
}

/** Numbers of 64 bits; beyond 2^53 some that are none, so that they are looked at more closely. */
function wideCells(column: Data, read: (value: number) => unknown): Cells {
  const { buffer, byteOffset, length } = column.values as BigInt64Array;
  const halves = new Int32Array(buffer, byteOffset, 2 * length);
  return unlessNull(column, (row) => {
    const value = halves[2 * row + 1]! * 2 ** 32 + (halves[2 * row]! >>> 0);
    return Number.isSafeInteger(value) ? read(value) : Number.NaN;
  });
}

function unlessNull(column: Data, cells: Cells): Cells {
  return column.nullCount <= 0 ? cells : (row) => (column.getValid(row) ? cells(row) : undefined);
}

/** What `predictionOf` reads, but for the output. */
const contentNames = ['label', 'tool_calls', 'tools', 'error', 'success'];

/** Undefined where one of the columns is of another type. */
function contentOf(columns: Columns, scratch: Scratch): UsualColumns['content'] | undefined {
  const there = contentNames.filter((name) => columns.has(name));
  const writers = there.map((name) =>
    cellWriter(columns.get(name)!, scratch, name === 'tool_calls' ? 'id' : undefined),
  );
  const output = columns.get('output');
  if (!writers.every((one): one is CellWriter => one !== undefined) || !isTextOrNone(output)) return undefined;
  const writeOutput = output && cellWriter(output, scratch);
  const salt = new Uint32Array(4);
  identityOfText(there.map((name) => `${name} ${columns.get(name)!.type}`).join(), salt, 0);
  return (row, words, at) => {
    scratch.length = 0;
    for (let i = 0; i < writers.length; i++) writers[i]!(row);
    const length = scratch.length;
    identityOfBytes(scratch.bytes, 0, length, words, at);
    for (let i = 0; i < 4; i++) words[at + i]! ^= salt[i]!;
    scratch.length = 0;
    writeOutput?.(row);
    identityOfBytes(scratch.bytes, 0, scratch.length, words, at + 4);
    return length + scratch.length;
  };
}
