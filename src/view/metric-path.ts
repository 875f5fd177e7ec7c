import { declarations } from '../scoring/families.ts';
import type { Metric, Metrics } from '../scoring/metric.ts';
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
  /** Greatest value that it can have; none is below 0. */
  readonly most: number;
}

/**
 * The number at a path for any data: a problem where no summary can have such a number. Keys of breakdowns are names from the data, so
 * any will do.
 *
 * `accuracy` is `decision.accuracy`, at most 1; `records.rejected.not_json` has no greatest value.
 */
export function placeOf(path: string): NumberPlace | Problem {
  const full = isOfAll(path) ? path : fullPath(path);
  const [head, ...rest] = full.split('.');
  if (isOfAll(path)) {
    const most = head === 'coverage' ? partOf(1, true, rest) : mostOfRecords(rest);
    return most === undefined ? noSuch(path) : { path: full, family: undefined, most };
  }
  const family = declarations.find(({ name }) => name === head);
  const most = family && mostBelow(family.metrics, rest);
  return family === undefined || most === undefined ? noSuch(path) : { path: full, family: family.name, most };
}

/** Returns whether a path names what is counted of all records, whatever their group: `records.…`, `coverage`. */
export function isOfAll(path: string): boolean {
  return /^(records|coverage)(\.|$)/.test(path);
}

function noSuch(path: string): Problem {
  const names = nearestOf(isOfAll(path) ? path : fullPath(path), knownPaths(), 3).join(', ');
  return { problem: `${path}: no such number in a summary; did you mean one of ${names}?` };
}

function mostOfRecords([name, code, ...rest]: readonly string[]): number | undefined {
  if (rest.length > 0 || !recordNames.some((known) => known === name)) return undefined;
  const isCode = name === 'rejected' && rejectCodes.some((known) => known === code);
  return code === undefined || isCode ? Number.POSITIVE_INFINITY : undefined;
}

function mostBelow(metrics: Metrics<unknown>, [key, ...rest]: readonly string[]): number | undefined {
  const metric = key !== undefined && Object.hasOwn(metrics, key) ? metrics[key] : undefined;
  return metric && mostOf(metric, rest);
}

/** Greatest value of what lies at the rest of a path in a metric; undefined where there is no number. */
function mostOf(metric: Metric<unknown>, rest: readonly string[]): number | undefined {
  switch (metric.kind) {
    case 'rate':
      return partOf(1, true, rest);
    case 'mean':
      return partOf(metric.most ?? 1, false, rest);
    case 'number':
      return rest.length === 0 ? (metric.most ?? 1) : undefined;
    case 'estimate':
      return /^(value|lower|upper)$/.test(rest[0] ?? 'value') && rest.length < 2 ? 1 : undefined;
    case 'count':
      return rest.length === 0 ? Number.POSITIVE_INFINITY : undefined;
    case 'band':
      return undefined;
    case 'matrix':
      return rest.length === 2 && metric.rows.includes(rest[0]!) && metric.columns.includes(rest[1]!)
        ? Number.POSITIVE_INFINITY
        : undefined;
    case 'numbered':
      return /^[1-9]\d*$/.test(rest[0] ?? '') ? partOf(1, false, rest.slice(1)) : undefined;
    case 'group':
      return mostBelow(metric.metrics, rest);
    case 'labels':
      return metric.names.includes(rest[0]!) ? mostBelow(metric.metrics, rest.slice(1)) : undefined;
    case 'breakdown':
      return mostOfEntry(metric.value, rest.slice(metric.depth));
  }
}

/** Keys from the data may hold dots: what follows them is found from the end. */
function mostOfEntry(value: Metric<unknown>, rest: readonly string[]): number | undefined {
  for (let from = 0; from <= rest.length; from++) {
    const most = mostOf(value, rest.slice(from));
    if (most !== undefined) return most;
  }
  return undefined;
}

/** The parts of a rate or mean. */
function partOf(most: number, isRate: boolean, [part, ...rest]: readonly string[]): number | undefined {
  if (rest.length > 0) return undefined;
  if (part === undefined || part === 'value') return most;
  if (isRate && /^(lower|upper)(_always)?$/.test(part)) return most;
  return (isRate ? ['numerator', 'denominator'] : ['sum', 'count']).includes(part)
    ? Number.POSITIVE_INFINITY
    : undefined;
}

/** Paths of all numbers that do not depend on names from the data. */
function knownPaths(): readonly string[] {
  const below = (prefix: string, metrics: Metrics<unknown>): string[] =>
    Object.entries(metrics).flatMap(([key, metric]) => {
      const path = `${prefix}.${key}`;
      if (metric.kind === 'group') return below(path, metric.metrics);
      if (metric.kind === 'labels') return metric.names.flatMap((name) => below(`${path}.${name}`, metric.metrics));
      return mostOf(metric, []) === undefined ? [] : [path];
    });
  const ofFamilies = declarations.flatMap(({ name, metrics }) => below(name, metrics));
  return [...ofFamilies, ...recordNames.map((name) => `records.${name}`), 'coverage'];
}
