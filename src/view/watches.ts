import type { PartitionState } from '../state/partition.ts';
import { paneOf } from '../state/windows.ts';
import type { WatchDesign } from '../statistics/watch-design.ts';
import { joinedAlarms, type Span } from '../statistics/watch-run.ts';
import type { WatchReading } from './summary.ts';
import {
  type Designs,
  designFor,
  effectOf,
  falseAlarmCases,
  learnedOf,
  learnedPanes,
  type WatchRule,
} from './watch-baseline.ts';
import { type ChartMoment, chartAt, chartMoment, noChart } from './watch-chart.ts';
import { cellAt, readWatchPanes, type WatchedGroup } from './watch-panes.ts';
import { explained, type LastReadings, noReadings, putReading } from './watch-readings.ts';
import { findGroups, type Kept, type Watched, type Watcher } from './watcher.ts';

/** The part that is the same for all groups of a reading. */
interface Moment extends ChartMoment {
  readonly groupsOf: ReadonlyMap<WatchRule, number>;
  /** Readings of one key are the same where no pane of the group has changed: a pane without cases changes nothing. */
  readonly key: string;
}

/**
 * The watches of every group at time T: rule by rule, set by set, values by code unit. A function of the states and T alone, whatever was read
 * before. Without causes an alarm costs no more than any other reading.
 */
export function watchReadings(
  watcher: Watcher,
  states: readonly PartitionState[],
  asOfMs: number,
  withCauses = true,
): readonly WatchReading[] {
  const { panes, rules } = watcher;
  // How often a pane of a state has grown says nothing of another state.
  if (readWatchPanes(panes, states, asOfMs)) watcher.causes = { ...watcher.causes, baselines: new WeakMap() };
  findGroups(watcher);
  const newest = newestAt(watcher, asOfMs);
  for (const one of toLearn(watcher, newest)) learn(watcher, one, newest);
  const moment = momentAt(watcher, asOfMs);
  const read = toRead(watcher, moment);
  const { groups } = watcher.watched;
  const last = readBefore(watcher, moment) ?? noReadings(moment.key, newest, rules.length * groups.length);
  watcher.last = last;
  for (const one of read) {
    const readings = readGroup(watcher, one, moment);
    for (const [at, { order, rate, learned }] of one.kept.entries()) {
      const of = { rate: panes.rates[rate]!, reference: learned.reference };
      putReading(last, order * groups.length + one.index, readings[at], of);
    }
  }
  panes.touched.clear();
  if (!withCauses) return last.readings.filter((reading) => reading !== undefined);
  return explained(panes.settings, states, moment.segments, last, watcher.causes);
}

function newestAt({ panes }: Watcher, asOfMs: number): number {
  return paneOf(panes.settings.windows.tiers.at(-1)!, asOfMs);
}

/** The groups of which something may be learned. */
function toLearn(watcher: Watcher, newest: number): Iterable<Watched> {
  return watcher.last?.newest === newest ? touched(watcher) : watcher.watched.groups;
}

/** The groups whose readings may not be what they were. */
function toRead(watcher: Watcher, moment: Moment): Iterable<Watched> {
  return readBefore(watcher, moment) === undefined ? watcher.watched.groups : touched(watcher);
}

/** The last readings, where those of groups that were not touched since still hold at a moment. */
function readBefore(watcher: Watcher, { key, asOfMs }: Moment): LastReadings | undefined {
  const { last } = watcher;
  return last?.key === key && last.newest === newestAt(watcher, asOfMs) ? last : undefined;
}

/** The groups that another reader has just met in a pane are for the next reading. */
function* touched({ panes, watched }: Watcher): Iterable<Watched> {
  for (const group of panes.touched) {
    const known = watched.byGroup.get(group);
    if (known !== undefined) yield known;
  }
}

function momentAt(watcher: Watcher, asOfMs: number): Moment {
  const moment = chartMoment(watcher.panes.settings.windows, asOfMs);
  watcher.groupsOf ??= groupsOfRules(watcher.watched.groups);
  // What was read for a later time may hold what comes after this.
  if (asOfMs < watcher.asOfMs) {
    for (const one of watcher.watched.groups) one.last = undefined;
    watcher.last = undefined;
  }
  watcher.asOfMs = asOfMs;
  const { groupsOf } = watcher;
  return { ...moment, groupsOf, key: `${moment.borders} ${watcher.rules.map((rule) => groupsOf.get(rule)).join()}` };
}

