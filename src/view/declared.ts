import { declarations } from '../scoring/families.ts';
import type { AnyDeclaration } from '../scoring/family.ts';
import { isObject } from '../scoring/json.ts';
import type { Metric, RowPart } from '../scoring/metric.ts';

/** A metric as a path of the summary names it. */
export interface Declared {
  readonly family: AnyDeclaration;
  readonly metric: Exclude<Metric<unknown>, { kind: 'group' | 'labels' }>;
  /** Keys of the groups around it. */
  readonly above: readonly string[];
}

/** The metric at a path with its family; undefined where none is declared, as of names from the data. */
export function declaredAt(path: string, families: readonly AnyDeclaration[] = declarations): Declared | undefined {
  const [name, ...keys] = path.split('.');
  const family = families.find((one) => one.name === name);
  let metrics = family?.metrics;
  for (let at = 0; at < keys.length; at++) {
    const metric = metrics !== undefined && Object.hasOwn(metrics, keys[at]!) ? metrics[keys[at]!] : undefined;
    if (metric === undefined) return undefined;
    if (metric.kind === 'labels') at++;
    if (metric.kind === 'group' || metric.kind === 'labels') metrics = metric.metrics;
    else return at === keys.length - 1 ? { family: family!, metric, above: keys.slice(0, -1) } : undefined;
  }
  return undefined;
}

/** Which change of a metric is good; undefined where none is said to be. */
export function betterOf(declared: Declared | undefined): 'higher' | 'lower' | undefined {
  return declared?.metric.better;
}

/** The value of a rate by its share of bad cases: of one that should be high, the share of the others. */
export function valueOfBad(path: string, bad: number): number {
  return betterOf(declaredAt(path)) === 'higher' ? 1 - bad : bad;
}

/** Reads a metric from a score row: 0 to 1, or the cell of a counted number; undefined where rows lack it. */
export function rowReader(declared: Declared): ((row: RowPart) => number | undefined) | undefined {
  const { family, metric, above } = declared;
  const ofRow = metric.kind === 'number' ? metric.counted?.ofRow : 'ofRow' in metric ? metric.ofRow : undefined;
  if (ofRow === undefined) return undefined;
  return (row) => {
    let part: unknown = row[family.name];
    if (!isObject(part) || part['skipped'] === true) return undefined;
    for (const key of above) part = isObject(part) ? part[key] : undefined;
    return isObject(part) ? ofRow(part) : undefined;
  };
}
