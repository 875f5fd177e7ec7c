import { type Data, type DataType, makeData, Schema, Struct, tableFromIPC } from 'apache-arrow';
import { describeArrow } from '../arrow/description.ts';
import { arrowFile } from '../arrow/file.ts';
import { arrowSchema, type ColumnKind, type Columns } from '../arrow/schema.ts';
import { declarations } from '../../scoring/families.ts';
import type { AnyDeclaration } from '../../scoring/family.ts';
import type { RowField, RowFields } from '../../scoring/row.ts';
import { eventColumns, growingEvents } from './event-columns.ts';
import { type PartColumns, sharedParts } from './part-columns.ts';
import type { ScoredRow } from './score-row.ts';

/** Columns of score rows (docs/reference/outputs.md) of some families. A family that is disabled or does not apply is null. */
export function scoreColumnsOf(families: readonly AnyDeclaration[]): Columns {
  return { ...eventColumns, ...partColumnsOf(families) };
}

function partColumnsOf(families: readonly AnyDeclaration[]): Columns {
  const parts = families
    .filter(({ unit }) => unit === 'event')
    // A family that was not skipped does not say so.
    .map(({ name, row }) => [name, struct({ skipped: { kind: 'bool', absent: false }, ...columnsOf(row) })] as const);
  return {
    success: { kind: 'bool' },
    expected_calls: { kind: 'int32' },
    predicted_calls: { kind: 'int32' },
    expected_tools: { kind: { list: 'utf8' } },
    predicted_tools: { kind: { list: 'utf8' } },
    ...Object.fromEntries(parts),
  };
}

const plainKinds = {
  flag: 'bool',
  count: 'int32',
  place: 'int32',
  number: 'float64',
  text: 'utf8',
  json: 'json',
} as const;

function columnsOf(fields: RowFields<unknown>): Columns {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, { kind: kindOf(field) }]));
}

function kindOf(field: RowField<unknown>): ColumnKind {
  if (field.kind === 'struct') return { struct: columnsOf(field.fields) };
  if (field.kind === 'structs') return { list: { struct: columnsOf(field.fields) } };
  return field.kind === 'texts' ? { list: 'utf8' } : plainKinds[field.kind];
}

function struct(fields: Columns): { readonly kind: ColumnKind } {
  return { kind: { struct: fields } };
}

/** Score rows that become an Arrow file, in bounded memory where its bytes are taken now and then. */
export interface ScoreFile {
  readonly rows: number;
  /** Rows of which no byte was taken. */
  readonly held: number;
  add(row: ScoredRow): void;
  /** Bytes of whole batches since the last call, in pieces. */
  take(): Uint8Array[];
  /** Bytes of all rows since the last call: their last batch is cut short. */
  takeAll(): Uint8Array[];
  /** Ends the file and gives its last bytes. */
  finish(): Uint8Array[];
}

/** Building a batch holds the event loop: some 10 ms for so many. */
const batchRows = 2_048;
const batchBytes = 32 * 1024 * 1024;

const scoreColumns = scoreColumnsOf(declarations);
const partsOfAll = sharedParts(partColumnsOf(declarations));

/** A file of score rows without rows. */
export function scoreFile(): ScoreFile {
  const schema = arrowSchema(scoreColumns);
  const file = arrowFile(schema);
  const batch = openBatch(schema);
  const scores = {
    rows: 0,
    held: 0,
    add(row: ScoredRow): void {
      batch.add(row);
      scores.rows++;
      scores.held++;
      if (batch.rows() >= batchRows || batch.bytes() >= batchBytes) file.write([batch.end()]);
    },
    take(): Uint8Array[] {
      scores.held = batch.rows();
      return file.take();
    },
    takeAll(): Uint8Array[] {
      if (batch.rows() > 0) file.write([batch.end()]);
      return scores.take();
    },
    finish(): Uint8Array[] {
      const pieces = scores.takeAll();
      file.finish();
      return [...pieces, ...file.take()];
    },
  };
  return scores;
}

/** Rows that become a batch of a file. */
function openBatch(schema: Schema) {
  const events = growingEvents();
  let parts: PartColumns | undefined;
  let places: number[] = [];
  let partBytes = 0;
  return {
    rows: () => places.length,
    bytes: () => events.bytes + partBytes,
    add(row: ScoredRow): void {
      parts ??= partsOfAll();
      const place = parts.placeOf(row);
      places.push(place);
      partBytes += parts.bytesAt(place);
      events.add(row.event);
    },
    end(): Data<Struct> {
      const children = [...events.take(), ...parts!.take(places)];
      const length = places.length;
      [parts, places, partBytes] = [undefined, [], 0];
      return makeData({ type: new Struct(schema.fields), length, nullCount: 0, children });
    },
  };
}

/** Text that is the same for files of score rows of one release. */
export function scoresSchemaText(bytes: Uint8Array): string {
  return JSON.stringify(describeArrow(tableFromIPC(bytes).schema));
}

/** What a file of score rows says of itself. */
export function scoresMetadata(bytes: Uint8Array): Record<string, string> {
  return Object.fromEntries(tableFromIPC(bytes).schema.metadata);
}

/** Files of score rows of one release as one file, in pieces. */
export function mergedScores(
  files: readonly Uint8Array[],
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array[] {
  const tables = files.map((bytes) => tableFromIPC<Readonly<Record<string, DataType>>>(bytes));
  const merged = arrowFile(new Schema(tables[0]!.schema.fields, new Map(Object.entries(metadata))));
  for (const { batches } of tables) merged.write(batches.map(({ data }) => data));
  merged.finish();
  return merged.take();
}