/** The readings of a group, as its watches are kept, or those of before where they are the same. */
function readGroup(watcher: Watcher, watched: Watched, moment: Moment): readonly (WatchReading | undefined)[] {
  const { group, kept, last } = watched;
  if (last?.key === moment.key && group.changed.every((pane) => pane === Number.POSITIVE_INFINITY)) return last.read;
  const newest = newestAt(watcher, moment.asOfMs);
  const newestCells = group.counts.at(-1)!;
  const read = kept.map((one, at) => {
    if (last?.key === moment.key && group.changedRates[one.rate] === 0) return last.read[at];
    // A group of which no window has a case is not there any more.
    const isThere =
      one.learned.casesPerMs > 0 || newestCells[cellAt(watcher.panes, group.counts.length - 1, newest, one.rate)]! > 0;
    return isThere ? readingOf(watcher, group, one, moment) : undefined;
  });
  group.changed.fill(Number.POSITIVE_INFINITY);
  group.changedRates.fill(0);
  watched.last = { key: moment.key, read };
  return read;
}

/** Groups that share the false alarms of each rule. */
function groupsOfRules(watched: readonly Watched[]): ReadonlyMap<WatchRule, number> {
  const groupsOf = new Map<WatchRule, number>();
  for (const { kept } of watched)
    for (const { rule, learned } of kept) if (learned.casesPerMs > 0) groupsOf.set(rule, (groupsOf.get(rule) ?? 0) + 1);
  return groupsOf;
}

/** Learns what has become known of a group; tells whether something had. */
function learn(watcher: Watcher, watched: Watched, newest: number): boolean {
  const { panes } = watcher;
  const { group } = watched;
  const { unlearned } = group;
  const ofEvents = effectOf(panes.settings, group);
  let hasLearned = false;
  for (const kept of watched.kept) {
    // A group of runs is one case.
    const effect = panes.rates[kept.rate]!.unit === 'runs' ? 1 : ofEvents;
    const isKnown = kept.effect === effect && unlearned >= Math.max(kept.of.end, kept.of.begin);
    if (isKnown && kept.newest === newest) continue;
    // Where time has gone on and nothing was late, the panes before the first with cases still have none.
    const empty = kept.newest <= newest && unlearned >= kept.of.begin ? kept.of.begin : Number.NEGATIVE_INFINITY;
    const of = learnedPanes(panes, kept.rule, { group, rate: kept.rate }, { newest, empty });
    kept.newest = newest;
    if (isKnown && kept.of.first === of.first && kept.of.end === of.end) {
      kept.of = of;
      continue;
    }
    const learned = learnedOf(panes, watcher, kept.rule, { group, rate: kept.rate, effect, of });
    Object.assign(kept, { of, effect, learned });
    hasLearned = true;
  }
  group.unlearned = Number.POSITIVE_INFINITY;
  if (hasLearned) {
    watched.last = undefined;
    watcher.groupsOf = undefined;
  }
  return hasLearned;
}

const none: readonly never[] = [];

/** The reading of a watch; its causes are added elsewhere. */
function readingOf(watcher: Watcher, group: WatchedGroup, kept: Kept, moment: Moment): WatchReading {
  const { panes, designs, ends } = watcher;
  const { rule, rate, effect, chart } = kept;
  const { reference, untilMs } = kept.learned;
  const design = designIn(designs, kept, moment.groupsOf.get(rule) ?? 0);
  const run = design && chartAt(panes, { group, rate, chart }, { design, effect, ends }, moment);
  if (run === undefined && chart.of !== undefined) Object.assign(chart, noChart());
  const { level, alarm, recovery, over } = run ?? chart.run;
  const incidents = joinedAlarms({ over, alarm });
  return {
    watch: rule.metric,
    dimensions: group.dimensions,
    values: group.values,
    design,
    learningUntilMs: design === undefined ? untilMs : undefined,
    designEffect: effect,
    firing: alarm !== undefined,
    statistic: Math.max(0, level) / effect,
    span: alarm && spanOf(incidents.at(-1)!),
    recovery: recovery && spanOf(recovery),
    before: reference.n > 0 ? { n: reference.n, bad: reference.bad } : undefined,
    causes: none,
    incidents,
  };
}

function designIn(designs: Designs, kept: Kept, groups: number): WatchDesign | undefined {
  const { rule, learned } = kept;
  if (kept.designOf === learned && kept.groups === groups) return kept.design;
  const design = designFor(designs, rule, learned.baseline, falseAlarmCases(rule, learned.casesPerMs, groups));
  Object.assign(kept, { design, designOf: learned, groups });
  return design;
}

function spanOf({ sinceMs, n, bad }: Span): Span {
  return { sinceMs, n, bad };
}
