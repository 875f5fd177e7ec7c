import { argumentAttributions, type Attributed, toolAttributions } from '../scoring/attribution.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import type { SliceValues } from '../state/slices.ts';
import { type Cases, splitChange, total } from '../statistics/kitagawa.ts';
import { compareValues } from './compare-values.ts';
import type { Cause } from './summary.ts';
import { type CauseMemory, type FiringWatch, cacheBaselines, tallyOf } from './cause-baselines.ts';
import type { Segment } from './watch-segments.ts';
import { type AttributedNames, fillSince, type Sums, type Tally } from './watch-tallies.ts';

const causesMost = 3;
/** By how much of the change a part must exceed its size. */
const excessLeast = 0.1;

/**
 * The causes of the change of each rate (docs/reference/scoring.md, "Causes"): values of the dimensions that the group does not tell,
 * outcomes, and tools and arguments that bad cases are attributed to, of which each has a share of the change. Named are those whose share
 * exceeds what is to be expected of their size, by that excess.
 */
export function causesOf(
  settings: Settings,
  states: readonly PartitionState[],
  segments: readonly Segment[],
  firing: readonly FiringWatch[],
  memory: CauseMemory,
): readonly (readonly Cause[])[] {
  const { baselines, names } = memory;
  cacheBaselines(settings, states, firing, memory);
  const tallies = firing.map((watch) => ({
    ...tallyOf(settings, watch),
    before: baselines.get(watch.reference)!.sums,
  }));
  fillSince(states, segments, tallies, names);
  return firing.map((watch, index) => {
    const tally = tallies[index]!;
    const found = foundIn(tally);
    return strongest([...valuesOf(settings, watch, found), outcomesOf(watch, found), ...attributionsOf(tally, names)]);
  });
}

/**
 * The first of each split come before the second of any: three wrong outcomes of one spike say less than one of them and the tool, model or version that it
 * comes from.
 */
export function strongest(splits: readonly (readonly Candidate[])[]): Cause[] {
  const ranked = splits.flatMap((candidates) =>
    candidates
      .filter(({ excess }) => excess >= excessLeast)
      .sort((a, b) => b.excess - a.excess)
      .map((candidate, place) => ({ ...candidate, place })),
  );
  return ranked
    .sort((a, b) => a.place - b.place || b.excess - a.excess)
    .slice(0, causesMost)
    .map(({ cause }) => cause);
}

/** A part of a split, and by how much its share of the change exceeds its size. */
export interface Candidate {
  readonly excess: number;
  readonly cause: Cause;
}

/** By slice, as `tallyOf` has them: cases, bad ones, the denominator of the outcomes, and the outcomes. */
const at = { n: 0, bad: 1, all: 2, outcomes: 3 } as const;

/** Sums of cells. */
interface CellSums {
  readonly before: Float64Array;
  readonly since: Float64Array;
}

/** A finest slice of which there was something. */
interface FoundSlice extends CellSums {
  readonly values: SliceValues;
}

function foundIn({ cells, before, since }: Tally): FoundSlice[] {
  const nothing = new Float64Array(cells.length);
  return [...new Map([...before.slices, ...since.slices])].map(([key, { values }]) => ({
    values,
    before: before.slices.get(key)?.cells ?? nothing,
    since: since.slices.get(key)?.cells ?? nothing,
  }));
}

/** By dimension that the group does not tell: its values. */
function valuesOf(settings: Settings, watch: FiringWatch, found: readonly FoundSlice[]): Candidate[][] {
  return settings.dimensions.map((dimension, place) => {
    if (watch.reading.dimensions.includes(dimension)) return [];
    const known = found.map((slice) => slice.values[place] ?? null);
    // What was not read before cannot have changed.
    if (!known.every((value) => value !== null)) return [];
    const byValue = new Map<string, FoundSlice[]>();
    for (const [index, value] of known.entries()) getOrPut(byValue, value, () => []).push(found[index]!);
    const values = [...byValue].sort(([a], [b]) => compareValues([a], [b]));
    const parts = values.map(([, slices]) => ({ before: casesOf(slices, 'before'), since: casesOf(slices, 'since') }));
    return split(watch, parts).map(({ excess, ...change }, index) => ({
      excess,
      cause: { part: { dimension, value: values[index]![0] }, ...change },
    }));
  });
}

function split(
  { reading }: FiringWatch,
  parts: readonly { readonly before: Cases; readonly since: Cases }[],
): (Omit<Cause, 'part'> & { readonly excess: number })[] {
  const before = total(parts.map((part) => part.before));
  const since = total(parts.map((part) => part.since));
  const known = before.n > 0 && since.bad / since.n > before.bad / before.n;
  const baseline = reading.design!.baseline;
  // Where the time before tells nothing, each part had the baseline and its size of now.
  const compared = known
    ? parts
    : parts.map((part) => ({ since: part.since, before: { n: part.since.n, bad: baseline * part.since.n } }));
  const change = since.bad / since.n - (known ? before.bad / before.n : baseline);
  return splitChange(compared).map(({ byRate, byMix }, index) => {
    const part = parts[index]!;
    const excess = isAsOthers(part.since, since) ? 0 : (byRate + byMix) / change - part.since.n / since.n;
    const shares = { byRate: byRate / change, byMix: byMix / change };
    return { excess, ...shares, before: known ? part.before : undefined, since: part.since };
  });
}

