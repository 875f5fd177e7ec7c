import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import { finish, type Steps } from '../state/steps.ts';
import { paneOf } from '../state/windows.ts';
import { designEffect } from '../statistics/design-effect.ts';
import { createDesigns, type WatchDesign } from '../statistics/watch-design.ts';
import { compareValues } from './compare-values.ts';
import type { WatchReading } from './summary.ts';
import { type Designs, designFor, falseAlarmCases, type Learned, learnedOf, type WatchRule } from './watch-baseline.ts';
import { causesOf } from './watch-causes.ts';
import { type ChartMoment, chartAt, type KeptChart, noChart } from './watch-chart.ts';
import { cellAt, readWatchPanes, type WatchedGroup, type WatchPanes } from './watch-panes.ts';
import { type Segment, segmentsAt } from './watch-segments.ts';

/** What is kept of the watch of one group from one reading to the next. */
interface Kept {
  readonly rule: WatchRule;
  readonly rate: number;
  /** The newest pane of the longest tier, the revision of those before it and the design effect that it was learned for. */
  newest: number;
  revision: number;
  effect: number;
  learned: Learned;
  /** The design for so many cases between false alarms and that baseline. */
  design: WatchDesign | undefined;
  designedFor: readonly [baseline: number | undefined, cases: number | undefined];
  readonly chart: KeptChart;
}

/** Reads watches; keeps what will hardly change. */
export interface Watcher {
  readonly panes: WatchPanes;
  readonly rules: readonly WatchRule[];
  readonly designs: Designs;
  /** Every group of the panes with its watches, in their order. */
  watched: { readonly of: readonly WatchedGroup[]; readonly groups: readonly Watched[] };
}

/** A group with what is kept of its watches. */
interface Watched {
  readonly group: WatchedGroup;
  readonly kept: readonly Kept[];
  /** By what its cases are divided. */
  effect: number;
}

/** A watcher that has read nothing. */
export function createWatcher(panes: WatchPanes, rules: readonly WatchRule[]): Watcher {
  return { panes, rules, designs: createDesigns(), watched: { of: [], groups: [] } };
}

/** Does in steps what of a reading at the time that `asOf` tells may take long; `watchReadings` does the rest. */
export function* prepareWatches(watcher: Watcher, states: readonly PartitionState[], asOf: () => number): Steps<void> {
  yield* readWatchPanes(watcher.panes, states, asOf);
  const newest = paneOf(watcher.panes.settings.windows.tiers.at(-1)!, asOf());
  const watched = watchedGroups(watcher);
  for (const { group, effect, kept } of watched)
    for (const one of kept) if (learn(watcher, group, one, effect, newest)) yield;
  const groupsOf = groupsOfRules(watched);
  for (const { kept } of watched) for (const one of kept) if (design(watcher, one, groupsOf.get(one.rule) ?? 0)) yield;
}

/**
 * The watches of every group at time T: rule by rule, set by set, values by code unit. A function of the states and T alone, whatever was read
 * before.
 */
export function watchReadings(
  watcher: Watcher,
  states: readonly PartitionState[],
  asOfMs: number,
): readonly WatchReading[] {
  const { panes, rules } = watcher;
  const { windows } = panes.settings;
  finish(readWatchPanes(panes, states, () => asOfMs));
  const watched = watchedGroups(watcher);
  const newest = paneOf(windows.tiers.at(-1)!, asOfMs);
  for (const { group, effect, kept } of watched) for (const one of kept) learn(watcher, group, one, effect, newest);
  const groupsOf = groupsOfRules(watched);
  const segments = segmentsAt(windows, asOfMs);
  const moment = { segments, borders: segments.map(({ first }) => first).join(), asOfMs };
  const byRule = new Map<WatchRule, Read[]>(rules.map((rule) => [rule, []]));
  const tier = windows.tiers.length - 1;
  for (const { group, kept } of watched) {
    const newestCells = group.counts[tier]!;
    for (const one of kept) {
      // A group of which no window has a case is not there any more.
      if (one.learned.casesPerMs === 0 && newestCells[cellAt(panes, tier, newest, one.rate)] === 0) continue;
      const reading = readingOf(watcher, group, one, moment, groupsOf.get(one.rule) ?? 0);
      byRule.get(one.rule)!.push({ reading, kept: one });
    }
    group.changed.fill(Number.POSITIVE_INFINITY);
  }
  return explained(watcher, states, segments, [...byRule.values()].flat());
}

/** Groups that share the false alarms of each rule. */
function groupsOfRules(watched: readonly Watched[]): ReadonlyMap<WatchRule, number> {
  const groupsOf = new Map<WatchRule, number>();
  for (const { kept } of watched)
    for (const { rule, learned } of kept) if (learned.casesPerMs > 0) groupsOf.set(rule, (groupsOf.get(rule) ?? 0) + 1);
  return groupsOf;
}

interface Read {
  readonly reading: WatchReading;
  readonly kept: Kept;
}

