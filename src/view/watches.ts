import { getOrPut } from '../state/containers/get-or-put.ts';
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
  readonly kept: Map<WatchedGroup, readonly Kept[]>;
  /** The groups of the panes in their order. */
  ordered: { readonly of: readonly WatchedGroup[]; readonly groups: readonly WatchedGroup[] };
}

/** A watcher that has read nothing. */
export function createWatcher(panes: WatchPanes, rules: readonly WatchRule[]): Watcher {
  return { panes, rules, designs: createDesigns(), kept: new Map(), ordered: { of: [], groups: [] } };
}

/** Does in steps what of a reading at the time that `asOf` tells may take long; `watchReadings` does the rest. */
export function* prepareWatches(watcher: Watcher, states: readonly PartitionState[], asOf: () => number): Steps<void> {
  yield* readWatchPanes(watcher.panes, states, asOf);
  const newest = paneOf(watcher.panes.settings.windows.tiers.at(-1)!, asOf());
  const watched = watchedGroups(watcher);
  for (const one of watched) if (learn(watcher, one, newest)) yield;
  const groupsOf = groupsOfRules(watched);
  for (const { kept } of watched) if (design(watcher, kept, groupsOf.get(kept.rule) ?? 0)) yield;
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
  for (const one of watched) learn(watcher, one, newest);
  const groupsOf = groupsOfRules(watched);
  const segments = segmentsAt(windows, asOfMs);
  const borders = segments.map(({ first }) => first).join();
  const byRule = new Map<WatchRule, Read[]>(rules.map((rule) => [rule, []]));
  for (const { group, kept } of watched) {
    // A group of which no window has a case is not there any more.
    if (
      kept.learned.casesPerMs === 0 &&
      group.counts.at(-1)![cellAt(panes, windows.tiers.length - 1, newest, kept.rate)] === 0
    )
      continue;
    const moment = { segments, borders, asOfMs, groups: groupsOf.get(kept.rule) ?? 0 };
    byRule.get(kept.rule)!.push({ reading: readingOf(watcher, group, kept, moment), kept });
  }
  for (const { group } of watched) group.changed.fill(Number.POSITIVE_INFINITY);
  return explained(watcher, states, segments, [...byRule.values()].flat());
}

/** Groups that share the false alarms of each rule. */
function groupsOfRules(watched: readonly Watched[]): ReadonlyMap<WatchRule, number> {
  const groupsOf = new Map<WatchRule, number>();
  for (const { kept } of watched)
    if (kept.learned.casesPerMs > 0) groupsOf.set(kept.rule, (groupsOf.get(kept.rule) ?? 0) + 1);
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
  const causesOfReading = new Map(firing.map(({ reading }, index) => [reading, causes[index]!]));
  return read.map(({ reading }) => ({ ...reading, causes: causesOfReading.get(reading) ?? [] }));
}

interface Watched {
  readonly group: WatchedGroup;
  readonly effect: number;
  readonly kept: Kept;
}

/** Every group with each of its watches. Groups of partitions that were given away are forgotten. */
function watchedGroups(watcher: Watcher): Watched[] {
  const { panes, kept } = watcher;
  if (watcher.ordered.of !== panes.groups) {
    const groups = panes.byValues.flatMap((byValues) =>
      [...byValues.values()].sort((a, b) => compareValues(a.values, b.values)),
    );
    const known = new Set(groups);
    for (const group of kept.keys()) if (!known.has(group)) kept.delete(group);
    watcher.ordered = { of: panes.groups, groups };
  }
  return watcher.ordered.groups.flatMap((group) => {
    const effect = effectOf(panes.settings, group);
    return keptOf(watcher, group).map((one) => ({ group, effect, kept: one }));
  });
}

/** For each rate the first rule that fits a group holds. */
function keptOf({ panes, rules, kept }: Watcher, group: WatchedGroup): readonly Kept[] {
  return getOrPut(kept, group, () =>
    panes.rates.flatMap(({ path }, rate) => {
      const rule = rules.find((candidate) => candidate.metric === path && fits(candidate, group));
      if (rule === undefined) return [];
      return [{ rule, rate, ...nothingKept() }];
    }),
  );
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
function learn({ panes, designs }: Watcher, { group, effect, kept }: Watched, newest: number): boolean {
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

interface Moment extends ChartMoment {
  /** Groups that share the false alarms of the rule. */
  readonly groups: number;
}

function readingOf(watcher: Watcher, group: WatchedGroup, kept: Kept, moment: Moment): WatchReading {
  const { panes } = watcher;
  const { rule, effect } = kept;
  const { reference } = kept.learned;
  design(watcher, kept, moment.groups);
  const { dimensions, values } = group;
  const named = { watch: rule.metric, dimensions, values, design: kept.design, designEffect: effect, causes: [] };
  if (kept.design === undefined) {
    Object.assign(kept.chart, noChart());
    return { ...named, firing: false, statistic: 0, span: undefined, before: undefined, spells: [] };
  }
  const { firing, level, sinceMs, n, bad, spell, over } = chartAt(
    panes,
    { group, rate: kept.rate, chart: kept.chart },
    { design: kept.design, effect },
    moment,
  );
  return {
    ...named,
    firing,
    statistic: Math.max(0, level) / effect,
    span: level > 0 ? { sinceMs, n, bad } : undefined,
    before: firing && reference.n > 0 ? { n: reference.n, bad: reference.bad } : undefined,
    spells: spell === undefined ? over : [...over, spell],
  };
}
