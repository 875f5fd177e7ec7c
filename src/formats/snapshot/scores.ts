import { type DataType, Schema, tableFromIPC } from 'apache-arrow';
import { arrowFile } from '../arrow/file.ts';
import { rowColumns } from '../arrow/row-columns.ts';
import { arrowSchema, type ColumnKind, type Columns } from '../arrow/schema.ts';
import { declarations } from '../../scoring/families.ts';
import type { AnyDeclaration } from '../../scoring/family.ts';
import type { RowField, RowFields } from '../../scoring/row.ts';
import type { ScoreRow } from './score-row.ts';

/** Columns of the event itself. */
const eventColumns: Columns = {
  event_id: { kind: 'utf8' },
  example_id: { kind: 'utf8', required: true },
  ts: { kind: 'time', required: true },
  model: { kind: 'utf8', required: true },
  agent: { kind: 'utf8', required: true },
  run: { kind: 'int64' },
  scored: { kind: 'bool', required: true },
  source: struct({
    topic: { kind: 'utf8' },
    partition: { kind: 'int32' },
    offset: { kind: 'int64' },
    file: { kind: 'utf8' },
    line: { kind: 'int64' },
  }),
  tags: { kind: { map: 'utf8' }, required: true },
  success: { kind: 'bool' },
  expected_calls: { kind: 'int32' },
  predicted_calls: { kind: 'int32' },
  expected_tools: { kind: { list: 'utf8' } },
  predicted_tools: { kind: { list: 'utf8' } },
  calls: { kind: { list: { struct: { name: { kind: 'utf8' }, ok: { kind: 'bool' } } } } },
  steps: { kind: 'int32', required: true },
  run_seconds: { kind: 'float64' },
};

/** Columns of score rows (docs/reference/outputs.md) of some families. A family that is disabled or does not apply is null. */
export function scoreColumnsOf(families: readonly AnyDeclaration[]): Columns {
  const parts = families
    .filter(({ unit }) => unit === 'event')
    // A family that was not skipped does not say so.
    .map(({ name, row }) => [name, struct({ skipped: { kind: 'bool', absent: false }, ...columnsOf(row) })] as const);
  return { ...eventColumns, ...Object.fromEntries(parts) };
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
  add(row: ScoreRow): void;
  /** Returns the bytes of whole batches since the last call, in pieces. */
  take(): Uint8Array[];
  /** Ends the file and returns its last bytes. */
  finish(): Uint8Array[];
}

/** Each partition has an open batch on the heap, and making its columns blocks the event loop. */
const batchRows = 512;
const batchBytes = 32 * 1024 * 1024;

const scoreColumns = scoreColumnsOf(declarations);

/** Begins a file of score rows. */
export function scoreFile(): ScoreFile {
  const schema = arrowSchema(scoreColumns);
  const file = arrowFile(schema);
  const columns = rowColumns(scoreColumns, schema);
  const scores = {
    rows: 0,
    add(row: ScoreRow): void {
      columns.add(row);
      scores.rows++;
      if (columns.rows >= batchRows || columns.bytes >= batchBytes) file.write(columns.finish());
    },
    take: () => file.take(),
    finish(): Uint8Array[] {
      if (columns.rows > 0) file.write(columns.finish());
      file.finish();
      return file.take();
    },
  };
  return scores;
}

/** Arrow files of score rows of one release as one file, in pieces. */
export function joinedScores(
  files: readonly Uint8Array[],
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array[] {
  const tables = files.map((bytes) => tableFromIPC<Readonly<Record<string, DataType>>>(bytes));
  const joined = arrowFile(new Schema(tables[0]!.schema.fields, new Map(Object.entries(metadata))));
  for (const { batches } of tables) joined.write(batches.map(({ data }) => data));
  joined.finish();
  return joined.take();
}
