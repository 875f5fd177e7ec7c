import {
  type Counts,
  type HistoryMetric,
  type HistoryValue,
  historyMetrics,
  historyValue,
} from '../../src/formats/summary/history.ts';
import type { CountHistory, LiveDocument } from '../../src/formats/summary/live-document.ts';
import { sumOf } from './history.ts';
import { count, duration, plural, printable } from './format.ts';

/** What a person should look at. */
export interface Alarms {
  /** What is wrong with the service, the worst first. */
  readonly service: readonly Notice[];
  /** Rates that have become worse, the greatest change first. */
  readonly changes: readonly Change[];
}

export interface Notice {
  readonly key: string;
  readonly title: string;
  readonly text: string;
}

/** A rate that has clearly become worse. */
export interface Change {
  /** Id of the group. */
  readonly id: string;
  readonly metric: HistoryMetric;
  /** When it most likely became worse: wall clock, ms. */
  readonly sinceMs: number;
  /** Its value until then, and since. */
  readonly before: number;
  readonly now: number;
}

/** Nothing stands out. */
export const noAlarms: Alarms = { service: [], changes: [] };

/** Everything that stands out in a reading. */
export function alarmsOf(document: LiveDocument, history: CountHistory | undefined): Alarms {
  const changes = history === undefined ? [] : document.groups.flatMap((group) => changesOf(history, group.id));
  return {
    service: notices(document, history),
    changes: changes.sort((a, b) => Math.abs(b.now - b.before) - Math.abs(a.now - a.before)),
  };
}

/** Paths of the rates of a group that have become worse. */
export function worsePaths({ changes }: Alarms, id: string | undefined): ReadonlySet<string> {
  return new Set(changes.filter((change) => change.id === id).map(({ metric }) => metric.path));
}

/** Spans that are looked at, in points: a short one sees a jump within seconds, a long one a small change. */
const spans: readonly number[] = [1, 3, 12];
/**
 * Half-width of the intervals compared, in standard deviations: hundreds of pairs are compared every few seconds, and the runs of
 * one example are alike, so two would cry wolf all day.
 */
const caution = 4;
const smallestChange = 0.03;
const fewestBefore = 30;
const fewestNow = 10;

/**
 * Rates of a group that are worse in the last seconds than in the rest of the history, beyond what chance explains: the intervals of
 * the two do not meet, and the values differ by at least 3 points.
 *
 * Before 50 of 1,000, now 20 of 50: [2.9%, 8.5%] and [17.4%, 67.9%] at 4 standard deviations do not meet: worse.
 */
export function changesOf(history: CountHistory, id: string): readonly Change[] {
  const points = history.groups[id];
  if (points === undefined) return [];
  const parts = spans
    .filter((span) => span < points.length)
    .map((span) => ({ span, before: sumOf(points.slice(0, -span)), now: sumOf(points.slice(-span)) }));
  return historyMetrics.flatMap((metric) => {
    const isSeen = parts.some((part) => isWorse(splitOf(metric, part)));
    const split = isSeen ? likeliestSplit(metric, points) : undefined;
    if (split === undefined) return [];
    const { span, before, now } = split;
    const sinceMs = history.at.at(-span)! - history.every_ms;
    return [{ id, metric, sinceMs, before: before.value!, now: now.value! }];
  });
}

/** A history in two parts, summed: its last points, and those before. */
interface Parts {
  readonly span: number;
  readonly before: readonly number[];
  readonly now: readonly number[];
}

/** What a rate is in the two. */
interface Split {
  readonly metric: HistoryMetric;
  readonly span: number;
  readonly before: HistoryValue;
  readonly now: HistoryValue;
}

function splitOf(metric: HistoryMetric, { span, before, now }: Parts): Split {
  return { metric, span, before: historyValue(metric, before, caution), now: historyValue(metric, now, caution) };
}

/**
 * Where a rate became worse: the split at which what was counted is most likely (Hinkley and Hinkley, "Inference about the change-point in a
 * sequence of binomial variables", Biometrika 57, 1970).
 */
function likeliestSplit(metric: HistoryMetric, points: CountHistory['groups'][string]): Split | undefined {
  const [before, now] = [sumOf(points), sumOf([])];
  let best: Split | undefined;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let span = 1; span < points.length; span++) {
    points.at(-span)?.forEach((count, cell) => {
      before[cell]! -= count;
      now[cell]! += count;
    });
    const split = splitOf(metric, { span, before, now });
    if (!isWorse(split)) continue;
    const likely = likelihood(split);
    if (likely > greatest) [best, greatest] = [split, likely];
  }
  return best;
}

/** The logarithm, when each part has the rate that was counted in it. */
function likelihood({ before, now }: Split): number {
  return logLikelihood(before.counts!) + logLikelihood(now.counts!);
}

function logLikelihood({ numerator, denominator }: Counts): number {
  const part = (count: number): number => (count === 0 ? 0 : count * Math.log(count / denominator));
  return part(numerator) + part(denominator - numerator);
}

function isWorse({ metric, before, now }: Split): boolean {
  if ((before.counts?.denominator ?? 0) < fewestBefore || (now.counts?.denominator ?? 0) < fewestNow) return false;
  if (Math.abs(now.value! - before.value!) < smallestChange) return false;
  return metric.better === 'lower' ? now.lower! > before.upper! : now.upper! < before.lower!;
}

/** More waits than was read in a minute: it will not be caught up with soon. */
const lagSpanPoints = 12;

/** Records of all partitions that are not read yet. */
export function lagOf({ service }: LiveDocument): number {
  return service?.partitions.reduce((sum, { lag }) => sum + (lag ?? 0), 0) ?? 0;
}

function notices(document: LiveDocument, history: CountHistory | undefined): readonly Notice[] {
  const { service } = document;
  if (service === null) return [];
  const failing = service.checks.filter(({ ok }) => !ok);
  const lag = lagOf(document);
  const lately = history?.ingest.slice(-lagSpanPoints) ?? [];
  const read = lately.reduce((sum, [records]) => sum + records, 0);
  const isBehind = lately.length === lagSpanPoints && lag > read;
  return [
    ...failing.map(({ name, detail }) => ({ key: `check ${name}`, title: name, text: printable(detail) })),
    ...(isBehind ? [{ key: 'lag', title: 'behind', text: behindText(lag, read, history!.every_ms) }] : []),
    ...(service.lost_records > 0 ? [{ key: 'lost', title: 'records lost', text: lostText(service.lost_records) }] : []),
    ...Object.entries(service.limits).map(([name, times]) => ({
      key: `limit ${name}`,
      title: 'limit reached',
      text: `limits.${name}, ${count(times)} times since the start`,
    })),
  ];
}

function behindText(lag: number, read: number, everyMs: number): string {
  return `${count(lag)} records wait, ${count(read)} were read in the last ${duration(lagSpanPoints * everyMs)}`;
}

function lostText(records: number): string {
  return `the log no longer had ${plural(records, 'record')} that had not been read`;
}
