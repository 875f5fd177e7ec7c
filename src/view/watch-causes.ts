import { argumentAttributions, type Attributed, toolAttributions } from '../scoring/attribution.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import type { SliceValues } from '../state/slices.ts';
import { type Cases, splitChange } from '../statistics/kitagawa.ts';
import { type AlarmedWatch, type CauseMemory, cacheBaselines, stampsOf, tallyOf } from './cause-baselines.ts';
import {
  type Candidate,
  candidatesOf,
  type Change,
  growthOf,
  mostOfShare,
  type Part,
  strongest,
} from './cause-parts.ts';
import { compareValues } from './compare-values.ts';
import type { Carrier, WatchAlarm } from './summary.ts';
import type { Segment } from './watch-segments.ts';
import { type AttributedNames, fillSince, type Sums, type Tally } from './watch-tallies.ts';

/** Share of a group's change from which another one is among its carriers. */
const carriedLeast = 0.1;

/**
 * The alarms of each watch with their causes (docs/reference/scoring.md, "Causes"): values of the dimensions that the group does not tell,
 * outcomes, and tools and arguments that bad cases are attributed to, of which each has a share of the change. Named are those whose share
 * exceeds what is to be expected of their size, by more than chance. An alarm of which nothing has changed is explained as it was.
 */
export function explainAlarms(
  settings: Settings,
  states: readonly PartitionState[],
  segments: readonly Segment[],
  watches: readonly AlarmedWatch[],
  memory: CauseMemory,
): WatchAlarm[][] {
  const stamps = stampsOf(states);
  const isKnown = (alarm: WatchAlarm, watch: AlarmedWatch): boolean => {
    const known = memory.alarms.get(alarm);
    return known?.reference === watch.reference && known.stamp === stamps(watch.reference.end);
  };
  const unknown = watches.flatMap((watch) =>
    watch.reading.incidents.flatMap((alarm) => (isKnown(alarm, watch) ? [] : [{ alarm, watch }])),
  );
  cacheBaselines(
    settings,
    states,
    unknown.map(({ watch }) => watch),
    memory,
  );
  const tallies = unknown.map(({ alarm, watch }) => ({
    ...tallyOf(settings, watch, alarm),
    before: memory.baselines.get(watch.reference)!.sums,
  }));
  fillSince(states, segments, tallies, memory.names);
  for (const [index, { alarm, watch }] of unknown.entries()) {
    const explained = { ...alarm, ...explain(settings, watch, tallies[index]!, memory) };
    const { reference } = watch;
    memory.alarms.set(alarm, { reference, stamp: stamps(reference.end), explained });
  }
  return watches.map(({ reading }) => reading.incidents.map((alarm) => memory.alarms.get(alarm)!.explained));
}

function explain(
  settings: Settings,
  watch: AlarmedWatch,
  tally: Tally,
  { names, sets }: CauseMemory,
): Pick<WatchAlarm, 'causes' | 'carriers'> {
  const found = foundIn(tally);
  const [before, since] = [casesOf(found, 'before'), casesOf(found, 'since')];
  const hasGrown = before.n > 0 && since.bad / since.n > before.bad / before.n;
  const change = { since, before: hasGrown ? before : undefined, baseline: watch.reading.design!.baseline };
  // Where there were cases before and no fewer of them were bad, their outcomes and names have not grown.
  const ofCases = before.n > 0 && !hasGrown ? [] : [outcomesOf(watch, found, change), ...namesOf(tally, names, change)];
  const causes = strongest([...valuesOf(settings, watch, found, change), ...ofCases]);
  return { causes, carriers: sets.flatMap((set) => carriersOf(settings, watch, found, change, set)) };
}

/** By slice, as `tallyOf` has them: cases, bad ones, then of each outcome its cases and those that could have come to it. */
const at = { n: 0, bad: 1, outcomes: 2 } as const;

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

/** A part of the cases by the values of some dimensions. */
interface ValuePart {
  readonly values: readonly string[];
  readonly before: Cases;
  readonly since: Cases;
  readonly byRate: number;
  readonly byMix: number;
}

/** The change split over the values of some dimensions; undefined where one was not read before: it cannot have changed. */
function splitBy(
  { dimensions: all }: Settings,
  found: readonly FoundSlice[],
  change: Change,
  dimensions: readonly string[],
): ValuePart[] | undefined {
  const places = dimensions.map((dimension) => all.indexOf(dimension));
  const byValues = new Map<string, { readonly values: string[]; readonly slices: FoundSlice[] }>();
  for (const slice of found) {
    const values = places.map((place) => slice.values[place] ?? null);
    if (!values.every((value) => value !== null)) return undefined;
    getOrPut(byValues, JSON.stringify(values), () => ({ values, slices: [] })).slices.push(slice);
  }
  const parts = [...byValues.values()]
    .sort((a, b) => compareValues(a.values, b.values))
    .map(({ values, slices }) => ({ values, before: casesOf(slices, 'before'), since: casesOf(slices, 'since') }));
  // Where the time before tells nothing, each part had the baseline and its size of now.
  const compared =
    change.before !== undefined
      ? parts
      : parts.map(({ since }) => ({ since, before: { n: since.n, bad: change.baseline * since.n } }));
  const growth = growthOf(change);
  return splitChange(compared).map(({ byRate, byMix }, index) => ({
    ...parts[index]!,
    byRate: byRate / growth,
    byMix: byMix / growth,
  }));
}

