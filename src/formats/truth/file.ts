import { Buffer } from 'node:buffer';
import {
  type Data,
  Dictionary,
  Field,
  Int8,
  Int32,
  List,
  makeData,
  makeVector,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Utf8,
  type Vector,
} from 'apache-arrow';
import { labels } from '../../scoring/label.ts';
import { blankSeal, seal } from '../bytes/file-seal.ts';
import { argumentsField, batchColumns, parametersField, truthColumns } from './columns.ts';
import { addContent, contentText } from './content.ts';
import { readLabels } from './check.ts';
import { truthMetadata } from './metadata.ts';

/** UTF-8 texts one after the other: where each ends, or -1 - that where it is null. */
export interface BuiltTexts {
  readonly bytes: Uint8Array;
  readonly ends: readonly number[];
}

/** The rows of one record batch; -1 is null, in codes and in counts (the lengths of the lists). */
export interface BuiltBatch {
  readonly rows: number;
  readonly ids: BuiltTexts;
  readonly labels: readonly number[];
  readonly toolCounts: readonly number[];
  readonly toolNames: readonly number[];
  readonly toolParameters: readonly number[];
  readonly callCounts: readonly number[];
  readonly callNames: readonly number[];
  readonly callArguments: BuiltTexts;
  readonly references: BuiltTexts;
}

/**
 * Writes a truth table as an uncompressed Arrow file: one dictionary a column for all batches (other readers refuse it any
 * other way), row count, content hash and a seal in the schema metadata.
 */
export function truthFile(
  batches: readonly BuiltBatch[],
  toolNames: readonly string[],
  toolParameters: readonly string[],
  callNames: readonly string[],
): Uint8Array {
  const types = columnTypes();
  const dictionaries = {
    label: texts(labels),
    toolNames: texts(toolNames),
    toolParameters: texts(toolParameters),
    callNames: texts(callNames),
  };
  const plain = new Schema(types.fields);
  const data = batches.map((batch) => rowData(batch, types, dictionaries));
  const rows = batches.reduce((total, batch) => total + batch.rows, 0);
  const metadata = new Map([
    [truthMetadata.built, '1'],
    [truthMetadata.rows, String(rows)],
    [truthMetadata.hash, contentOf(data.map((one) => new RecordBatch(plain, one)))],
    [truthMetadata.seal, blankSeal],
  ]);
  const schema = new Schema(types.fields, metadata);
  const writer = new RecordBatchFileWriter();
  writer.reset(undefined, schema);
  for (const one of data) writer.write(new RecordBatch(schema, one));
  const file = sharedBytes(writer.finish().toUint8Array(true));
  seal(file);
  return file;
}

interface ColumnTypes {
  readonly label: Dictionary<Utf8, Int8>;
  readonly toolName: Dictionary<Utf8, Int32>;
  readonly parameters: Dictionary<Utf8, Int32>;
  readonly tools: List<Struct>;
  readonly callName: Dictionary<Utf8, Int32>;
  readonly calls: List<Struct>;
  readonly fields: Field[];
}

function columnTypes(): ColumnTypes {
  const label = new Dictionary(new Utf8(), new Int8());
  const toolName = new Dictionary(new Utf8(), new Int32());
  const parameters = new Dictionary(new Utf8(), new Int32());
  const callName = new Dictionary(new Utf8(), new Int32());
  const tools = listOf([new Field('name', toolName, true), new Field(parametersField, parameters, true)]);
  const calls = listOf([new Field('name', callName, false), new Field(argumentsField, new Utf8(), false)]);
  const fields = [
    new Field(truthColumns.exampleId, new Utf8(), false),
    new Field(truthColumns.label, label, true),
    new Field(truthColumns.tools, tools, true),
    new Field(truthColumns.expected, calls, true),
    new Field(truthColumns.reference, new Utf8(), true),
  ];
  return { label, toolName, parameters, tools, callName, calls, fields };
}

function listOf(fields: Field[]): List<Struct> {
  return new List(new Field('item', new Struct(fields), false));
}

interface Dictionaries {
  readonly label: Vector<Utf8>;
  readonly toolNames: Vector<Utf8>;
  readonly toolParameters: Vector<Utf8>;
  readonly callNames: Vector<Utf8>;
}

function rowData(batch: BuiltBatch, types: ColumnTypes, dictionaries: Dictionaries): Data<Struct> {
  const tools = makeData({
    type: types.tools.children[0]!.type as Struct,
    length: batch.toolNames.length,
    children: [
      codeData(types.toolName, batch.toolNames, dictionaries.toolNames),
      codeData(types.parameters, batch.toolParameters, dictionaries.toolParameters),
    ],
  });
  const calls = makeData({
    type: types.calls.children[0]!.type as Struct,
    length: batch.callNames.length,
    children: [codeData(types.callName, batch.callNames, dictionaries.callNames), textData(batch.callArguments)],
  });
  const children = [
    textData(batch.ids),
    codeData(types.label, batch.labels, dictionaries.label),
    listData(types.tools, batch.toolCounts, tools),
    listData(types.calls, batch.callCounts, calls),
    textData(batch.references),
  ];
  return makeData({ type: new Struct(types.fields), length: batch.rows, children });
}

function textData({ bytes, ends }: BuiltTexts): Data<Utf8> {
  const valueOffsets = new Int32Array(ends.length + 1);
  ends.forEach((end, at) => {
    valueOffsets[at + 1] = end < 0 ? -1 - end : end;
  });
  return makeData({ type: new Utf8(), length: ends.length, ...nulls(ends), valueOffsets, data: bytes });
}

function codeData(
  type: Dictionary<Utf8, Int8 | Int32>,
  codes: readonly number[],
  dictionary: Vector<Utf8>,
): Data<Dictionary> {
  const data = new type.indices.ArrayType(codes.map((code) => Math.max(code, 0)));
  return makeData({ type, length: codes.length, ...nulls(codes), data, dictionary });
}

function listData(type: List<Struct>, counts: readonly number[], child: Data<Struct>): Data<List> {
  const valueOffsets = new Int32Array(counts.length + 1);
  counts.forEach((count, at) => {
    valueOffsets[at + 1] = valueOffsets[at]! + Math.max(count, 0);
  });
  return makeData({ type, length: counts.length, ...nulls(counts), valueOffsets, child });
}

/** Validity of numbers of which the negative ones are null. */
function nulls(numbers: readonly number[]): { nullCount: number; nullBitmap: Uint8Array | undefined } {
  const nullBitmap = new Uint8Array((numbers.length + 7) >> 3);
  let nullCount = 0;
  numbers.forEach((number, at) => {
    if (number < 0) nullCount++;
    else nullBitmap[at >> 3]! |= 1 << (at & 7);
  });
  return { nullCount, nullBitmap: nullCount === 0 ? undefined : nullBitmap };
}

function texts(all: readonly string[]): Vector<Utf8> {
  const encoded = all.map((text) => Buffer.from(text, 'utf8'));
  let size = 0;
  const ends = encoded.map((bytes) => (size += bytes.length));
  return makeVector(textData({ bytes: Uint8Array.from(Buffer.concat(encoded)), ends }));
}

/** The content hash that opening the file will find. */
function contentOf(batches: readonly RecordBatch[]): string {
  const words = new Uint32Array(4);
  const dictionaries = new Map();
  for (const one of batches) {
    const { batch, labels: cells } = batchColumns('table', 0, one, dictionaries);
    const codes = new Uint8Array(batch.rows);
    readLabels('table', 0, batch.rows, cells, codes, 0);
    addContent(batch, codes, 0, words);
  }
  return contentText(words);
}

function sharedBytes(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}
