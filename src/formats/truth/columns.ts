import { type Data, DataType, type Field, type RecordBatch, type Schema } from 'apache-arrow';
import { programName } from '../../name.ts';
import { isObject } from '../../scoring/json.ts';
import type { Columns } from '../arrow/schema.ts';
import { isReadable } from '../files/arrow-rows.ts';
import { shortened } from '../json/shortened.ts';
import type { TextCells, TextEntries, TruthBatch } from './cells.ts';
import { truthError } from './error.ts';
import { idEntries, isTextType, LayoutError, listCells, textCells } from './layout.ts';
import { jsonIn } from '../json/parsed.ts';
import { isLikelyColumn } from './unread.ts';

/** A list of {name, detail}, or of names. */
export interface Items {
  /** Field of an item that holds JSON; none where items are names. */
  readonly detail?: string;
  /** Field of an item that holds rules. */
  readonly accept?: string;
  /** Texts are accepted as items without detail. */
  readonly namesAlone: boolean;
  /** The problem of an item's detail. */
  readonly problemOf: (text: string) => string | undefined;
}

const tools: Items = { detail: 'parameters', namesAlone: true, problemOf: jsonProblem };
const calls: Items = { detail: 'arguments', accept: 'accept', namesAlone: false, problemOf: objectProblem };
const names: Items = { namesAlone: true, problemOf: () => undefined };

/** The columns of a truth table (docs/reference/truth.md), as `truth build` writes them; other writers may use other texts and lists. */
export const truthColumns = {
  example_id: { kind: 'utf8', required: true },
  label: { kind: 'label' },
  tools: {
    kind: { list: { struct: { name: { kind: 'category' }, parameters: { kind: 'category' } } }, itemsRequired: true },
    items: tools,
  },
  expected_tool_calls: {
    kind: {
      list: {
        struct: {
          name: { kind: 'category', required: true },
          arguments: { kind: 'utf8', required: true },
          accept: { kind: 'json' },
        },
      },
      itemsRequired: true,
    },
    items: calls,
  },
  reference: { kind: 'json' },
  alternatives: { kind: 'json' },
  forbidden: { kind: { list: 'utf8', itemsRequired: true }, items: names },
} as const satisfies Columns & Record<string, { readonly items?: Items }>;

export const columnNames: readonly string[] = Object.keys(truthColumns);

/** A batch as it is read, with its labels as texts. */
export interface ReadBatch extends TruthBatch {
  readonly labels: TextCells | undefined;
}

/** Refuses a schema whose columns have types that a truth table cannot have, naming the column, its type and the remedy. */
export function checkColumnTypes(file: string, { fields }: Schema): void {
  const names = fields.map((field) => field.name);
  for (const [name, column] of Object.entries(truthColumns)) {
    const at = names.indexOf(name);
    if (at !== names.lastIndexOf(name)) throw truthError({ file, column: name }, 'occurs twice; leave one of them out');
    if (at < 0 && 'required' in column) {
      const problem = `is absent (columns: ${names.join(', ') || 'none'}); add it, of type utf8`;
      throw truthError({ file, column: name }, problem);
    }
    if (at < 0) continue;
    const { type } = fields[at]!;
    const problem = 'items' in column ? listProblem(type, column.items) : textProblem(type);
    if (problem !== undefined) throw truthError({ file, column: name }, problem);
  }
}

/**
 * Returns whether a table has to be read row by row: a column is of a type that only records have, such as numbers as ids or calls in
 * another form, or one that is not read may hold an expectation.
 */
export function needsRows({ fields, metadata }: Schema, hasPlaces: boolean): boolean {
  if (metadata.get(builtKey) === '1') return false;
  const read = fields.filter(({ name }) => Object.hasOwn(truthColumns, name));
  const lacksId = read.every(({ name }) => name !== 'example_id');
  if (!read.every(({ type }) => isReadable(type))) return false;
  return hasPlaces || lacksId || fields.some(isOfRecords);
}

/** The key of the metadata of tables that `assay truth build` wrote. */
export const builtKey = `${programName}.truth`;

function isOfRecords({ name, type }: Field): boolean {
  if (!Object.hasOwn(truthColumns, name)) return (type.children?.length ?? 0) > 0 || isLikelyColumn(name);
  const column = truthColumns[name as keyof typeof truthColumns];
  if (!('items' in column)) return textProblem(type) !== undefined;
  if (listProblem(type, column.items) !== undefined) return true;
  const { detail, accept }: Items = column.items;
  const item: DataType | undefined = type.children?.[0]?.type;
  return (
    item !== undefined &&
    DataType.isStruct(item) &&
    item.children.some((field) => !['name', detail, accept, 'id', 'type', 'description'].includes(field.name))
  );
}

/** The columns of one record batch, checked as far as their layout goes. `row` is the first row of the batch in its file. */
export function readBatch(
  file: string,
  row: number,
  batch: RecordBatch,
  dictionaries: Map<unknown, TextEntries>,
): ReadBatch {
  const rows = batch.numRows;
  const column = <Cells>(name: keyof typeof truthColumns, read: (data: Data) => Cells): Cells | undefined => {
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
  return {
    rows,
    ids: column('example_id', (data) => idEntries(text(data), rows))!,
    labels: column('label', text),
    tools: column('tools', (data) => listCells(data, tools, dictionaries)),
    expected: column('expected_tool_calls', (data) => listCells(data, calls, dictionaries)),
    reference: column('reference', text),
    alternatives: column('alternatives', text),
    forbidden: column('forbidden', (data) => listCells(data, names, dictionaries)),
  };
}

/** The problem of a text that should hold JSON. */
export function jsonProblem(text: string): string | undefined {
  return jsonIn(text) !== undefined
    ? undefined
    : `is ${shortened(text)}, no JSON; write JSON text (a string in quotes), or null`;
}

function objectProblem(text: string): string | undefined {
  return isObject(jsonIn(text))
    ? undefined
    : `is ${shortened(text)}, no JSON object; write one, such as {"city": "Rome"}, or null`;
}

function textProblem(type: DataType): string | undefined {
  return isTextType(type) ? undefined : `is of type ${type}; cast it to utf8`;
}

function listProblem(type: DataType, { detail, accept, namesAlone }: Items): string | undefined {
  const wanted = `cast it to list<${detail ? `struct<name: utf8, ${detail}: utf8 holding JSON>` : 'utf8'}>`;
  if (DataType.isNull(type)) return undefined;
  if (!DataType.isList(type) && !DataType.isLargeList(type)) return `is of type ${type}; ${wanted}`;
  const item: DataType = type.children[0]!.type;
  if (DataType.isNull(item)) return undefined;
  if (detail === undefined || !DataType.isStruct(item))
    return namesAlone && isTextType(item) ? undefined : `is of type ${type}; ${wanted}`;
  if (!item.children.some(({ name }) => name === 'name')) return `is of type ${type}, without a field name; ${wanted}`;
  const wrong = item.children.find(
    ({ name, type: field }) => ['name', detail, accept].includes(name) && !isTextType(field),
  );
  return wrong && `field ${wrong.name} is of type ${wrong.type}; ${wanted}`;
}
