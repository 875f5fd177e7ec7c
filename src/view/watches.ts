import { zOfLevel } from '../scoring/quantile.ts';
import { wilson } from '../scoring/reading.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import { finish, type Steps } from '../state/steps.ts';
import { paneOf } from '../state/windows.ts';
import { designEffect } from '../statistics/design-effect.ts';
import { learnedCounts } from '../statistics/learning.ts';
import { casesLeast, createDesigns, roundedUp, type WatchDesign } from '../statistics/watch-design.ts';
import { ratesProblem, worstOf } from '../statistics/watch-rates.ts';
import { compareValues } from './compare-values.ts';
import type { WatchReading } from './summary.ts';
import { type ChartMoment, chartAt, type KeptChart, noChart } from './watch-chart.ts';
import { cellAt, readWatchPanes, type WatchedGroup, type WatchPanes } from './watch-panes.ts';
import { segmentsAt } from './watch-segments.ts';

/** Which groups are watched for a rate, and how (docs/reference/scoring.md, "Watches"). */
export interface WatchRule {
  /** Path in a summary group: `decision.tool_hall`. */
  readonly metric: string;
  /** Sets of dimensions; `[]` is the total. */
  readonly sets: readonly (readonly string[])[];
  /** Only groups with these values. */
  readonly where: Readonly<Record<string, string>>;
  /** The rate in control; undefined: learned from the last `learnMs`, or from the longest window. */
  readonly baseline: number | undefined;
  readonly learnMs: number;
  /** The rate to be caught quickly; undefined: by `worstOf`. */
  readonly worst: number | undefined;
  /** Mean cases of a group between false alarms, or mean time between those of all its groups. */
  readonly falseAlarm: { readonly cases: number } | { readonly everyMs: number };
}

/** What is kept of the watch of one group from one reading to the next. */
interface Kept {
  readonly rule: WatchRule;
  readonly rate: number;
  /** The newest pane of the longest tier, the revision of those before it and the design effect that the next two were made for. */
  newest: number;
  revision: number;
  effect: number;
  /** What the rule says, or the reference span. */
  baseline: number | undefined;
  casesPerMs: number;
  /** The design for so many cases between false alarms and that baseline. */
  design: WatchDesign | undefined;
  designedFor: readonly [baseline: number | undefined, cases: number | undefined];
  readonly chart: KeptChart;
}

/** Reads watches; keeps what will hardly change. */
export interface Watcher {
  readonly panes: WatchPanes;
  readonly rules: readonly WatchRule[];
  readonly designs: ReturnType<typeof createDesigns>;
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
  for (const one of watchedGroups(watcher)) {
    if (learn(watcher, one, newest)) yield;
  }
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
  const groupsOf = new Map<WatchRule, number>();
  for (const { kept } of watched) if (kept.casesPerMs > 0) groupsOf.set(kept.rule, (groupsOf.get(kept.rule) ?? 0) + 1);
  const segments = segmentsAt(windows, asOfMs);
  const borders = segments.map(({ first }) => first).join();
  const byRule = new Map<WatchRule, WatchReading[]>(rules.map((rule) => [rule, []]));
  for (const { group, kept } of watched) {
    // A group of which no window has a case is not there any more.
    if (kept.casesPerMs === 0 && group.counts.at(-1)![cellAt(panes, windows.tiers.length - 1, newest, kept.rate)] === 0)
      continue;
    const moment = { segments, borders, asOfMs, groups: groupsOf.get(kept.rule) ?? 0 };
    byRule.get(kept.rule)!.push(readingOf(watcher, group, kept, moment));
  }
  for (const { group } of watched) group.changed.fill(Number.POSITIVE_INFINITY);
  return [...byRule.values()].flat();
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
      return [{ rule, rate, ...nothingKept(rule) }];
    }),
  );
}

