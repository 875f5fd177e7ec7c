import { declarations } from '../../scoring/families.ts';
import { isObject } from '../../scoring/json.ts';
import type { Metric, Metrics, NumberMetric, RowPart } from '../../scoring/metric.ts';
import { meanOf, type RateOf, rateWith, z95 } from '../../scoring/reading.ts';
import type { PlainGroup } from '../summary/summary-document.ts';
import { getOrPut } from '../../state/containers/get-or-put.ts';

/**
 * The groups of several aggregate snapshots, which hold different partitions, as one: counts, and the sums and counts of rates and means, are added;
 * other numbers are read from the counts beside them. Estimates of all traffic cannot be added: they are null.
 *
 * Example: accuracy 9/10 and 1/2 is 10/12, with the interval of 12 events at the confidence level that the snapshots have.
 */
export function addedGroups(parts: readonly (readonly PlainGroup[])[]): readonly PlainGroup[] {
  if (parts.length === 1) return parts[0]!;
  const rate = rateWith(zOf(parts.flat()) ?? z95);
  const alike = new Map<string, PlainGroup[]>();
  for (const group of parts.flat())
    getOrPut(alike, JSON.stringify([Object.entries(group.slice), group.window]), () => []).push(group);
  return [...alike.values()].map((groups) => (groups.length === 1 ? groups[0]! : added(groups, rate)));
}

function added(groups: readonly PlainGroup[], rate: RateOf): PlainGroup {
  const families = declarations.flatMap(({ name, metrics }) => {
    const blocks = groups.map((group) => group[name]).filter(isObject);
    return blocks.length === 0 ? [] : [[name, addedFamily(metrics, blocks, rate)] as const];
  });
  const { slice, window } = groups[0]!;
  return { slice, window, ...Object.fromEntries(families) };
}

function addedFamily(metrics: Metrics<unknown>, blocks: readonly RowPart[], rate: RateOf): RowPart {
  const late: (() => void)[] = [];
  const block = addedBlock(metrics, blocks, { rate, late, block: () => block, label: -1 });
  // Numbers are read from the counts, which are added now.
  for (const fill of late) fill();
  return block;
}

interface Adding {
  readonly rate: RateOf;
  /** Work that is done when everything else is added. */
  readonly late: (() => void)[];
  /** The block of the family. */
  block(): RowPart;
  /** Number of the label of the metrics. */
  readonly label: number;
}

function addedBlock(metrics: Metrics<unknown>, blocks: readonly RowPart[], adding: Adding): RowPart {
  const made: Record<string, unknown> = {};
  for (const [key, metric] of Object.entries(metrics)) {
    const values = blocks.flatMap((block) => (Object.hasOwn(block, key) ? [block[key]] : []));
    if (values.length === 0) continue;
    if (metric.kind === 'number') {
      made[key] = null;
      adding.late.push(() => void (made[key] = numberOf(metric, { key, made, blocks }, adding)));
    } else {
      const value = addedValue(metric, values, adding);
      if (value !== undefined) made[key] = value;
    }
  }
  return made;
}

function addedValue(metric: Metric<unknown>, values: readonly unknown[], adding: Adding): unknown {
  const parts = values.filter(isObject);
  switch (metric.kind) {
    case 'rate':
      return orFirst(adding.rate(sumOf(parts, 'numerator'), sumOf(parts, 'denominator')), parts);
    case 'mean':
      return orFirst(meanOf(sumOf(parts, 'sum'), sumOf(parts, 'count')), parts);
    case 'count':
      return metric.isOption ? values[0] : values.reduce<number>((sum, value) => sum + countOf(value), 0);
    case 'matrix':
      return named(metric.rows, (row) =>
        named(metric.columns, (column) => sumOf(parts.map((part) => part[row]).filter(isObject), column)),
      );
    case 'numbered':
      return named([...new Set(parts.flatMap(Object.keys))], (key) => {
        const means = parts.map((part) => part[key]).filter(isObject);
        return meanOf(sumOf(means, 'sum'), sumOf(means, 'count'));
      });
    case 'group':
      return addedBlock(metric.metrics, parts, adding);
    case 'labels':
      return named(metric.isOpen ? [...new Set(parts.flatMap(Object.keys))] : metric.names, (name, label) =>
        addedBlock(metric.metrics, parts.map((part) => part[name]).filter(isObject), { ...adding, label }),
      );
    case 'estimate':
      return { value: null, lower: null, upper: null };
    default:
      return undefined;
  }
}

/** The surroundings of a number: its key, the values added beside it, and the parts. */
interface Place {
  readonly key: string;
  readonly made: RowPart;
  readonly blocks: readonly RowPart[];
}

function numberOf(
  metric: NumberMetric<unknown>,
  { key, made, blocks }: Place,
  { block, label }: Adding,
): number | null {
  const { ofBlock, weight, counted } = metric;
  if (ofBlock !== undefined) return ofBlock({ beside: made, block: block(), label }) ?? null;
  if (counted !== undefined) {
    const counts = counted.ofBlock(block());
    return counts === undefined ? null : counted.of(counts);
  }
  if (weight === undefined) return null;
  const known = blocks.filter((part) => typeof part[key] === 'number');
  const all = sumOf(known, weight);
  return all === 0 ? null : known.reduce((sum, part) => sum + countOf(part[key]) * countOf(part[weight]), 0) / all;
}

/** A metric may have a value at 0/0. */
function orFirst<Value extends { readonly value: number | null }>(read: Value, parts: readonly RowPart[]): Value {
  return read.value === null && typeof parts[0]?.['value'] === 'number' ? { ...read, value: parts[0]['value'] } : read;
}

function sumOf(parts: readonly RowPart[], key: string): number {
  return parts.reduce((sum, part) => sum + countOf(part[key]), 0);
}

function countOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function named<T>(names: readonly string[], of: (name: string, index: number) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(names.map((name, index) => [name, of(name, index)]));
}

/**
 * The confidence level, in standard deviations, of the Wilson interval of the rate that rests on most: its lower end l is where
 * |x/n - l| = z sqrt(l (1 - l) / n). Undefined where there is none.
 */
function zOf(groups: readonly PlainGroup[]): number | undefined {
  const rates = groups
    .flatMap((group) => Object.values(group).filter(isObject).flatMap(Object.values))
    .filter(isObject);
  let best: { readonly n: number; readonly z: number } | undefined;
  for (const { value, lower, denominator } of rates) {
    if (typeof value !== 'number' || typeof lower !== 'number' || typeof denominator !== 'number') continue;
    if (lower <= 0 || lower >= value || denominator <= (best?.n ?? 0)) continue;
    best = { n: denominator, z: (value - lower) / Math.sqrt((lower * (1 - lower)) / denominator) };
  }
  return best?.z;
}
