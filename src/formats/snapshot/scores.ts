import { arrowFile } from '../arrow/file.ts';
import { arrowSchema, type ColumnKind, type Columns } from '../arrow/schema.ts';
import { rowColumns } from '../arrow/row-columns.ts';
import type { ScoreRow } from './score-row.ts';

const text = { kind: 'utf8' } as const;
const flag = { kind: 'bool' } as const;
const count = { kind: 'int32' } as const;
const number = { kind: 'float64' } as const;
const texts = { kind: { list: 'utf8' } } as const;

function struct(fields: Columns): { readonly kind: ColumnKind } {
  return { kind: { struct: fields } };
}

function family(fields: Columns): { readonly kind: ColumnKind } {
  // A family that was not skipped does not say so.
  return struct({ skipped: { kind: 'bool', absent: false }, ...fields });
}

const matched = struct({ f1: number, tp: count, fp: count, fn: count });
const course = struct({ success: flag, name: number, param: number, order: number, overall: number });
const mismatch: Columns = { tool: text, parameter: text, expected: { kind: 'json' }, actual: { kind: 'json' } };

/** Columns of score rows (spec: outputs, sections 3 and 4). A family that is disabled or does not apply is null. */
export const scoreColumns: Columns = {
  event_id: text,
  example_id: { kind: 'utf8', required: true },
  ts: { kind: 'time', required: true },
  model: { kind: 'utf8', required: true },
  agent: { kind: 'utf8', required: true },
  run: { kind: 'int64' },
  source: struct({
    topic: text,
    partition: count,
    offset: { kind: 'int64' },
    file: text,
    line: { kind: 'int64' },
  }),
  decision: family({ gold: text, predicted: text, label_status: text, correct: flag, hallucinations: texts }),
  tool_calls: family({ strict: matched, flexible: matched }),
  trajectory: family({
    strict: course,
    flexible: course,
    missing: texts,
    extra: texts,
    mismatches: { kind: { list: { struct: mismatch } } },
  }),
  schema: family({
    selection: flag,
    parameters: flag,
    execution: flag,
    expected_tool: text,
    predicted_tool: text,
    error: text,
  }),
  arguments: family({
    valid_call: flag,
    name_match: flag,
    args_exact: flag,
    call_exact: flag,
    tp: count,
    fp: count,
    fn: count,
    issues: texts,
  }),
  structured: family({ json_valid: flag, exact_match: flag, tp: count, fp: count, fn: count, issues: texts }),
};

/** Score rows that become an Arrow file, in bounded memory where its bytes are taken now and then. */
export interface ScoreFile {
  readonly rows: number;
  /** Rows of which no byte was taken. */
  readonly held: number;
  add(row: ScoreRow): void;
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

/** A file of score rows without rows. */
export function scoreFile(): ScoreFile {
  const schema = arrowSchema(scoreColumns);
  const file = arrowFile(schema);
  const open = rowColumns(scoreColumns, schema);
  const scores = {
    rows: 0,
    held: 0,
    add(row: ScoreRow): void {
      open.add(row);
      scores.rows++;
      scores.held++;
      if (open.rows >= batchRows || open.bytes >= batchBytes) file.write(open.finish());
    },
    take(): Uint8Array[] {
      scores.held = open.rows;
      return file.take();
    },
    takeAll(): Uint8Array[] {
      if (open.rows > 0) file.write(open.finish());
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
