import { declarations, metricName } from '../scoring/families.ts';
import type { AnyDeclaration } from '../scoring/family.ts';
import { isObject } from '../scoring/json.ts';
import type { Metrics, About } from '../scoring/metric.ts';
import type { Blocks } from './summary.ts';

/**
 * One number of a group's blocks, as Prometheus and the aggregate snapshots carry it: one row a point.
 *
 * | metric | value | lower, upper | numerator | denominator |
 * |---|---|---|---|---|
 * | rate | value | interval | numerator | denominator |
 * | mean | value | null | null (its sum is a fraction; a column of integers cannot hold it) | count |
 * | estimate | value | interval | null | null |
 * | number, count | itself | null | null | null |
 */
export interface MetricPoint {
  readonly family: string;
  /** As Prometheus and the rules know it (`metricName`). */
  readonly name: string;
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

interface PointPlace extends Pick<MetricPoint, 'name' | 'metric' | 'label' | 'predicted'> {
  /** Keys from the block on. */
  readonly keys: readonly string[];
  /** `numbered`: the value there is a record of means, whose keys are numbers. */
  readonly kind: 'rate' | 'mean' | 'number' | 'estimate' | 'count' | 'numbered';
  readonly about: About;
}

/** The points of families, in their order. Bands are texts, and breakdowns have names from the data: they give none. */
export function pointPlan(families: readonly AnyDeclaration[]): PointPlan {
  return families.map(({ name, metrics }) => ({ family: name, places: placesOf(name, metrics, [], undefined) }));
}

function placesOf(
  family: string,
  metrics: Metrics<unknown>,
  above: readonly string[],
  label: string | undefined,
): PointPlace[] {
  const within = (inner: Metrics<unknown>, keys: readonly string[], name = label) =>
    placesOf(family, inner, keys, name);
  return Object.entries(metrics).flatMap(([key, metric]): PointPlace[] => {
    const keys = [...above, key];
    // The label stands behind the first key, and not in the path.
    const path = (label === undefined ? keys : keys.toSpliced(1, 1)).join('.');
    const place = { name: metricName(family, keys), metric: path, label, predicted: undefined, keys };
    switch (metric.kind) {
      case 'group':
        return within(metric.metrics, keys);
      case 'labels':
        return (metric.isOpen ? [anyLabel] : metric.names).flatMap((name) =>
          within(metric.metrics, [...keys, name], name),
        );
      case 'band':
      case 'breakdown':
        return [];
      case 'matrix':
        return metric.rows.flatMap((row) =>
          metric.columns.map((predicted) => ({
            ...place,
            label: row,
            predicted,
            keys: [...keys, row, predicted],
            kind: 'count' as const,
            about: metric,
          })),
        );
      default:
        return [{ ...place, kind: metric.kind, about: metric }];
    }
  });
}

/** Stands for each of the labels that the configuration names. */
export const anyLabel = '<name>';

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
    for (const place of places)
      for (const named of namedPlaces(family, place, blocks[family]))
        addPoints(points, family, named, valueAt(blocks[family], named.keys));
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

/** Returns whether a name stands for a point: it is its name, the beginning of it up to a `_`, or its family. */
export function isNamed(name: string, family: string, point: string): boolean {
  return name === family || name === point || point.startsWith(`${name}_`);
}

/** A place for each label of a block, where the configuration names them. */
function namedPlaces(family: string, place: PointPlace, block: unknown): readonly PointPlace[] {
  if (place.label !== anyLabel) return [place];
  const at = place.keys.indexOf(anyLabel);
  const labelled = valueAt(block, place.keys.slice(0, at));
  return (isObject(labelled) ? Object.keys(labelled) : []).map((label) => {
    const keys = place.keys.with(at, label);
    return { ...place, label, keys, name: metricName(family, keys) };
  });
}

function valueAt(block: unknown, keys: readonly string[]): unknown {
  let at = block;
  for (const key of keys) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

function addPoints(points: MetricPoint[], family: string, place: PointPlace, value: unknown): void {
  const { name, metric, kind } = place;
  if (value === undefined) return;
  if (kind !== 'numbered') points.push(pointOf(family, place, value));
  else if (isObject(value))
    for (const key of Object.keys(value))
      points.push(pointOf(family, { ...place, name: `${name}_${key}`, metric: `${metric}.${key}` }, value[key]));
}

function pointOf(family: string, { name, metric, label, predicted }: PointPlace, read: unknown): MetricPoint {
  const numbers: { readonly [key: string]: unknown } = isObject(read) ? read : { value: read };
  return {
    family,
    name,
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
