import { declarations } from '../scoring/families.ts';
import type { AnyDeclaration } from '../scoring/family.ts';
import type { Metrics } from '../scoring/metric.ts';
import { groupCounts } from '../scoring/stability/counts.ts';
import { stabilityDeclaration } from '../scoring/stability/read.ts';
import { cellReader, type Layout, type RunSlots } from '../state/row-layout.ts';

/** A count as a sum of cells of a row: `factors[i]` times the cell at `slots[i]`. */
export interface CellSum {
  readonly slots: Int32Array;
  readonly factors: Float64Array;
}

/** A watchable rate, as sums of cells: so that panes are read without their blocks. */
export interface WatchableRate {
  /** Path in a summary group: `decision.tool_hall`. */
  readonly path: string;
  /** It is watched where the configuration names no watches. */
  readonly watched: boolean;
  /** A case is an event, or a complete group of runs, by the run that completed it. */
  readonly unit: 'event' | 'runs';
  /** Cases: the denominator. */
  readonly n: CellSum;
  /** Bad cases: the numerator where lower is better, else the rest. */
  readonly bad: CellSum;
  /** The wrong outcomes that its bad cases consist of; none where they are of one kind, or are no outcomes. */
  readonly outcomes: readonly Outcome[];
}

/** The declaration of a family. */
type WatchedFamily = Pick<AnyDeclaration, 'name' | 'metrics' | 'unit'>;

/** Events that should have come to `gold` and came to `predicted`. */
export interface Outcome {
  readonly gold: string;
  readonly predicted: string;
  readonly cells: CellSum;
  /** The cases of the rate that could have come to it: those with that gold label, or all where none of these is good. */
  readonly possible: CellSum;
}

/** The watchable rates of a layout, in the order of every report. */
export function watchableRates(layout: Layout): WatchableRate[] {
  const ofEvents = layout.families.flatMap((family, index) => ratesWith(familyProbes(layout, index), family, 'event'));
  const ofRuns =
    layout.runs === undefined ? [] : ratesWith(runProbes(layout, layout.runs), stabilityDeclaration, 'runs');
  const names: string[] = declarations.map(({ name }) => name);
  const placeOf = ({ path }: WatchableRate): number => names.indexOf(path.slice(0, path.indexOf('.')));
  return [...ofEvents, ...ofRuns].sort((a, b) => placeOf(a) - placeOf(b));
}

function ratesWith(probes: Probes, family: WatchedFamily, unit: WatchableRate['unit']): WatchableRate[] {
  const outcomes = allOutcomes(probes, family);
  return ratesOf(family).map((rate) => {
    const path = rate.keys.join('.');
    const n = cellSum(probes, path, (sums) => rate.counts(sums)[1]);
    const bad = cellSum(probes, path, (sums) => badOf(rate, sums));
    return { path, watched: rate.watched, unit, n, bad, outcomes: outcomesOf({ n, bad }, outcomes) };
  });
}

/** Every cell of a family's matrices of outcomes. */
function allOutcomes(probes: Probes, family: WatchedFamily): Omit<Outcome, 'possible'>[] {
  return Object.entries(family.metrics).flatMap(([key, metric]) =>
    metric.kind !== 'matrix'
      ? []
      : metric.rows.flatMap((gold, row) =>
          metric.columns.map((predicted, column) => ({
            gold,
            predicted,
            cells: cellSum(probes, `${family.name}.${key}`, (sums) => metric.of(sums, row, column)),
          })),
        ),
  );
}

/** Outcomes that tell something: one alone does not, and a bad case that is no outcome cannot come to one. */
function outcomesOf({ n, bad }: Pick<WatchableRate, 'n' | 'bad'>, all: ReturnType<typeof allOutcomes>): Outcome[] {
  const isOf = (sum: CellSum, slot: number): boolean => sum.factors[sum.slots.indexOf(slot)] === 1;
  const own = all.filter(({ cells }) => isOf(bad, cells.slots[0]!));
  if (own.length < 2 || own.length !== bad.slots.length) return [];
  return own.map((outcome) => {
    const row = all.flatMap(({ gold, cells }) =>
      gold === outcome.gold && isOf(n, cells.slots[0]!) ? [cells.slots[0]!] : [],
    );
    const possible = row.every((slot) => isOf(bad, slot))
      ? n
      : { slots: Int32Array.from(row), factors: new Float64Array(row.length).fill(1) };
    return { ...outcome, possible };
  });
}

