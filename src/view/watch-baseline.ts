import { zOfLevel } from '../scoring/quantile.ts';
import { wilson } from '../scoring/reading.ts';
import type { Settings } from '../state/settings.ts';
import { designEffect } from '../statistics/design-effect.ts';
import { type Reference, referenceOf, referencePane } from '../statistics/learning.ts';
import { casesLeast, type createDesigns, roundedUp, type WatchDesign } from '../statistics/watch-design.ts';
import { ratesProblem, worstOf } from '../statistics/watch-rates.ts';
import type { Chart } from '../statistics/watch-run.ts';
import { chartOf, type EndDesigns } from './watch-chart.ts';
import { cellAt, cellsOf, type WatchedGroup, type WatchPanes } from './watch-panes.ts';

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

/** Returns whether a rule watches a group. */
export function fits({ sets, where }: WatchRule, { dimensions, values }: WatchedGroup): boolean {
  return (
    sets.some((set) => set.join() === dimensions.join()) &&
    Object.entries(where).every(([dimension, value]) => values[dimensions.indexOf(dimension)] === value)
  );
}

/** The rate of a group in the panes of the longest tier before the newest. */
export interface Learned {
  /** The baseline of the rule, or the rate of the reference span. */
  readonly baseline: number | undefined;
  readonly casesPerMs: number;
  /** While there is no baseline: the event time at which there will be one, if cases go on to come as they did. */
  readonly untilMs: number | undefined;
  /** `end` and `fired` are panes of the longest tier. */
  readonly reference: Reference;
}

/** Designs by their rates and cases. */
export type Designs = ReturnType<typeof createDesigns>;

/** Panes of the longest tier up to, and without, `end`; none where there are no cases. */
export interface LearnedPanes {
  readonly first: number;
  readonly end: number;
  /** The first that is kept and has cases, or the newest. */
  readonly begin: number;
}

/** A rate of a group. */
interface RateOf {
  readonly group: WatchedGroup;
  readonly rate: number;
}

const hourMs = 3_600_000;
/** A group with cases of so long learns once an hour, before at each pane. */
const youngMs = 12 * hourMs;

/**
 * The panes that a rule learns from at the newest pane of the longest tier: those before it, or before the last full hour. None before `empty`
 * has cases.
 */
export function learnedPanes(
  panes: WatchPanes,
  rule: WatchRule,
  { group, rate }: RateOf,
  { newest, empty }: { readonly newest: number; readonly empty: number },
): LearnedPanes {
  const { tiers } = panes.settings.windows;
  const tier = tiers.at(-1)!;
  const reach = Math.min(tier.panes - 1, Math.max(1, Math.floor(rule.learnMs / tier.paneMs)));
  const cells = group.counts.at(-1)!;
  let begin = Math.max(newest - reach, empty);
  while (begin < newest && cells[cellAt(panes, tiers.length - 1, begin, rate)] === 0) begin++;
  if (begin === newest) return { first: 0, end: 0, begin };
  if ((newest - begin) * tier.paneMs < youngMs) return { first: newest - reach, end: newest, begin };
  const every = Math.max(1, Math.floor(hourMs / tier.paneMs));
  const end = Math.floor(newest / every) * every;
  // Of every pane of that hour the panes from here on are there.
  return { first: end - reach + every - 1, end, begin };
}

/** Learns what there is to learn from some panes. */
export function learnedOf(
  panes: WatchPanes,
  { designs, ends }: { readonly designs: Designs; readonly ends: EndDesigns },
  rule: WatchRule,
  { group, rate, effect, of }: RateOf & { readonly effect: number; readonly of: LearnedPanes },
): Learned {
  const { tiers } = panes.settings.windows;
  const tier = tiers.at(-1)!;
  // The panes before have no cases.
  const oldest = Math.min(Math.max(of.first, of.begin), of.end);
  const reach = of.end - oldest;
  const cells = group.counts.at(-1)!;
  const counts = new Float64Array(2 * reach);
  let first = reach;
  let cases = 0;
  let at = cellAt(panes, tiers.length - 1, oldest, rate);
  for (let index = 0; index < reach; index++) {
    const n = cells[at]!;
    counts[2 * index] = n;
    counts[2 * index + 1] = cells[at + 1]!;
    cases += n;
    if (n > 0) first = Math.min(first, index);
    at += cellsOf(panes);
    if (at >= cells.length) at -= cells.length;
  }
  const casesPerMs = cases === 0 ? 0 : cases / ((reach - first) * tier.paneMs);
  // False alarms here leave some panes out, and nothing else: a power of ten keeps the designs few.
  const cases10 = 10 ** Math.ceil(Math.log10(falseAlarmCases(rule, casesPerMs, 1) ?? casesLeast));
  const baselineFor = (n: number, bad: number): number | undefined => rule.baseline ?? baselineOf(n, bad, effect);
  let last: { readonly baseline: number | undefined; readonly chart: Chart | undefined } | undefined;
  const chartFor = (n: number, bad: number): Chart | undefined => {
    const baseline = baselineFor(n, bad);
    if (last === undefined || last.baseline !== baseline) {
      const design = designFor(designs, rule, baseline, cases10);
      last = { baseline, chart: design && chartOf(design, effect, ends) };
    }
    return last.chart;
  };
  const found = referenceOf(counts, { panes: reach, paneMs: tier.paneMs, chartFor });
  const reference = {
    ...found,
    end: Math.max(of.first, oldest + found.end),
    fired: found.fired.map((pane) => oldest + pane),
  };
  const baseline = baselineFor(found.n, found.bad);
  const until =
    baseline === undefined ? referencePane(counts, { panes: reach, paneMs: tier.paneMs }, casesLeast) : undefined;
  return { baseline, casesPerMs, untilMs: until && (oldest + until) * tier.paneMs, reference };
}

const z90 = zOfLevel(0.9);
const baselineLeast = 0.001;

/**
 * The upper end of the 90 % Wilson interval, so that an estimate does not make false alarms; undefined below 200 cases. Cases that are alike tell
 * as much as so many fewer.
 */
function baselineOf(n: number, bad: number, effect: number): number | undefined {
  if (n < casesLeast) return undefined;
  return roundedUp(Math.max(baselineLeast, wilson(bad / effect, n / effect, z90)[1]));
}

/** The design of a rule for a baseline and cases between false alarms; undefined while one is not known. */
export function designFor(
  designs: Designs,
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
export function falseAlarmCases({ falseAlarm }: WatchRule, casesPerMs: number, groups: number): number | undefined {
  if (casesPerMs === 0) return undefined;
  const cases = 'cases' in falseAlarm ? falseAlarm.cases : falseAlarm.everyMs * groups * casesPerMs;
  return Math.max(casesLeast, roundedUp(cases));
}

/** The design effect of a group's runs, up to a tenth, so that it changes seldom. */
export function effectOf({ stability }: Settings, { correct }: WatchedGroup): number {
  if (stability === undefined) return 1;
  return Math.ceil(designEffect(correct, stability.k) * 10 - 1e-9) / 10;
}