/** Standard deviations by which a part must be worse than a part of its size is by chance: of a dozen alike, one in a hundred times one is. */
const chanceMost = 3;

/** Returns whether a part has no more bad cases than so many of all cases have by chance. */
function isAsOthers(part: Cases, { n, bad }: Cases): boolean {
  const rate = bad / n;
  const variance = (part.n * rate * (1 - rate) * (n - part.n)) / Math.max(1, n - 1);
  return part.bad - part.n * rate <= chanceMost * Math.sqrt(variance);
}

/** Outcomes that have grown: of one kind alone nothing is learned. */
function outcomesOf({ rate }: FiringWatch, found: readonly FoundSlice[]): Candidate[] {
  if (rate.outcomes.length < 2) return [];
  const counts = (to: 'before' | 'since') => rate.outcomes.map((_, index) => sumOf(found, to, at.outcomes + index));
  const [before, since] = [counts('before'), counts('since')];
  const all = { before: sumOf(found, 'before', at.all), since: sumOf(found, 'since', at.all) };
  const wrong = before.reduce((sum, count) => sum + count, 0);
  const growth = since.map((count, index) => count / all.since - (all.before > 0 ? before[index]! / all.before : 0));
  const change = growth.reduce((sum, one) => sum + one, 0);
  if (!(change > 0)) return [];
  return rate.outcomes.map(({ gold, predicted }, index) => {
    const byRate = growth[index]! / change;
    const known = all.before > 0 ? { n: all.before, bad: before[index]! } : undefined;
    return {
      excess: byRate - (wrong > 0 ? before[index]! / wrong : 1 / rate.outcomes.length),
      cause: {
        part: { gold, predicted },
        byRate,
        byMix: 0,
        before: known,
        since: { n: all.since, bad: since[index]! },
      },
    };
  });
}

/** The attributions of bad cases that have grown: tools, and arguments of them. Compared are the panes that hold it: it may be kept for less long. */
function attributionsOf({ before, since }: Tally, names: AttributedNames): Candidate[][] {
  const covered = [{ before: before.covered, since: since.covered }];
  const all = { before: casesOf(covered, 'before'), since: casesOf(covered, 'since') };
  const change = all.since.bad / all.since.n - (all.before.n > 0 ? all.before.bad / all.before.n : 0);
  if (!(change > 0)) return [];
  const named = namedIn(names, before.attributed, since.attributed);
  return [toolAttributions, argumentAttributions].map((kinds: readonly string[]) =>
    grown(
      named.filter(({ part }) => kinds.includes(part.kind)),
      all,
      change,
    ),
  );
}

/** Bad cases that are attributed to one thing. */
interface NamedCases {
  readonly part: Attributed;
  readonly before: number;
  readonly since: number;
}

/** In an order that does not depend on where rows lie. */
function namedIn({ list }: AttributedNames, before: Sums['attributed'], since: Sums['attributed']): NamedCases[] {
  const named = list.flatMap(({ part, key }, number) => {
    const cases = { before: before[number] ?? 0, since: since[number] ?? 0 };
    return cases.before + cases.since > 0 ? [{ part, key, ...cases }] : [];
  });
  return named.sort((a, b) => compareValues([a.key], [b.key]));
}

function grown(names: readonly NamedCases[], all: Record<'before' | 'since', Cases>, change: number): Candidate[] {
  const [before, since] = (['before', 'since'] as const).map((to) => names.reduce((sum, name) => sum + name[to], 0));
  return names.map((name) => {
    const growth = name.since / all.since.n - (all.before.n > 0 ? name.before / all.before.n : 0);
    // Where nothing was before, a name is one of those that there are, or of those to come: a first one alone tells something.
    const expected = before! > 0 ? name.before / before! : 1 / (names.length + 1);
    const mean = (since! * (name.before + 1)) / (before! + names.length + 1);
    const isByChance = name.since - mean <= chanceMost * Math.sqrt(mean * (1 - mean / since!));
    return {
      excess: isByChance ? 0 : growth / change - expected,
      cause: {
        part: name.part,
        byRate: growth / change,
        byMix: 0,
        before: all.before.n > 0 ? { n: all.before.n, bad: name.before } : undefined,
        since: { n: all.since.n, bad: name.since },
      },
    };
  });
}

function casesOf(slices: readonly CellSums[], to: 'before' | 'since'): Cases {
  return { n: sumOf(slices, to, at.n), bad: sumOf(slices, to, at.bad) };
}

function sumOf(slices: readonly CellSums[], to: 'before' | 'since', cell: number): number {
  return slices.reduce((sum, slice) => sum + slice[to][cell]!, 0);
}
