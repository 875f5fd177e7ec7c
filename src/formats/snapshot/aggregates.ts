import { metricPoints } from '../../view/metric-points.ts';
import type { View } from '../../view/summary.ts';
import { arrowFileOf } from '../arrow/file.ts';
import { arrowSchema, type Columns } from '../arrow/schema.ts';
import { rowColumns } from '../arrow/row-columns.ts';
import type { Steps } from '../../state/steps.ts';

/** Columns of an aggregate snapshot: one for each dimension of the configured sets among them, null where it is not part of the group. */
export function aggregateColumns(dimensions: readonly string[]): Columns {
  return {
    at: { kind: 'time', required: true },
    window: { kind: 'category', required: true },
    ...Object.fromEntries(dimensions.map((dimension) => [dimension, { kind: 'category' } as const])),
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
}

/**
 * A view as an Arrow file (docs/reference/outputs.md), in pieces: a row for each number of each group, family by family; `metric` is
 * the path within the family, without the label of `per_class`, `per_label` and `confusion`, which has a column of its own.
 * `sets` are the configured sets of dimensions. A group is a step.
 */
export function* aggregateSnapshot(
  view: View,
  asOfMs: number,
  sets: readonly (readonly string[])[],
  metadata?: ReadonlyMap<string, string>,
): Steps<Uint8Array[]> {
  const all = [...new Set(sets.flat())];
  const columns = aggregateColumns(all);
  const schema = arrowSchema(columns, metadata);
  const rows = rowColumns(columns, schema);
  for (const { dimensions, values, window, blocks } of view.groups) {
    const slice = Object.fromEntries(dimensions.map((dimension, at) => [dimension, values[at]!]));
    for (const point of metricPoints(blocks)) rows.add({ at: asOfMs, window, ...slice, ...point });
    yield;
  }
  return arrowFileOf(schema, rows.finish());
}