/** The readings, those that fire with their causes. */
function explained(
  { panes }: Watcher,
  states: readonly PartitionState[],
  segments: readonly Segment[],
  read: readonly Read[],
): WatchReading[] {
  const firing = read.filter(({ reading }) => reading.firing);
  const causes = causesOf(
    panes.settings,
    states,
    segments,
    firing.map(({ reading, kept }) => ({
      reading,
      rate: panes.rates[kept.rate]!,
      reference: kept.learned.reference,
    })),
  );
  let next = 0;
  return read.map(({ reading }) => (reading.firing ? { ...reading, causes: causes[next++]! } : reading));
}

/** Every group with its watches, and the effects of now. Groups of partitions that were given away are forgotten. */
function watchedGroups(watcher: Watcher): readonly Watched[] {
  const { panes } = watcher;
  if (watcher.watched.of !== panes.groups) {
    const known = new Map(watcher.watched.groups.map((watched) => [watched.group, watched]));
    const groups = panes.byValues.flatMap((byValues) =>
      [...byValues.values()].sort((a, b) => compareValues(a.values, b.values)),
    );
    const watched = groups.map((group) => known.get(group) ?? { group, kept: keptOf(watcher, group), effect: 1 });
    watcher.watched = { of: panes.groups, groups: watched };
  }
  const { groups } = watcher.watched;
  for (const one of groups) one.effect = effectOf(panes.settings, one.group);
  return groups;
}

/** For each rate the first rule that fits a group holds. */
function keptOf({ panes, rules }: Watcher, group: WatchedGroup): Kept[] {
  return panes.rates.flatMap(({ path }, rate) => {
    const rule = rules.find((candidate) => candidate.metric === path && fits(candidate, group));
    return rule === undefined ? [] : [{ rule, rate, ...nothingKept() }];
  });
}

function nothingKept(): Omit<Kept, 'rule' | 'rate'> {
  return {
    newest: Number.NaN,
    revision: 0,
    effect: 1,
    learned: { baseline: undefined, casesPerMs: 0, reference: { n: 0, bad: 0, end: 0, fired: [] } },
    design: undefined,
    designedFor: [undefined, undefined],
    chart: noChart(),
  };
}

function fits({ sets, where }: WatchRule, { dimensions, values }: WatchedGroup): boolean {
  return (
    sets.some((set) => set.join() === dimensions.join()) &&
    Object.entries(where).every(([dimension, value]) => values[dimensions.indexOf(dimension)] === value)
  );
}

/** Learns what has become known; tells whether something had. */
function learn({ panes, designs }: Watcher, group: WatchedGroup, kept: Kept, effect: number, newest: number): boolean {
  const { revision } = group;
  if (kept.newest === newest && kept.effect === effect && kept.revision === revision) return false;
  const learned = learnedOf(panes, designs, kept.rule, { group, rate: kept.rate, effect, newest });
  Object.assign(kept, { newest, effect, revision, learned });
  return true;
}

/** Designs for what has been learned; tells whether that had changed. */
function design({ designs }: Watcher, kept: Kept, groups: number): boolean {
  const { baseline, casesPerMs } = kept.learned;
  const cases = falseAlarmCases(kept.rule, casesPerMs, groups);
  if (kept.designedFor[0] === baseline && kept.designedFor[1] === cases) return false;
  kept.design = designFor(designs, kept.rule, baseline, cases);
  kept.designedFor = [baseline, cases];
  return true;
}

/** Up to a tenth, so that it changes seldom. */
function effectOf({ stability }: Settings, { correct }: WatchedGroup): number {
  if (stability === undefined) return 1;
  return Math.ceil(designEffect(correct, stability.k) * 10 - 1e-9) / 10;
}

const none: readonly never[] = [];

/** The reading of one of so many groups that share the false alarms of its rule; its causes are told elsewhere. */
function readingOf(
  watcher: Watcher,
  group: WatchedGroup,
  kept: Kept,
  moment: ChartMoment,
  groups: number,
): WatchReading {
  const { panes } = watcher;
  const { rule, rate, effect, chart } = kept;
  const { reference } = kept.learned;
  design(watcher, kept, groups);
  const run = kept.design && chartAt(panes, { group, rate, chart }, { design: kept.design, effect }, moment);
  if (run === undefined && chart.of[0] !== undefined) Object.assign(chart, noChart());
  const { firing, level, sinceMs, n, bad, spell, over } = run ?? chart.run;
  return {
    watch: rule.metric,
    dimensions: group.dimensions,
    values: group.values,
    design: kept.design,
    designEffect: effect,
    firing,
    statistic: Math.max(0, level) / effect,
    span: level > 0 ? { sinceMs, n, bad } : undefined,
    before: firing && reference.n > 0 ? { n: reference.n, bad: reference.bad } : undefined,
    causes: none,
    spells: spell === undefined ? over : [...over, spell],
  };
}
