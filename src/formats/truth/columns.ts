import { type Data, DataType, type RecordBatch, type Schema } from 'apache-arrow';
import {
  entryOf,
  isValid,
  type ListCells,
  type PairLists,
  type TextCells,
  type TextEntries,
  type TruthBatch,
} from './cells.ts';
import { truthError } from './error.ts';
import { isTextType, LayoutError, listCells, textCells, validity } from './layout.ts';

/** The columns of a truth table (docs/reference/truth.md), and the part of an item that holds JSON. */
export const truthColumns = {
  exampleId: 'example_id',
  label: 'label',
  tools: 'tools',
  expected: 'expected_tool_calls',
  reference: 'reference',
} as const;
const nameField = 'name';
export const parametersField = 'parameters';
export const argumentsField = 'arguments';

/** Refuses a schema whose columns have types that a truth table cannot have, naming the column, its type and the remedy. */
export function checkColumnTypes(file: string, schema: Schema): void {
  const { exampleId, label, tools, expected, reference } = truthColumns;
  const names = schema.fields.map((field) => field.name);
  for (const name of Object.values(truthColumns)) {
    if (names.indexOf(name) !== names.lastIndexOf(name)) {
      throw truthError({ file, column: name }, 'occurs twice; leave one of them out');
    }
  }
  if (!names.includes(exampleId)) {
    throw truthError(
      { file, column: exampleId },
      `is absent (columns: ${names.join(', ') || 'none'}); add it, of type utf8`,
    );
  }
  for (const { name, type } of schema.fields) {
    const problem =
      name === exampleId || name === label || name === reference
        ? textProblem(type)
        : name === tools
          ? listProblem(type, parametersField)
          : name === expected
            ? listProblem(type, argumentsField)
            : undefined;
    if (problem !== undefined) throw truthError({ file, column: name }, problem);
  }
}

export interface BatchColumns {
  readonly batch: TruthBatch;
  readonly labels: TextCells | undefined;
}

/** The columns of one record batch, checked as far as their layout goes. `row` is the first row of the batch in its file. */
export function batchColumns(
  file: string,
  row: number,
  batch: RecordBatch,
  dictionaries: Map<unknown, TextEntries>,
): BatchColumns {
  const rows = batch.numRows;
  const column = <Value>(name: string, read: (data: Data) => Value): Value | undefined => {
    const data = batch.getChild(name)?.data[0];
    if (data === undefined) return undefined;
    try {
      if (data.length !== rows)
        throw new LayoutError(`${data.length} cells for ${rows} rows; the file is damaged, write it again`);
      return read(data);
    } catch (error) {
      if (!(error instanceof LayoutError)) throw error;
      const at = error.row === undefined ? {} : { row: row + error.row };
      throw truthError({ file, ...at, column: name }, error.message);
    }
  };
  const text = (data: Data): TextCells | undefined => textCells(data, dictionaries);
  const ids = column(truthColumns.exampleId, text);
  return {
    batch: {
      rows,
      ids: idEntries(file, row, rows, ids),
      tools: column(truthColumns.tools, (data) => pairLists(data, parametersField, dictionaries)),
      expected: column(truthColumns.expected, (data) => pairLists(data, argumentsField, dictionaries)),
      reference: column(truthColumns.reference, text),
    },
    labels: column(truthColumns.label, text),
  };
}

/** Ids are looked up by their bytes, so a dictionary of them is written out. */
function idEntries(file: string, first: number, rows: number, cells: TextCells | undefined): TextEntries {
  const offsets = new Int32Array(rows + 1);
  for (let i = 0; i < rows; i++) {
    const entry = entryOf(cells, i);
    if (entry < 0) {
      throw truthError(
        { file, row: first + i, column: truthColumns.exampleId },
        'is null; give every row an id, or drop the row',
      );
    }
    offsets[i + 1] = offsets[i]! + lengthOf(cells!.entries, entry);
  }
  if (cells !== undefined && cells.codes === undefined) return cells.entries;
  return writtenOut(cells, offsets);
}

function writtenOut(cells: TextCells | undefined, sizes: Int32Array): TextEntries {
  const rows = sizes.length - 1;
  const offsets = new Int32Array(new SharedArrayBuffer(4 * (rows + 1)));
  offsets.set(sizes);
  const bytes = new Uint8Array(new SharedArrayBuffer(sizes[rows]!));
  for (let i = 0; i < rows; i++) {
    const { entries, codes } = cells!;
    const entry = codes![i]!;
    bytes.set(entries.bytes.subarray(entries.offsets[entry], entries.offsets[entry + 1]), offsets[i]!);
  }
  return { offsets, bytes, valid: undefined };
}

function lengthOf(entries: TextEntries, entry: number): number {
  return entries.offsets[entry + 1]! - entries.offsets[entry]!;
}

function pairLists(data: Data, detail: string, dictionaries: Map<unknown, TextEntries>): PairLists | undefined {
  if (DataType.isNull(data.type)) return undefined;
  const { lists, items } = listCells(data);
  const { type } = items;
  if (!DataType.isStruct(type)) return { lists, names: textCells(items, dictionaries), details: undefined };
  checkItems(lists, validity(items));
  const field = (name: string): TextCells | undefined => {
    const child = items.children[type.children.findIndex((one) => one.name === name)];
    if (child === undefined) return undefined;
    if (child.length < items.length)
      throw new LayoutError(
        `${child.length} cells of ${name} for ${items.length} items; the file is damaged, write it again`,
      );
    return textCells(child, dictionaries);
  };
  return { lists, names: field(nameField), details: field(detail) };
}

/** An item that is null says nothing: it is refused rather than guessed at. */
function checkItems(lists: ListCells, valid: Uint8Array | undefined): void {
  if (valid === undefined) return;
  for (let row = 0; row < lists.offsets.length - 1; row++) {
    if (!isValid(lists.valid, row)) continue;
    for (let item = lists.offsets[row]!; item < lists.offsets[row + 1]!; item++) {
      if (!isValid(valid, item)) {
        throw new LayoutError(`item ${item - lists.offsets[row]!} of the list is null; leave it out of the list`, row);
      }
    }
  }
}

function textProblem(type: DataType): string | undefined {
  return isTextType(type) ? undefined : `is of type ${type}; cast it to utf8`;
}

function listProblem(type: DataType, detail: string): string | undefined {
  const wanted = `cast it to list<struct<name: utf8, ${detail}: utf8 holding JSON>>`;
  if (DataType.isNull(type)) return undefined;
  if (!DataType.isList(type) && !DataType.isLargeList(type)) return `is of type ${type}; ${wanted}`;
  const item: DataType = type.children[0]!.type;
  if (DataType.isNull(item)) return undefined;
  if (!DataType.isStruct(item)) {
    const namesOnly = detail === parametersField && isTextType(item);
    return namesOnly ? undefined : `is of type ${type}; ${wanted}`;
  }
  if (!item.children.some(({ name }) => name === nameField))
    return `is of type ${type}, without a field name; ${wanted}`;
  const wrong = item.children.find(
    ({ name, type: field }) => (name === nameField || name === detail) && !isTextType(field),
  );
  return wrong && `field ${wrong.name} is of type ${wrong.type}; ${wanted}`;
}
