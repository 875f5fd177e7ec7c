import { declarations } from '../scoring/families.ts';
import type { Metric, Metrics } from '../scoring/metric.ts';
import { type FamilyOptions, type Range, rangeOf, shareRange } from '../scoring/range.ts';
import { rejectCodes } from '../state/reject.ts';
import { nearestOf } from './near.ts';
import { fullPath, type Problem } from './summary-lookup.ts';
import { recordNames } from './summary.ts';

/** A number that a summary can have. */
export interface NumberPlace {
  /** Path from the family on, or `records.…`, or `coverage`. */
  readonly path: string;
  /** Undefined for what is counted of all records. */
  readonly family: string | undefined;
  readonly range: Range;
  /** It counts something. */
  readonly isWhole: boolean;
}

type Values = Pick<NumberPlace, 'range' | 'isWhole'>;

const counts: Values = { range: [0, Number.POSITIVE_INFINITY], isWhole: true };
const share: Values = { range: shareRange, isWhole: false };

/**
 * The number at a path for any data, under the options of each family: a problem where no summary can have such a number. Keys of breakdowns
 * are names from the data, so any will do.
 *
 * `accuracy` is `decision.accuracy`, from 0 to 1; `records.rejected.not_json` has no greatest value.
 */
export function placeOf(path: string, options: FamiliesOptions): NumberPlace | Problem {
  const full = isOfAll(path) ? path : fullPath(path);
  const [head, ...rest] = full.split('.');
  if (isOfAll(path)) {
    const values = head === 'coverage' ? partOf(share, true, rest) : valuesOfRecords(rest);
    return values === undefined ? noSuch(path) : { path: full, family: undefined, ...values };
  }
  const family = declarations.find(({ name }) => name === head);
  const values = family && valuesBelow(family.metrics, rest, options[family.name] ?? {});
  return family === undefined || values === undefined ? noSuch(path) : { path: full, family: family.name, ...values };
}

/** Options by the name of the family. */
export type FamiliesOptions = Readonly<Record<string, FamilyOptions | undefined>>;

/** Returns whether a path names what is counted of all records, whatever their group: `records.…`, `coverage`. */
export function isOfAll(path: string): boolean {
  return /^(records|coverage)(\.|$)/.test(path);
}

function noSuch(path: string): Problem {
  const names = nearestOf(isOfAll(path) ? path : fullPath(path), knownPaths(), 3).join(', ');
  return { problem: `${path}: no such number in a summary; did you mean one of ${names}?` };
}

function valuesOfRecords([name, code, ...rest]: readonly string[]): Values | undefined {
  if (rest.length > 0 || !recordNames.some((known) => known === name)) return undefined;
  const isCode = name === 'rejected' && rejectCodes.some((known) => known === code);
  return code === undefined || isCode ? counts : undefined;
}

function valuesBelow(
  metrics: Metrics<unknown>,
  [key, ...rest]: readonly string[],
  options: FamilyOptions,
): Values | undefined {
  const metric = key !== undefined && Object.hasOwn(metrics, key) ? metrics[key] : undefined;
  return metric && valuesOf(metric, rest, options);
}

/** Values that the number at the rest of a path in a metric can have; undefined where there is no number. */
function valuesOf(metric: Metric<unknown>, rest: readonly string[], options: FamilyOptions): Values | undefined {
  const own: Values = { range: rangeOf('range' in metric ? metric : {}, options), isWhole: false };
  switch (metric.kind) {
    case 'rate':
      return partOf(own, true, rest);
    case 'mean':
      return partOf(own, false, rest);
    case 'number':
      return rest.length === 0 ? own : undefined;
    case 'estimate':
      return /^(value|lower|upper)$/.test(rest[0] ?? 'value') && rest.length < 2 ? own : undefined;
    case 'count':
      return rest.length === 0 ? counts : undefined;
    case 'band':
      return undefined;
    case 'matrix':
      return rest.length === 2 && metric.rows.includes(rest[0]!) && metric.columns.includes(rest[1]!)
        ? counts
        : undefined;
    case 'numbered':
      return /^[1-9]\d*$/.test(rest[0] ?? '') ? partOf(own, false, rest.slice(1)) : undefined;
    case 'group':
      return valuesBelow(metric.metrics, rest, options);
    case 'labels':
      if (metric.isOpen !== true && !metric.names.includes(rest[0]!)) return undefined;
      return valuesBelow(metric.metrics, rest.slice(1), options);
    case 'breakdown':
      return valuesOfEntry(metric.value, rest.slice(metric.depth), options);
  }
}

/** Keys from the data may hold dots: what follows them is found from the end. */
function valuesOfEntry(value: Metric<unknown>, rest: readonly string[], options: FamilyOptions): Values | undefined {
  for (let from = 0; from <= rest.length; from++) {
    const values = valuesOf(value, rest.slice(from), options);
    if (values !== undefined) return values;
  }
  return undefined;
}

/** The parts of a rate or mean. */
function partOf(own: Values, isRate: boolean, [part, ...rest]: readonly string[]): Values | undefined {
  if (rest.length > 0) return undefined;
  if (part === undefined || part === 'value') return own;
  if (isRate && /^(lower|upper)(_always)?$/.test(part)) return own;
  if (!isRate && part === 'sum')
    return { range: [own.range[0] < 0 ? Number.NEGATIVE_INFINITY : 0, Number.POSITIVE_INFINITY], isWhole: false };
  return (isRate ? ['numerator', 'denominator'] : ['count']).includes(part) ? counts : undefined;
}

/** Paths of all numbers that do not depend on names from the data. */
function knownPaths(): readonly string[] {
  const below = (prefix: string, metrics: Metrics<unknown>): string[] =>
    Object.entries(metrics).flatMap(([key, metric]) => {
      const path = `${prefix}.${key}`;
      if (metric.kind === 'group') return below(path, metric.metrics);
      if (metric.kind === 'labels') return metric.names.flatMap((name) => below(`${path}.${name}`, metric.metrics));
      return valuesOf(metric, [], {}) === undefined ? [] : [path];
    });
  const ofFamilies = declarations.flatMap(({ name, metrics }) => below(name, metrics));
  return [...ofFamilies, ...recordNames.map((name) => `records.${name}`), 'coverage'];
}
