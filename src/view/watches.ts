import type { PartitionState } from '../state/partition.ts';
import { finish, type Steps } from '../state/steps.ts';
import { paneOf } from '../state/windows.ts';
import type { WatchReading } from './summary.ts';
import { designFor, effectOf, falseAlarmCases, learnedOf, type WatchRule } from './watch-baseline.ts';
import { type AlarmedWatch, cacheBaselines } from './cause-baselines.ts';
import { type ChartMoment, chartAt, noChart } from './watch-chart.ts';
import { cellAt, readWatchPanes, type WatchedGroup } from './watch-panes.ts';
import { explained, type LastReadings, noReadings, putReading } from './watch-readings.ts';
import { segmentsAt } from './watch-segments.ts';
import { findGroups, type Kept, type Watched, type Watcher } from './watcher.ts';

/** The part that is the same for all groups of a reading. */
interface Moment extends ChartMoment {
  readonly groupsOf: ReadonlyMap<WatchRule, number>;
  /** Readings of one key are the same where no pane of the group has changed: a pane without cases changes nothing. */
  readonly key: string;
}

/**
 * Does in steps what of a reading at the time that `asOf` tells may take long; `watchReadings` does the rest. It gives up where another reading comes between
 * two steps: several may prepare at once.
 */
export function* prepareWatches(watcher: Watcher, states: readonly PartitionState[], asOf: () => number): Steps<void> {
  const { panes } = watcher;
  yield* readWatchPanes(panes, states, asOf);
  const { readCount } = panes;
  findGroups(watcher);
  const newest = newestAt(watcher, asOf());
  for (const one of toLearn(watcher, newest)) {
    if (learn(watcher, one, newest)) yield;
    if (panes.readCount !== readCount) return;
  }
  const moment = momentAt(watcher, asOf());
  for (const one of toRead(watcher, moment)) {
    const { last } = one;
    readGroup(watcher, one, moment);
    if (one.last !== last) yield;
    if (panes.readCount !== readCount) return;
  }
  for (const _ of cacheBaselines(panes.settings, states, alarmedIn(watcher), watcher.causes)) {
    yield;
    if (panes.readCount !== readCount) return;
  }
}

/** The watches that have alarms, as they were read last. */
function alarmedIn({ panes, watched }: Watcher): AlarmedWatch[] {
  const alarmed: AlarmedWatch[] = [];
  for (const { kept, last } of watched.groups)
    for (const [at, reading] of last?.read.entries() ?? []) {
      if (reading === undefined || reading.incidents.length === 0) continue;
      const { rate, learned } = kept[at]!;
      alarmed.push({ reading, rate: panes.rates[rate]!, reference: learned.reference });
    }
  return alarmed;
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
  finish(readWatchPanes(panes, states, () => asOfMs));
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
  panes.readCount++;
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
  const segments = segmentsAt(watcher.panes.settings.windows, asOfMs);
  const borders = segments.map(({ first }) => first).join();
  watcher.groupsOf ??= groupsOfRules(watcher.watched.groups);
  // What was read for a later time may hold what comes after this.
  if (asOfMs < watcher.asOfMs) {
    for (const one of watcher.watched.groups) one.last = undefined;
    watcher.last = undefined;
  }
  watcher.asOfMs = asOfMs;
  const { groupsOf } = watcher;
  const key = `${borders} ${watcher.rules.map((rule) => groupsOf.get(rule)).join()}`;
  return { segments, borders, asOfMs, groupsOf, key };
}

/** The readings of a group, as its watches are kept, or those of before where they are the same. */
function readGroup(watcher: Watcher, watched: Watched, moment: Moment): readonly (WatchReading | undefined)[] {
  const { group, kept, last } = watched;
  if (last?.key === moment.key && group.changed.every((pane) => pane === Number.POSITIVE_INFINITY)) return last.read;
  const newest = newestAt(watcher, moment.asOfMs);
  const newestCells = group.counts.at(-1)!;
  const read = kept.map((one) => {
    // A group of which no window has a case is not there any more.
    const isThere =
      one.learned.casesPerMs > 0 || newestCells[cellAt(watcher.panes, group.counts.length - 1, newest, one.rate)]! > 0;
    return isThere ? readingOf(watcher, group, one, moment) : undefined;
  });
  group.changed.fill(Number.POSITIVE_INFINITY);
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
  const { panes, designs } = watcher;
  const { group } = watched;
  const { revision } = group;
  const ofEvents = effectOf(panes.settings, group);
  let hasLearned = false;
  for (const kept of watched.kept) {
    // A group of runs is one case.
    const effect = panes.rates[kept.rate]!.unit === 'runs' ? 1 : ofEvents;
    if (kept.newest === newest && kept.effect === effect && kept.revision === revision) continue;
    const learned = learnedOf(panes, designs, kept.rule, { group, rate: kept.rate, effect, newest });
    Object.assign(kept, { newest, effect, revision, learned });
    hasLearned = true;
  }
  if (hasLearned) {
    watched.last = undefined;
    watcher.groupsOf = undefined;
  }
  return hasLearned;
}

const none: readonly never[] = [];

/** The reading of a watch; its causes are added elsewhere. */
function readingOf(watcher: Watcher, group: WatchedGroup, kept: Kept, moment: Moment): WatchReading {
  const { panes, designs } = watcher;
  const { rule, rate, effect, chart } = kept;
  const { baseline, casesPerMs, reference } = kept.learned;
  const cases = falseAlarmCases(rule, casesPerMs, moment.groupsOf.get(rule) ?? 0);
  const design = designFor(designs, rule, baseline, cases);
  const run = design && chartAt(panes, { group, rate, chart }, { design, effect }, moment);
  if (run === undefined) Object.assign(chart, noChart());
  const { firing, level, sinceMs, n, bad, incident, over } = run ?? chart.run;
  return {
    watch: rule.metric,
    dimensions: group.dimensions,
    values: group.values,
    design,
    designEffect: effect,
    firing,
    statistic: Math.max(0, level) / effect,
    span: level > 0 ? { sinceMs, n, bad } : undefined,
    before: reference.n > 0 ? { n: reference.n, bad: reference.bad } : undefined,
    causes: none,
    incidents: incident === undefined ? over : [...over, incident],
  };
}
