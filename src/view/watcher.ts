import { createDesigns, type WatchDesign } from '../statistics/watch-design.ts';
import { createEndDesigns } from '../statistics/watch-end.ts';
import { compareValues } from './compare-values.ts';
import type { WatchReading } from './summary.ts';
import { type Designs, fits, type Learned, type LearnedPanes, type WatchRule } from './watch-baseline.ts';
import { type CauseMemory, createCauseMemory } from './cause-baselines.ts';
import { type ChartCache, type EndDesigns, noChart } from './watch-chart.ts';
import type { WatchedGroup, WatchPanes } from './watch-panes.ts';
import type { LastReadings } from './watch-readings.ts';

/** The cached watch of one group between two readings. */
export interface Kept {
  /** In the order of the rules. */
  readonly order: number;
  readonly rule: WatchRule;
  readonly rate: number;
  /** The newest pane of the longest tier and the design effect that it was learned for, and from which panes. */
  newest: number;
  effect: number;
  of: LearnedPanes;
  learned: Learned;
  /** The design for what was learned, and so many groups of its rule. */
  design: WatchDesign | undefined;
  designOf: Learned | undefined;
  groups: number;
  readonly chart: ChartCache;
}

/** Reads watches; keeps what will hardly change. */
export interface Watcher {
  readonly panes: WatchPanes;
  readonly rules: readonly WatchRule[];
  readonly designs: Designs;
  readonly ends: EndDesigns;
  /** Every group of the panes with its watches, in their order. */
  watched: {
    readonly of: readonly WatchedGroup[];
    readonly groups: readonly Watched[];
    readonly byGroup: ReadonlyMap<WatchedGroup, Watched>;
  };
  /** Groups that share the false alarms of each rule; undefined when they may be others. */
  groupsOf: ReadonlyMap<WatchRule, number> | undefined;
  /** T of the last reading. */
  asOfMs: number;
  last: LastReadings | undefined;
  causes: CauseMemory;
}

/** A group with what is kept of its watches. */
export interface Watched {
  readonly group: WatchedGroup;
  /** Index among all groups. */
  index: number;
  readonly kept: readonly Kept[];
  /** The last reading, and its moment; undefined when a baseline has been learned since. */
  last: { readonly key: string; readonly read: readonly (WatchReading | undefined)[] } | undefined;
}

/** A watcher that has read nothing. */
export function createWatcher(panes: WatchPanes, rules: readonly WatchRule[]): Watcher {
  const watched = { of: [], groups: [], byGroup: new Map() };
  const asOfMs = Number.NEGATIVE_INFINITY;
  const nothing = { groupsOf: undefined, last: undefined, causes: createCauseMemory(panes.sets) };
  return { panes, rules, designs: createDesigns(), ends: createEndDesigns(), watched, asOfMs, ...nothing };
}

/** Finds every group with its watches. Groups of partitions that were given away are forgotten. */
export function findGroups(watcher: Watcher): void {
  const { panes, watched } = watcher;
  if (watched.of === panes.groups) return;
  const groups = panes.byValues
    .flatMap((byValues) => [...byValues.values()].sort((a, b) => compareValues(a.values, b.values)))
    .map((group, index): Watched => {
      const known = watched.byGroup.get(group);
      if (known === undefined) return { group, index, kept: keptOf(watcher, group), last: undefined };
      return Object.assign(known, { index });
    });
  const byGroup = new Map(groups.map((one) => [one.group, one]));
  Object.assign(watcher, { watched: { of: panes.groups, groups, byGroup }, groupsOf: undefined, last: undefined });
}

/** For each rate the first rule that fits a group holds. */
function keptOf({ panes, rules }: Watcher, group: WatchedGroup): Kept[] {
  return panes.rates.flatMap(({ path }, rate) => {
    const order = rules.findIndex((candidate) => candidate.metric === path && fits(candidate, group));
    return order < 0 ? [] : [{ order, rule: rules[order]!, rate, ...nothingKept() }];
  });
}

function nothingKept(): Omit<Kept, 'order' | 'rule' | 'rate'> {
  return {
    newest: Number.NaN,
    effect: 1,
    of: { first: Number.NaN, end: Number.NaN, begin: Number.NEGATIVE_INFINITY },
    learned: { baseline: undefined, casesPerMs: 0, untilMs: undefined, reference: { n: 0, bad: 0, end: 0, fired: [] } },
    ...{ design: undefined, designOf: undefined, groups: 0 },
    chart: noChart(),
  };
}
