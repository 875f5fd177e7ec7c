import { MapRow, StructRow, tableFromIPC } from 'apache-arrow';
import type { RowPart } from '../../scoring/metric.ts';

/** The rows of an Arrow file of scores, their parts as objects, their lists as Arrow has them; undefined where the bytes are no file of scores. */
export function scoreRowsOfArrow(bytes: Uint8Array): Iterable<RowPart> | undefined {
  try {
    const table = tableFromIPC(bytes);
    return table.getChild('example_id') === null ? undefined : rowsOf(table);
  } catch {
    return undefined;
  }
}

function* rowsOf(table: Iterable<unknown>): Generator<RowPart> {
  for (const row of table) yield plain(row) as RowPart;
}

function plain(value: unknown): unknown {
  if (!(value instanceof StructRow || value instanceof MapRow)) return value;
  return Object.fromEntries(Object.entries(value.toJSON()).map(([key, field]) => [key, plain(field)]));
}
