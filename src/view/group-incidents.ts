import { getOrPut } from '../state/containers/get-or-put.ts';
import type { Group, WatchAlarm, WatchReading } from './summary.ts';

/** An alarm with the watch that gave it. */
export interface WatchedAlarm {
  readonly reading: WatchReading;
  readonly alarm: WatchAlarm;
}

/** Alarms of one group that began together. */
export interface GroupIncident extends Pick<Group, 'dimensions' | 'values'> {
  /** By begin. */
  readonly alarms: WatchedAlarm[];
}

/** Alarms that begin, or whose rates went up, within this time began together. */
const togetherMs = 30 * 60_000;

/** The alarms by group, those that began together in one. */
export function incidentsOfGroups(alarms: readonly WatchedAlarm[]): GroupIncident[] {
  const byGroup = new Map<string, GroupIncident[]>();
  for (const one of [...alarms].sort((a, b) => a.alarm.beginMs - b.alarm.beginMs)) {
    const { dimensions, values } = one.reading;
    const incidents = getOrPut(byGroup, keyOf(one.reading), () => []);
    const incident = incidents.find((known) => known.alarms.some((other) => isTogether(other, one)));
    if (incident === undefined) incidents.push({ dimensions, values, alarms: [one] });
    else incident.alarms.push(one);
  }
  return [...byGroup.values()].flat();
}

/** Returns whether an alarm of one began with an alarm of the other. */
export function beganWith(a: GroupIncident, b: GroupIncident): boolean {
  return a.alarms.some((one) => b.alarms.some((other) => isTogether(one, other)));
}

/** Returns whether an alarm of one goes on in the time of an alarm of the other, or began just before or after. */
export function isMeanwhile(a: GroupIncident, b: GroupIncident): boolean {
  const overlap = ({ alarm: one }: WatchedAlarm, { alarm: other }: WatchedAlarm): boolean =>
    one.sinceMs <= other.untilMs + togetherMs && other.sinceMs <= one.untilMs + togetherMs;
  return a.alarms.some((one) => b.alarms.some((other) => overlap(one, other)));
}

/** The change of the rate of bad cases in an alarm. */
export function changeOf({ reading, alarm }: WatchedAlarm): number {
  return alarm.bad / alarm.n - usualOf(reading);
}

/** Share of bad cases before, or the baseline where there were no cases. */
export function usualOf({ before, design }: WatchReading): number {
  return before === undefined ? design!.baseline : before.bad / before.n;
}

/** A group as a key of maps. */
export function keyOf({ dimensions, values }: Pick<Group, 'dimensions' | 'values'>): string {
  return JSON.stringify([dimensions, values]);
}

function isTogether({ alarm: a }: WatchedAlarm, { alarm: b }: WatchedAlarm): boolean {
  return Math.abs(a.beginMs - b.beginMs) <= togetherMs || Math.abs(a.sinceMs - b.sinceMs) <= togetherMs;
}
