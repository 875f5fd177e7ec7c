import { isObject } from '../scoring/json.ts';
import type { Blocks } from './summary.ts';

/**
 * One number of a group's blocks, as Prometheus and the aggregate snapshots carry it: one row a point.
 *
 * | block value | value | lower, upper | numerator | denominator |
 * |---|---|---|---|---|
 * | rate | value | interval | numerator | denominator |
 * | mean | value | null | null (its sum is a fraction; a column of integers cannot hold it) | count |
 * | number | itself | null | null | null |
 */
export interface MetricPoint {
  readonly family: keyof Blocks;
  /** Path within the family without its label: `strict.f1`, `pass_hat_k.2`, `per_class.recall`, `confusion`. */
  readonly metric: string;
  /** The label of `per_class` and `per_label`; the gold label of a cell of `confusion`. */
  readonly label: string | undefined;
  /** The predicted label of a cell of `confusion`. */
  readonly predicted: string | undefined;
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly numerator: number | null;
  readonly denominator: number | null;
}

/**
 * The numbers of a group, family by family in the order of its blocks. Bands (text) and breakdowns (their keys are
 * names from the data) are left out; a family whose block is null has none; a number that is null stays, with value
 * null.
 *
 * Example: `{decision: {n: 2, accuracy: {value: 0.5, numerator: 1, denominator: 2, lower, upper}, per_class: {direct:
 * {f1: 1}}}}` gives the metrics `n`, `accuracy` and `per_class.f1` with label `direct`.
 */
export function metricPoints(blocks: Blocks): MetricPoint[] {
  const points: MetricPoint[] = [];
  for (const family of Object.keys(blocks) as (keyof Blocks)[]) {
    const block = blocks[family];
    if (!isObject(block)) continue;
    for (const key of Object.keys(block)) addField(points, family, key, block[key]);
  }
  return points;
}

/**
 * Path of a point within its family's block of the summary: `strict.f1`, `per_class.tool_call.recall`,
 * `confusion.direct.invalid`.
 */
export function summaryPath({ metric, label, predicted }: MetricPoint): string {
  if (label === undefined) return metric;
  if (predicted !== undefined) return `${metric}.${label}.${predicted}`;
  const dot = metric.indexOf('.');
  return `${metric.slice(0, dot)}.${label}${metric.slice(dot)}`;
}

/** Fields of a block that hold no points: texts, and records whose keys are names from the data. */
const leftOut: ReadonlySet<string> = new Set([
  'band',
  'parameter_mismatches',
  'tools',
  'by_call_count',
  'by_combination',
  'missing_tools',
  'extra_tools',
]);

function addField(points: MetricPoint[], family: keyof Blocks, key: string, field: unknown): void {
  if (leftOut.has(key)) return;
  if (key === 'confusion' && isObject(field)) {
    for (const gold of Object.keys(field)) addCells(points, family, gold, field[gold]);
  } else if ((key === 'per_class' || key === 'per_label') && isObject(field)) {
    for (const label of Object.keys(field))
      addPoints(points, { family, metric: key, label, predicted: undefined }, field[label]);
  } else {
    addPoints(points, { family, metric: key, label: undefined, predicted: undefined }, field);
  }
}

/** Cells of one gold label of `confusion`. */
function addCells(points: MetricPoint[], family: keyof Blocks, gold: string, row: unknown): void {
  if (!isObject(row)) return;
  for (const predicted of Object.keys(row)) {
    addPoints(points, { family, metric: 'confusion', label: gold, predicted }, row[predicted]);
  }
}

type Place = Pick<MetricPoint, 'family' | 'metric' | 'label' | 'predicted'>;

/** Adds the point, or the points of a record, at a place. */
function addPoints(points: MetricPoint[], place: Place, value: unknown): void {
  if (value === null || typeof value === 'number') points.push(pointOf(place, value, {}));
  else if (!isObject(value)) return;
  else if (Object.hasOwn(value, 'numerator')) points.push(pointOf(place, value['value'], value));
  else if (Object.hasOwn(value, 'sum') && Object.hasOwn(value, 'count')) {
    points.push(pointOf(place, value['value'], { denominator: value['count'] }));
  } else {
    for (const key of Object.keys(value)) {
      if (!leftOut.has(key)) addPoints(points, { ...place, metric: `${place.metric}.${key}` }, value[key]);
    }
  }
}

function pointOf(place: Place, value: unknown, numbers: { readonly [key: string]: unknown }): MetricPoint {
  return {
    family: place.family,
    metric: place.metric,
    label: place.label,
    predicted: place.predicted,
    value: numberOrNull(value),
    lower: numberOrNull(numbers['lower']),
    upper: numberOrNull(numbers['upper']),
    numerator: numberOrNull(numbers['numerator']),
    denominator: numberOrNull(numbers['denominator']),
  };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
