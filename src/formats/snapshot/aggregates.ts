import { metricPoints } from '../../view/metric-points.ts';
import type { View } from '../../view/summary.ts';
import { arrowFileOf } from '../arrow/file.ts';
import { arrowSchema, type Columns } from '../arrow/schema.ts';
import { rowColumns } from '../arrow/row-columns.ts';
import { sliceOf } from '../summary/watch-document.ts';

/** Columns of a row: a number of a group. */
const pointColumns: Columns = {
  family: { kind: 'category', required: true },
  metric: { kind: 'category', required: true },
  label: { kind: 'category' },
  predicted: { kind: 'category' },
  value: { kind: 'float64' },
  lower: { kind: 'float64' },
  upper: { kind: 'float64' },
  numerator: { kind: 'int64' },
  denominator: { kind: 'int64' },
};

/** Columns of an aggregate snapshot: one for each dimension of the configured sets among them, null where it is not part of the group. */
export function aggregateColumns(dimensions: readonly string[]): Columns {
  return {
    at: { kind: 'time', required: true },
    window: { kind: 'category', required: true },
    ...Object.fromEntries(dimensions.map((dimension) => [dimension, { kind: 'category' } as const])),
    ...pointColumns,
  };
}

/** Columns of aggregates for the lake: the same whatever is configured, and none of their names is a reserved word. */
export const lakeColumns: Columns = {
  as_of: { kind: 'time', required: true },
  window_name: { kind: 'category', required: true },
  dimensions: { kind: 'category', required: true },
  slice: { kind: { map: 'utf8' }, required: true },
  ...pointColumns,
  instance: { kind: 'category', required: true },
  partitions: { kind: 'category', required: true },
};

/** Instance that wrote the aggregates, and its partitions, joined by comma. */
export interface AggregateSource {
  readonly instance: string;
  readonly partitions: string;
}

/**
 * A view as an Arrow file (docs/reference/outputs.md), in pieces: a row for each number of each group, family by family; `metric` is
 * the path within the family, without the label of `per_class`, `per_label` and `confusion`, which has a column of its own.
 * `sets` are the configured sets of dimensions.
 */
export function aggregateSnapshot(
  view: View,
  asOfMs: number,
  sets: readonly (readonly string[])[],
  metadata?: ReadonlyMap<string, string>,
): Uint8Array[] {
  const all = [...new Set(sets.flat())];
  const columns = aggregateColumns(all);
  return fileOf(view, columns, metadata, ({ dimensions, values, window }) => ({
    at: asOfMs,
    window,
    ...sliceOf({ dimensions, values }),
  }));
}

/** A view as an Arrow file with the columns of the lake. */
export function lakeSnapshot(view: View, asOfMs: number, source: AggregateSource): Uint8Array[] {
  return fileOf(view, lakeColumns, undefined, ({ dimensions, values, window }) => ({
    as_of: asOfMs,
    window_name: window,
    dimensions: dimensions.join(),
    slice: sliceOf({ dimensions, values }),
    ...source,
  }));
}

/** Rows of a batch. */
const batchRows = 2_048;

function fileOf(
  view: View,
  columns: Columns,
  metadata: ReadonlyMap<string, string> | undefined,
  placeOf: (group: View['groups'][number]) => object,
): Uint8Array[] {
  const schema = arrowSchema(columns, metadata);
  const rows = rowColumns(columns, schema);
  for (const group of view.groups) {
    const place = placeOf(group);
    for (const point of metricPoints(group.blocks())) rows.add({ ...place, ...point });
    if (rows.rows >= batchRows) rows.endBatch();
  }
  return arrowFileOf(schema, rows.finish());
}
