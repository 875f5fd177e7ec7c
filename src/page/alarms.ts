import { type CourseMetric, courseMetrics, courseValue } from '../codec/course.ts';
import type { CountCourse, LiveDocument } from '../codec/live-document.ts';
import { sumOf } from './course.ts';
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
  readonly metric: CourseMetric;
  readonly spanMs: number;
  readonly before: number;
  readonly now: number;
}

/** Nothing stands out. */
export const noAlarms: Alarms = { service: [], changes: [] };

/** Everything that stands out in a reading. */
export function alarmsOf(document: LiveDocument, course: CountCourse | undefined): Alarms {
  const changes = course === undefined ? [] : document.groups.flatMap((group) => changesOf(course, group.id));
  return {
    service: notices(document, course),
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
const fewestBefore = 100;
const fewestNow = 10;

/**
 * Rates of a group that are worse in the last seconds than in the rest of the course, beyond what chance explains: the intervals of
 * the two do not meet, and the values differ by at least 3 points.
 *
 * Before 50 of 1,000, now 20 of 50: [2.9%, 8.5%] and [17.4%, 67.9%] at 4 standard deviations do not meet: worse.
 */
export function changesOf(course: CountCourse, id: string): readonly Change[] {
  const points = course.groups[id];
  if (points === undefined) return [];
  return courseMetrics.flatMap((metric) => {
    for (const span of spans) {
      if (points.length <= span) return [];
      const before = courseValue(metric, sumOf(points.slice(0, -span)), caution);
      const now = courseValue(metric, sumOf(points.slice(-span)), caution);
      if (!isWorse(metric, before, now)) continue;
      return [{ id, metric, spanMs: span * course.every_ms, before: before.value!, now: now.value! }];
    }
    return [];
  });
}

type Value = ReturnType<typeof courseValue>;

function isWorse({ better }: CourseMetric, before: Value, now: Value): boolean {
  if ((before.counts?.denominator ?? 0) < fewestBefore || (now.counts?.denominator ?? 0) < fewestNow) return false;
  if (Math.abs(now.value! - before.value!) < smallestChange) return false;
  return better === 'lower' ? now.lower! > before.upper! : now.upper! < before.lower!;
}

/** More waits than was read in a minute: it will not be caught up with soon. */
const lagSpanPoints = 12;

function notices({ service }: LiveDocument, course: CountCourse | undefined): readonly Notice[] {
  if (service === null) return [];
  const failing = service.checks.filter(({ ok }) => !ok);
  const lag = service.partitions.reduce((sum, partition) => sum + (partition.lag ?? 0), 0);
  const lately = course?.intake.slice(-lagSpanPoints) ?? [];
  const read = lately.reduce((sum, [records]) => sum + records, 0);
  const isBehind = lately.length === lagSpanPoints && lag > read;
  return [
    ...failing.map(({ name, detail }) => ({ key: `check ${name}`, title: name, text: printable(detail) })),
    ...(isBehind ? [{ key: 'lag', title: 'behind', text: behindText(lag, read, course!.every_ms) }] : []),
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
