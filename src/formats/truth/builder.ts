import { type Data, DataType, Field, List, RecordBatch, Schema, Struct } from 'apache-arrow';
import { programName } from '../../name.ts';
import { hexadecimal } from '../../state/containers/hexadecimal.ts';
import { arrowFileOf, rowsKey } from '../arrow/file.ts';
import { rowColumns } from '../arrow/row-columns.ts';
import { arrowSchema } from '../arrow/schema.ts';
import { blankSeal, seal } from '../bytes/file-seal.ts';
import { sharedCopy } from '../bytes/shared-copy.ts';
import { jsonText } from '../json/json-text.ts';
import { readJson } from '../json/parsed.ts';
import { builtKey, readBatch, truthColumns } from './columns.ts';
import { callsJson } from './calls.ts';
import { readLabels } from './check.ts';
import { addContent } from './content.ts';
import type { TruthCall } from './calls.ts';
import type { TruthRecord, TruthTool } from './record.ts';

/** Keys of the schema metadata that `assay truth build` writes; `built` is "1". */
export const truthMetadata = {
  built: builtKey,
  rows: rowsKey,
  hash: `${programName}.hash`,
  seal: `${programName}.seal`,
} as const;

/** Collects truth records into a table, batch by batch; texts that repeat are stored once. */
export interface TruthBuilder {
  readonly rows: number;
  add(record: TruthRecord): void;
  /**
   * The table as the bytes of an uncompressed Arrow file, over a SharedArrayBuffer: one dictionary a column for all batches (other
   * readers refuse it any other way), row count, content hash and a seal in the schema metadata. The builder is done then.
   */
  finish(): Uint8Array;
}

/** The rows of the open batch lie on the heap. */
const batchRows = 4_096;
/** Offsets within a batch are 32-bit. */
const batchBytes = 2 ** 28;

/**
 * A builder without rows. Ids are not compared: one that occurs twice is found when the table is opened (or by
 * `truthLines`).
 */
export function truthBuilder(): TruthBuilder {
  const schema = arrowSchema(truthColumns);
  const columns = rowColumns(truthColumns, schema);
  const builder = {
    rows: 0,
    add(record: TruthRecord): void {
      builder.rows++;
      columns.add(arrowRow(record));
      if (columns.rows === batchRows || columns.bytes > batchBytes) columns.endBatch();
    },
    finish(): Uint8Array {
      const batches = used(columns.finish());
      const fields = new Schema(batches[0]!.type.children, schema.metadata);
      fields.metadata.set(truthMetadata.built, '1');
      fields.metadata.set(truthMetadata.rows, String(builder.rows));
      fields.metadata.set(truthMetadata.hash, contentOf(batches.map((batch) => new RecordBatch(fields, batch))));
      fields.metadata.set(truthMetadata.seal, blankSeal);
      const file = sharedCopy(arrowFileOf(fields, batches));
      seal(file);
      return file;
    },
  };
  return builder;
}

/** The Arrow file of some records, as `assay truth build` writes it. */
export function buildTruthTable(records: Iterable<TruthRecord>): Uint8Array {
  const builder = truthBuilder();
  for (const record of records) builder.add(record);
  return builder.finish();
}

/** Columns that few tables have, and that take bytes in each row of the others. */
const rare = ['accept', 'alternatives', 'forbidden'];

/** The batches without those of the rare columns that are null everywhere. */
function used(batches: readonly Data<Struct>[]): Data<Struct>[] {
  const unused = new Set(rare.filter((name) => batches.every((batch) => isUnused(batch, name))));
  return unused.size === 0 ? [...batches] : batches.map((batch) => without(batch, unused) as Data<Struct>);
}

function isUnused({ type, children }: Data, name: string): boolean {
  return children.every((child, at) => {
    const field: Field = type.children[at]!;
    return field.name === name ? child.nullCount === child.length : isUnused(child, name);
  });
}

function without(data: Data, names: ReadonlySet<string>): Data {
  const { type } = data;
  if (!DataType.isStruct(type) && !DataType.isList(type)) return data;
  const columns = type.children.flatMap((field: Field, at: number) => {
    if (names.has(field.name)) return [];
    const child = without(data.children[at]!, names);
    return [{ child, field: new Field(field.name, child.type, field.nullable) }];
  });
  const fields = columns.map(({ field }) => field);
  const children = columns.map(({ child }) => child);
  const narrower = DataType.isStruct(type) ? new Struct(fields) : new List(fields[0]!);
  return data.clone(narrower, data.offset, data.length, data.nullCount, data.buffers as never, children);
}

function arrowRow(record: TruthRecord): Readonly<Record<keyof TruthRecord, unknown>> {
  return {
    example_id: record.example_id,
    label: record.label,
    tools: record.tools?.map(arrowTool),
    expected_tool_calls: record.expected_tool_calls?.map(arrowCall),
    reference: record.reference,
    alternatives: record.alternatives && callsJson(record.alternatives),
    forbidden: record.forbidden,
  };
}

function arrowTool(tool: TruthTool): TruthTool {
  return tool.parameters === undefined ? tool : { name: tool.name, parameters: jsonText(tool.parameters) };
}

function arrowCall({ name, arguments: given, accept }: TruthCall): TruthCall {
  return { name, arguments: argumentsText(given), accept };
}

/** Text that is JSON already stays as it is, unless UTF-8 cannot hold it. */
function argumentsText(given: TruthCall['arguments']): string {
  if (typeof given !== 'string') return jsonText(given);
  return given.isWellFormed() ? given : jsonText(readJson(given));
}

/** The content hash that opening the file will find. */
function contentOf(batches: readonly RecordBatch[]): string {
  const words = new Uint32Array(4);
  const dictionaries = new Map();
  for (const one of batches) {
    const batch = readBatch('table', 0, one, dictionaries);
    const labels = new Uint8Array(batch.rows);
    readLabels('table', 0, batch, labels, 0);
    addContent(batch, labels, 0, words);
  }
  return hexadecimal(words);
}
