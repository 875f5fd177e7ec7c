import { getOrPut } from '../../state/containers/get-or-put.ts';
import { groupKey } from '../../view/fold-groups.ts';
import type { PointPlan } from '../../view/metric-points.ts';
import type { Candidate, ChooseGroups, Group, WatchReading } from '../../view/summary.ts';
import { compareValues } from '../../view/compare-values.ts';
import { seriesOfModel } from './model-counters.ts';
import { seriesOfGroup } from './view-gauges.ts';
import { seriesOfAlarm, seriesOfWatch } from './watch-gauges.ts';

export interface GroupBounds {
  /** Series that the groups may have together. */
  readonly series: number;
  /** Most groups of each set, `__other__` aside. */
  readonly groups: number;
  readonly plan: PointPlan;
}

/** What was chosen. */
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
 * Chooses the groups of a page: of each set the most scored, as many as there may be and as have room. A group has no series that the total has not, so
 * what it takes is known before it is read. `held` are the groups of the page before.
 */
export function chooseGroups(
  { totals, watches, sets }: Parameters<ChooseGroups>[0],
  bounds: GroupBounds,
  held: ReadonlySet<string>,
): Chosen {
  const costOfSet = costs(totals, sets, bounds.plan);
  const ofWatches = seriesOfWatches(watches);
  const rank = (group: Candidate): number => group.scored * (held.has(groupKey(group)) ? heldFactor : 1);
  const ranked = [...bySet(sets)].map(([set, groups]) => ({
    cost: costOfSet.get(set)!,
    groups: [...groups].sort((a, b) => rank(b) - rank(a) || compareValues(a.values, b.values)),
  }));
  const seriesOf = (group: Candidate, cost: number): number => cost + (ofWatches.own.get(groupKey(group)) ?? 0);
  const taken = (most: number): number =>
    ranked.reduce((total, { cost, groups }) => {
      const own = groups.slice(0, most).reduce((sum, group) => sum + seriesOf(group, cost), 0);
      return total + own + (groups.length > most ? cost : 0);
    }, ofWatches.others);
  let most = Math.min(bounds.groups, Math.max(0, ...ranked.map(({ groups }) => groups.length)));
  const shown = ranked.map(({ groups }) => groups.slice(0, most));
  while (most > 0 && taken(most) > bounds.series) most--;
  const kept = shown.map((groups) => groups.slice(0, most));
  return {
    keys: new Set(kept.flat().map(groupKey)),
    dropped: shown
      .flatMap((groups, index) => groups.slice(most).map((group) => seriesOf(group, ranked[index]!.cost)))
      .reduce((total, series) => total + series, 0),
  };
}

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

/** Series of the watches by group, and those of the total and of all groups that fire: these are shown whoever is chosen. */
function seriesOfWatches(watches: readonly WatchReading[]) {
  const own = new Map<string, number>();
  let others = 0;
  for (const reading of watches) {
    const key = groupKey(reading);
    const series = seriesOfWatch(reading);
    const always = reading.dimensions.length === 0 ? series : reading.firing ? seriesOfAlarm(reading) : 0;
    others += always;
    own.set(key, (own.get(key) ?? 0) + series - always);
  }
  return { own, others };
}