/** By dimension that the group does not tell: its values. */
function valuesOf(
  settings: Settings,
  { reading }: AlarmedWatch,
  found: readonly FoundSlice[],
  change: Change,
): Candidate[][] {
  return settings.dimensions.map((dimension) => {
    if (reading.dimensions.includes(dimension)) return [];
    const parts = (splitBy(settings, found, change, [dimension]) ?? []).map(
      ({ values, before, since, byRate, byMix }): Part => {
        const known = change.before && (before.n > 0 ? before : change.before);
        return {
          part: { dimension, value: values[0]! },
          ...{ byRate, byMix, since },
          before: change.before && before,
          expected: since.n / change.since.n,
          expectedMost: since.n / change.since.n,
          usual: since.n * (known === undefined ? change.baseline : known.bad / known.n),
        };
      },
    );
    return candidatesOf(parts, change);
  });
}

/** The groups of a set of dimensions that carry much of the change. */
function carriersOf(
  settings: Settings,
  { reading }: AlarmedWatch,
  found: readonly FoundSlice[],
  change: Change,
  set: readonly string[],
): Carrier[] {
  // A group that holds all of this one says nothing by that.
  if (set.every((dimension) => reading.dimensions.includes(dimension))) return [];
  const { since: all } = change;
  return (splitBy(settings, found, change, set) ?? []).flatMap(({ values, since, byRate, byMix }) => {
    const share = byRate + byMix;
    if (share < carriedLeast) return [];
    const deviation = Math.sqrt(all.bad - since.bad) / (growthOf(change) * all.n);
    return [{ dimensions: set, values, share, deviation, size: since.n / all.n }];
  });
}

/** Outcomes that have grown. Of one whose gold label has twice the cases, twice the growth is to be expected, and no less than its part before. */
function outcomesOf({ rate }: AlarmedWatch, found: readonly FoundSlice[], change: Change): Candidate[] {
  const { outcomes } = rate;
  const golds = new Map(outcomes.map(({ gold }, index) => [gold, sumOf(found, 'since', at.outcomes + 2 * index + 1)]));
  const all = [...golds.values()].reduce((sum, cases) => sum + cases, 0);
  const counted = outcomes.map(({ gold, predicted }, index) => ({
    part: { gold, predicted },
    before: sumOf(found, 'before', at.outcomes + 2 * index),
    since: sumOf(found, 'since', at.outcomes + 2 * index),
    size: golds.get(gold)! / all / outcomes.filter((other) => other.gold === gold).length,
  }));
  const wrong = counted.reduce((sum, { before }) => sum + before, 0);
  const parts = counted.map(({ part, before, since, size }): Part => {
    const usualShare = (before + size * (counted.length + 1)) / (wrong + counted.length + 1);
    const expected = Math.max(size, usualShare);
    const rates = {
      since: since / change.since.n,
      before: change.before === undefined ? change.baseline * expected : before / change.before.n,
    };
    return countedPart({ part, rates, expected, expectedMost: expected }, change, {
      before: change.before && { n: change.before.n, bad: before },
      since: { n: change.since.n, bad: since },
    });
  });
  return candidatesOf(parts, change);
}

/** A part that has no cases of its own: its rates are shares of all cases. */
function countedPart(
  { rates, ...part }: CountedShares,
  change: Change,
  { before, since }: Pick<Part, 'before' | 'since'>,
): Part {
  const byRate = (rates.since - rates.before) / growthOf(change);
  return { ...part, byRate, byMix: 0, before, since, usual: since.n * rates.before };
}

interface CountedShares extends Pick<Part, 'part' | 'expected' | 'expectedMost'> {
  readonly rates: { readonly since: number; readonly before: number };
}

/** Tools, and arguments of them, that bad cases are attributed to. They are known of the panes that hold them, which may reach less far back than the cases. */
function namesOf({ before, since }: Tally, names: AttributedNames, change: Change): Candidate[][] {
  const covered = [{ before: before.covered, since: since.covered }];
  const all = { before: casesOf(covered, 'before'), since: casesOf(covered, 'since') };
  if (all.since.bad === 0) return [];
  const named = namedIn(names, before.attributed, since.attributed);
  return [toolAttributions, argumentAttributions].map((kinds: readonly string[]) =>
    candidatesOf(
      partsOf(
        named.filter(({ part }) => kinds.includes(part.kind)),
        all,
        change,
      ),
      change,
      true,
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

function partsOf(names: readonly NamedCases[], all: Record<'before' | 'since', Cases>, change: Change): Part[] {
  const before = names.reduce((sum, name) => sum + name.before, 0);
  const known = change.before !== undefined && all.before.n > 0;
  const rateBefore = change.before === undefined ? change.baseline : change.before.bad / change.before.n;
  const perBad = {
    since: change.since.bad / change.since.n / all.since.bad,
    before: all.before.bad > 0 ? rateBefore / all.before.bad : 0,
  };
  return names.map((name) => {
    // Where nothing was before, a name is one of those that there are, or of those to come: a first one alone tells something.
    const expected = (name.before + 1) / (before + names.length + 1);
    const rates = {
      since: name.since * perBad.since,
      before: known ? name.before * perBad.before : rateBefore * expected,
    };
    const expectedMost = mostOfShare(expected, before);
    return countedPart({ part: name.part, rates, expected, expectedMost }, change, {
      before: known ? { n: all.before.n, bad: name.before } : undefined,
      since: { n: all.since.n, bad: name.since },
    });
  });
}

function casesOf(slices: readonly CellSums[], to: 'before' | 'since'): Cases {
  return { n: sumOf(slices, to, at.n), bad: sumOf(slices, to, at.bad) };
}

function sumOf(slices: readonly CellSums[], to: 'before' | 'since', cell: number): number {
  return slices.reduce((sum, slice) => sum + slice[to][cell]!, 0);
}