/** Adds up the cells of a row at `from[at…]`. */
export function readCells({ slots, factors }: CellSum, from: Float64Array, at: number): number {
  let sum = 0;
  for (let i = 0; i < slots.length; i++) sum += factors[i]! * from[at + slots[i]!]!;
  return sum;
}

/** A metric of a family that can be watched: a rate with a direction, or a number with one that is a share of events. */
export interface DeclaredRate {
  /** From the family on. */
  readonly keys: readonly string[];
  readonly better: 'higher' | 'lower';
  readonly watched: boolean;
  counts(sums: unknown): readonly [numerator: number, denominator: number];
}

/** The watchable rates of a family, in the order of its metrics; for groups of runs the rates of counts that panes have. */
export function ratesOf({ name, metrics, unit }: WatchedFamily): DeclaredRate[] {
  if (unit !== 'runs') return ratesBelow(metrics, [name], (sums) => sums);
  const own = Object.fromEntries(Object.entries(metrics).filter(([, { kind }]) => kind === 'rate'));
  const known = Object.fromEntries(groupCounts.map((count) => [count, 0]));
  return ratesBelow(own, [name], (sums) => sums).filter(({ counts }) => counts(known).every(Number.isFinite));
}

function badOf({ better, counts }: DeclaredRate, sums: unknown): number {
  const [numerator, denominator] = counts(sums);
  return better === 'lower' ? numerator : denominator - numerator;
}

function ratesBelow(
  metrics: Metrics<unknown>,
  above: readonly string[],
  part: (sums: unknown) => unknown,
): DeclaredRate[] {
  return Object.entries(metrics).flatMap(([key, metric]) => {
    const keys = [...above, key];
    if (metric.kind === 'group') return ratesBelow(metric.metrics, keys, (sums) => metric.of(part(sums)));
    if (metric.kind === 'labels')
      return metric.names.flatMap((label, index) =>
        ratesBelow(metric.metrics, [...keys, label], (sums) => metric.of(part(sums), index)),
      );
    const of = metric.kind === 'rate' ? metric.of : metric.kind === 'number' ? metric.share : undefined;
    const { better } = metric;
    if (of === undefined || better === undefined) return [];
    return [{ keys, better, watched: metric.watched === true, counts: (sums) => of(part(sums)) }];
  });
}

/** The readings of a family for rows of one of its counts each, and for a row of different counts. */
interface Probes {
  readonly counts: readonly { readonly slot: number; readonly sums: unknown }[];
  readonly row: Float64Array;
  readonly sums: unknown;
}

function familyProbes(layout: Layout, index: number): Probes {
  const family = layout.families[index]!;
  return probesOf(layout, layout.slots[index]!, (row) =>
    family.sums({ entries: () => undefined, ...cellReader(layout, index, row) }),
  );
}

function runProbes(layout: Layout, runs: RunSlots): Probes {
  return probesOf(layout, Object.values(runs), (row) =>
    Object.fromEntries(groupCounts.map((name) => [name, row[runs[name]]])),
  );
}

/** The probes of the counts among some slots. */
function probesOf(layout: Layout, slots: readonly number[], sumsOf: (row: Float64Array) => unknown): Probes {
  const own = new Set(slots);
  const counts = layout.counts
    .filter((slot) => own.has(slot))
    .map((slot) => {
      const row = new Float64Array(layout.width);
      row[slot] = 1;
      return { slot, sums: sumsOf(row) };
    });
  const row = Float64Array.from({ length: layout.width }, (_, slot) => 1_000 + slot * slot);
  return { counts, row, sums: sumsOf(row) };
}

/** Finds the factors by what is made of one count each, and checks them on the row of different counts. */
function cellSum({ counts, row, sums }: Probes, path: string, read: (sums: unknown) => number): CellSum {
  const used = counts
    .map((probe) => ({ slot: probe.slot, factor: read(probe.sums) }))
    .filter(({ factor }) => factor !== 0);
  const found = {
    slots: Int32Array.from(used, ({ slot }) => slot),
    factors: Float64Array.from(used, ({ factor }) => factor),
  };
  if (readCells(found, row, 0) !== read(sums)) throw new Error(`${path}: a rate must be of sums of counts`);
  return found;
}
