import { getOrPut } from '../../state/containers/get-or-put.ts';
import { groupKey } from '../../view/fold-groups.ts';
import type { PointPlan } from '../../view/metric-points.ts';
import type { Candidate, ChooseGroups, Group, WatchReading } from '../../view/summary.ts';
import { compareValues } from '../../view/compare-values.ts';
import { seriesOfModel } from './model-counters.ts';
import { seriesOfGroup } from './view-gauges.ts';
import { seriesOfAlarm, seriesOfWatch, watchesOfGroups } from './watch-gauges.ts';

export interface GroupBounds {
  /** Series that the groups may have together. */
  readonly series: number;
  /** Most groups of each set, `__other__` aside. */
  readonly groups: number;
  readonly plan: PointPlan;
}

/** The groups that were chosen. */
export interface Chosen {
  readonly keys: ReadonlySet<string>;
  /** Most series that groups would have that are left out because of the series alone. */
  readonly dropped: number;
}

/**
 * A group that was shown is left out for one that has a tenth more predictions: groups of like traffic would else take turns, and their graphs
 * have holes.
 */
const heldFactor = 1.1;

/**
 * Chooses the groups of a metrics text: of each set the most scored, as many as there may be and as have room. A group has no series that the total has not, so
 * what it takes is known before it is read. `held` are the groups of the text before.
 */
export function chooseGroups(
  { totals, watches, sets }: Parameters<ChooseGroups>[0],
  bounds: GroupBounds,
  held: ReadonlySet<string>,
): Chosen {
  const costOfSet = costs(totals, sets, bounds.plan);
  const ofWatches = seriesOfWatches(watches);
  const ranked = [...bySet(sets)].map(([set, groups]) => {
    const cost = costOfSet.get(set)!;
    const all = groups.map(({ key, values, scored }) => {
      const rank = scored * (held.has(key) ? heldFactor : 1);
      return { key, rank, values, series: cost + (ofWatches.own.get(key) ?? 0) };
    });
    all.sort((a, b) => b.rank - a.rank || compareValues(a.values, b.values));
    return { cost, left: groups.length > bounds.groups, groups: all.slice(0, bounds.groups) };
  });
  const taken = (most: number): number =>
    ranked.reduce((total, { cost, left, groups }) => {
      const others = left || groups.length > most ? cost : 0;
      return total + others + sumOf(groups.slice(0, most));
    }, ofWatches.others);
  let most = Math.max(0, ...ranked.map(({ groups }) => groups.length));
  while (most > 0 && taken(most) > bounds.series) most--;
  return {
    keys: new Set(ranked.flatMap(({ groups }) => groups.slice(0, most).map(({ key }) => key))),
    dropped: ranked.reduce((total, { groups }) => total + sumOf(groups.slice(most)), 0),
  };
}

const sumOf = (groups: readonly { readonly series: number }[]): number =>
  groups.reduce((total, { series }) => total + series, 0);

function bySet(groups: readonly Candidate[]): Map<string, Candidate[]> {
  const sets = new Map<string, Candidate[]>();
  for (const group of groups) getOrPut(sets, group.dimensions.join(), () => []).push(group);
  return sets;
}

/** Most series of a group of each set: gauges of every window, and counters where it is a model. */
function costs(totals: readonly Group[], sets: readonly Candidate[], plan: PointPlan): Map<string, number> {
  const dimensionsOf = new Map(sets.map(({ dimensions }) => [dimensions.join(), dimensions]));
  return new Map(
    [...dimensionsOf].map(([set, dimensions]) => {
      const gauges = totals.reduce((sum, total) => sum + seriesOfGroup(total, dimensions, plan), 0);
      return [set, gauges + (set === 'model' ? seriesOfModel : 0)];
    }),
  );
}

/** Series of the watches by group, and those of the total and of all groups that fire: these are always shown. */
function seriesOfWatches(watches: readonly WatchReading[]) {
  const own = new Map<string, number>();
  let others = 0;
  for (const readings of watchesOfGroups(watches).values()) {
    let series = 0;
    for (const reading of readings) {
      const all = seriesOfWatch(reading);
      const always = reading.dimensions.length === 0 ? all : reading.firing ? seriesOfAlarm(reading) : 0;
      others += always;
      series += all - always;
    }
    const key = groupKey(readings[0]!);
    own.set(key, (own.get(key) ?? 0) + series);
  }
  return { own, others };
}
