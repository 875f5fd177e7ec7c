import { declarations } from '../scoring/families.ts';
import type { AnyDeclaration } from '../scoring/family.ts';
import { isObject } from '../scoring/json.ts';
import type { Metrics, Told } from '../scoring/metric.ts';
import type { Blocks } from './summary.ts';

/**
 * One number of a group's blocks, as Prometheus and the aggregate snapshots carry it: one row a point.
 *
 * | metric | value | lower, upper | numerator | denominator |
 * |---|---|---|---|---|
 * | rate | value | interval | numerator | denominator |
 * | mean | value | null | null (its sum is a fraction; a column of integers cannot hold it) | count |
 * | number, count | itself | null | null | null |
 */
export interface MetricPoint {
  readonly family: string;
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

/** Where the points of some families lie in their blocks. */
export type PointPlan = readonly { readonly family: string; readonly places: readonly PointPlace[] }[];

interface PointPlace extends Pick<MetricPoint, 'metric' | 'label' | 'predicted'> {
  /** Keys from the block on. */
  readonly keys: readonly string[];
  /** `numbered`: the value there is a record of means, whose keys are numbers. */
  readonly kind: 'rate' | 'mean' | 'number' | 'numbered';
  readonly told: Told;
}

/** The points of families, in their order. Bands are texts, and breakdowns have names from the data: they give none. */
export function pointPlan(families: readonly AnyDeclaration[]): PointPlan {
  return families.map(({ name, metrics }) => ({ family: name, places: placesOf(metrics, [], undefined) }));
}

function placesOf(metrics: Metrics<unknown>, above: readonly string[], label: string | undefined): PointPlace[] {
  return Object.entries(metrics).flatMap(([key, metric]): PointPlace[] => {
    const keys = [...above, key];
    // The label stands behind the first key, and not in the name.
    const named = label === undefined ? keys : keys.toSpliced(1, 1);
    const place = { metric: named.join('.'), label, predicted: undefined, keys, kind: 'number' as const };
    if (metric.kind === 'group') return placesOf(metric.metrics, keys, label);
    if (metric.kind === 'labels')
      return metric.names.flatMap((name) => placesOf(metric.metrics, [...keys, name], name));
    const told = metric;
    switch (metric.kind) {
      case 'band':
      case 'breakdown':
        return [];
      case 'matrix':
        return metric.rows.flatMap((row) =>
          metric.columns.map((predicted) => ({
            ...place,
            told,
            label: row,
            predicted,
            keys: [...keys, row, predicted],
          })),
        );
      default:
        return [{ ...place, told, kind: metric.kind === 'count' ? 'number' : metric.kind }];
    }
  });
}

const everyPoint = pointPlan(declarations);

/**
 * The numbers of a group, family by family in the order of their declarations. A family whose block is null has none; a number that is
 * null stays, with value null.
 *
 * Example: `{decision: {n: 2, accuracy: {value: 0.5, numerator: 1, denominator: 2, lower, upper}, per_class: {direct:
 * {f1: 1}}}}` gives the metrics `n`, `accuracy` and `per_class.f1` with label `direct`.
 */
export function metricPoints(blocks: Blocks, plan: PointPlan = everyPoint): MetricPoint[] {
  const points: MetricPoint[] = [];
  for (const { family, places } of plan) {
    const block = blocks[family];
    if (block === undefined || block === null) continue;
    for (const place of places) addPoints(points, family, place, valueAt(block, place.keys));
  }
  return points;
}

/**
 * Path of a point within its family's block of the summary: `strict.f1`, `per_class.tool_call.recall`,
 * `confusion.direct.invalid`.
 */
export function summaryPath({ metric, label, predicted }: Pick<MetricPoint, 'metric' | 'label' | 'predicted'>): string {
  if (label === undefined) return metric;
  if (predicted !== undefined) return `${metric}.${label}.${predicted}`;
  const dot = metric.indexOf('.');
  return `${metric.slice(0, dot)}.${label}${metric.slice(dot)}`;
}

function valueAt(block: unknown, keys: readonly string[]): unknown {
  let at = block;
  for (let i = 0; i < keys.length && at !== undefined; i++)
    at = isObject(at) && Object.hasOwn(at, keys[i]!) ? at[keys[i]!] : undefined;
  return at;
}

function addPoints(points: MetricPoint[], family: string, place: PointPlace, value: unknown): void {
  if (value === undefined) return;
  if (place.kind !== 'numbered') points.push(pointOf(family, place, place.metric, value));
  else if (isObject(value))
    for (const key of Object.keys(value)) points.push(pointOf(family, place, `${place.metric}.${key}`, value[key]));
}

function pointOf(family: string, { label, predicted }: PointPlace, metric: string, read: unknown): MetricPoint {
  const numbers: { readonly [key: string]: unknown } = isObject(read) ? read : { value: read };
  return {
    family,
    metric,
    label,
    predicted,
    value: numberOrNull(numbers['value']),
    lower: numberOrNull(numbers['lower']),
    upper: numberOrNull(numbers['upper']),
    numerator: numberOrNull(numbers['numerator']),
    denominator: numberOrNull(numbers['denominator'] ?? numbers['count']),
  };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}