function nothingKept({ baseline }: WatchRule): Omit<Kept, 'rule' | 'rate'> {
  return {
    newest: Number.NaN,
    revision: 0,
    effect: 1,
    baseline,
    casesPerMs: 0,
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

/** Works out what the panes of the longest tier before the newest say, if it is not known yet; tells whether it was not. */
function learn({ panes, designs }: Watcher, { group, effect, kept }: Watched, newest: number): boolean {
  if (kept.newest === newest && kept.effect === effect && kept.revision === group.revision) return false;
  const { tiers } = panes.settings.windows;
  const tier = tiers.at(-1)!;
  const { rule } = kept;
  const reach = Math.min(tier.panes - 1, Math.max(1, Math.floor(rule.learnMs / tier.paneMs)));
  const cells = group.counts.at(-1)!;
  const counts = new Float64Array(2 * reach);
  let first = reach;
  let cases = 0;
  for (let index = reach - 1; index >= 0; index--) {
    const at = cellAt(panes, tiers.length - 1, newest - reach + index, kept.rate);
    const n = cells[at]!;
    if (n === 0) continue;
    counts[2 * index] = n;
    counts[2 * index + 1] = cells[at + 1]!;
    cases += n;
    first = index;
  }
  const casesPerMs = cases === 0 ? 0 : cases / ((reach - first) * tier.paneMs);
  Object.assign(kept, { newest, effect, revision: group.revision, casesPerMs });
  if (rule.baseline !== undefined) return true;
  // False alarms here leave some panes out, and nothing else: a power of ten keeps the designs few.
  const cases10 = 10 ** Math.ceil(Math.log10(falseAlarmCases(kept, 1) ?? casesLeast));
  const chartFor = (n: number, bad: number) => {
    const design = designFor(designs, rule, baselineOf(n, bad), cases10);
    return design && { weights: design.weights, threshold: design.threshold * effect };
  };
  kept.baseline = baselineOf(...learnedCounts(counts, { panes: reach, paneMs: tier.paneMs, chartFor }));
  return true;
}

const z90 = zOfLevel(0.9);
const baselineLeast = 0.001;

/** The upper end of the 90 % Wilson interval, so that an estimate does not make false alarms; undefined below 200 cases. */
function baselineOf(n: number, bad: number): number | undefined {
  if (n < casesLeast) return undefined;
  return roundedUp(Math.max(baselineLeast, wilson(bad, n, z90)[1]));
}

function designFor(
  designs: Watcher['designs'],
  { worst = 0 }: WatchRule,
  baseline: number | undefined,
  cases: number | undefined,
): WatchDesign | undefined {
  if (baseline === undefined || cases === undefined) return undefined;
  // What has been learned may lie above a worst rate that was given.
  return designs(baseline, ratesProblem(baseline, worst) === undefined ? worst : worstOf(baseline), cases);
}

/**
 * Cases of one of so many groups between its false alarms; undefined while there is no rate of cases. They are not divided by the design effect, as
 * those of the chart are: runs that are alike come in lumps, for which the effect alone allows too little.
 */
function falseAlarmCases({ rule, casesPerMs }: Kept, groups: number): number | undefined {
  if (casesPerMs === 0) return undefined;
  const cases = 'cases' in rule.falseAlarm ? rule.falseAlarm.cases : rule.falseAlarm.everyMs * groups * casesPerMs;
  return Math.max(casesLeast, roundedUp(cases));
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

function readingOf({ panes, designs }: Watcher, group: WatchedGroup, kept: Kept, moment: Moment): WatchReading {
  const { rule, effect, baseline } = kept;
  const cases = falseAlarmCases(kept, moment.groups);
  if (kept.designedFor[0] !== baseline || kept.designedFor[1] !== cases) {
    kept.design = designFor(designs, rule, baseline, cases);
    kept.designedFor = [baseline, cases];
  }
  const { design } = kept;
  const { dimensions, values } = group;
  const named = { watch: rule.metric, dimensions, values, design, designEffect: effect };
  if (design === undefined) {
    Object.assign(kept.chart, noChart());
    return { ...named, firing: false, statistic: 0, span: undefined };
  }
  const { firing, level, sinceMs, n, bad } = chartAt(
    panes,
    { group, rate: kept.rate, chart: kept.chart },
    { design, effect },
    moment,
  );
  return {
    ...named,
    firing,
    statistic: Math.max(0, level) / effect,
    span: level > 0 ? { sinceMs, n, bad } : undefined,
  };
}
