import { unknownName } from '../state/dimension.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import type { Carrier, Group, WatchAlarm, WatchReading } from './summary.ts';

/** An alarm with the watch that gave it. */
export interface WatchedAlarm {
  readonly reading: WatchReading;
  readonly alarm: WatchAlarm;
}

/** Alarms that began together and that one group explains. Times are ms of event time. */
export interface Incident extends Pick<Group, 'dimensions' | 'values'> {
  /** Since when the rate of the group was up, when the first alarm of it began, and until when a rate was up. */
  readonly sinceMs: number;
  readonly beginMs: number;
  readonly untilMs: number;
  /** When the last alarm of the group ended; undefined while one goes on. */
  readonly endMs: number | undefined;
  /** The alarms of the group, the greatest change first. */
  readonly alarms: readonly WatchedAlarm[];
  /** The path of the rate whose alarm was first: it stays the same while others come. */
  readonly first: string;
  /** The other groups whose change the group explains, the greatest change first. */
  readonly also: readonly AlsoWorse[];
}

/** A group whose change is explained by another one, with its alarms. */
export interface AlsoWorse extends Pick<Group, 'dimensions' | 'values'> {
  readonly alarms: readonly WatchedAlarm[];
}

/** Alarms that begin, or whose rates went up, within this time began together. */
const togetherMs = 30 * 60_000;
/** Share of its change from which an alarm is explained, and one that began with such an alarm of its group. */
const explainedFrom = 0.8;
const alsoFrom = 0.5;
/** Share of the change of all other cases from which a group carries more than its size. */
const beyondFrom = 0.5;
/** Standard deviations up to which a part of a group is no worse than the group. */
const chanceMost = 3;

/** The alarms of the last 24 hours of some watches. */
export function alarmsOf(watches: readonly WatchReading[]): WatchedAlarm[] {
  return watches.flatMap((reading) => reading.incidents.map((alarm) => ({ reading, alarm })));
}

/** The incidents that alarms make up, by begin (docs/reference/scoring.md, "Incidents"). */
export function incidentsOf(alarms: readonly WatchedAlarm[]): Incident[] {
  const incidents = incidentsOfGroups(alarms).sort(compareIncidents);
  const byGroup = new Map<string, GroupIncident[]>();
  for (const incident of incidents) getOrPut(byGroup, keyOf(incident), () => []).push(incident);
  const place = new Map(incidents.map((incident, index) => [incident, index]));
  const explainers = explainersIn(incidents, byGroup);
  // Of two that explain each other the one that changed more is named.
  const nextOf = (incident: GroupIncident): GroupIncident | undefined => {
    const alone = explainers
      .get(incident)!
      .filter((other) => !explainers.get(other)!.includes(incident) || place.get(other)! < place.get(incident)!);
    return firstOf(alone, place) ?? firstOf(partsOf(incident, byGroup), place);
  };
  const byRoot = new Map<GroupIncident, GroupIncident[]>(incidents.map((incident) => [incident, []]));
  for (const incident of incidents) byRoot.get(rootOf(incident, nextOf, place))!.push(incident);
  return incidents
    .filter((incident) => byRoot.get(incident)!.length > 0)
    .map((incident) =>
      incidentOf(
        incident,
        byRoot.get(incident)!.filter((other) => other !== incident),
      ),
    )
    .sort((a, b) => a.beginMs - b.beginMs);
}

/** Returns whether an alarm of an incident's group goes on. */
export function isOpen({ alarms }: Pick<Incident, 'alarms'>): boolean {
  return alarms.some(({ alarm }) => alarm.endMs === undefined);
}

/** The change of the rate of bad cases in an alarm. */
export function changeOf({ reading, alarm }: WatchedAlarm): number {
  return alarm.bad / alarm.n - usualOf(reading);
}

/** Share of bad cases before, or the baseline where there were no cases. */
export function usualOf({ before, design }: WatchReading): number {
  return before === undefined ? design!.baseline : before.bad / before.n;
}

/** The alarm of an incident whose first cause has the greatest share of its change. */
export function clearestOf({ alarms }: Pick<Incident, 'alarms'>): WatchedAlarm {
  const shareOf = ({ alarm: { causes: [first] = [] } }: WatchedAlarm): number =>
    first === undefined ? 0 : first.byRate + first.byMix;
  return alarms.reduce((best, one) => (shareOf(one) > shareOf(best) ? one : best));
}

/** Alarms of one group that began together. */
interface GroupIncident extends Pick<Group, 'dimensions' | 'values'> {
  /** By begin. */
  readonly alarms: WatchedAlarm[];
}

function incidentsOfGroups(alarms: readonly WatchedAlarm[]): GroupIncident[] {
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

function isTogether({ alarm: a }: WatchedAlarm, { alarm: b }: WatchedAlarm): boolean {
  return Math.abs(a.beginMs - b.beginMs) <= togetherMs || Math.abs(a.sinceMs - b.sinceMs) <= togetherMs;
}

/** The greatest change first, of equal ones the total and then what has no name last. */
function compareIncidents(a: GroupIncident, b: GroupIncident): number {
  const change = (incident: GroupIncident): number => Math.max(...incident.alarms.map(changeOf));
  const rank = ({ values }: GroupIncident): number => (values.includes(unknownName) ? 2 : Number(values.length === 0));
  return change(b) - change(a) || rank(a) - rank(b) || a.dimensions.length - b.dimensions.length;
}

function firstOf(
  incidents: readonly GroupIncident[],
  place: ReadonlyMap<GroupIncident, number>,
): GroupIncident | undefined {
  return [...incidents].sort((a, b) => place.get(a)! - place.get(b)!)[0];
}

/** The incidents that explain each one alone. A group whose change others carry explains only what one of these explains. */
function explainersIn(
  incidents: readonly GroupIncident[],
  byGroup: ReadonlyMap<string, readonly GroupIncident[]>,
): ReadonlyMap<GroupIncident, readonly GroupIncident[]> {
  const carriers = new Map(incidents.map((incident) => [incident, explainersOf(incident, byGroup, carriedShare)]));
  const parts = new Map(incidents.map((incident) => [incident, partsOf(incident, byGroup)]));
  return new Map(
    incidents.map((incident) => {
      const all = explainersOf(incident, byGroup, explainedShare);
      const explains = (other: GroupIncident): boolean => {
        const alone = carriers.get(other)!;
        const by = alone.length > 0 ? alone : parts.get(other)!;
        return by.length === 0 || alone.includes(incident) || by.some((carrier) => all.includes(carrier));
      };
      return [incident, all.filter(explains)];
    }),
  );
}

/** The incidents of other groups that explain all alarms of one, and one of them for the greater part. */
function explainersOf(
  incident: GroupIncident,
  byGroup: ReadonlyMap<string, readonly GroupIncident[]>,
  shareOf: (one: WatchedAlarm, other: GroupIncident) => number,
): GroupIncident[] {
  const keys = new Set([
    ...subsetKeys(incident),
    ...incident.alarms.flatMap(({ alarm }) => (alarm.carriers ?? []).map(keyOf)),
  ]);
  return [...keys].flatMap((key) => {
    const other = meanwhile(incident, key, byGroup);
    if (other === undefined) return [];
    return isEnough(incident.alarms.map((alarm) => shareOf(alarm, other))) ? [other] : [];
  });
}

/** The incidents of several groups of one set that explain all alarms of another group together; none where they do not. */
function partsOf(incident: GroupIncident, byGroup: ReadonlyMap<string, readonly GroupIncident[]>): GroupIncident[] {
  const carriers = incident.alarms.flatMap(({ alarm }) => alarm.carriers ?? []);
  for (const set of new Set(carriers.map(({ dimensions }) => dimensions.join('\0')))) {
    const keys = new Set(carriers.filter(({ dimensions }) => dimensions.join('\0') === set).map(keyOf));
    const parts = [...keys].flatMap((key) => meanwhile(incident, key, byGroup) ?? []);
    const together = incident.alarms.map(({ alarm }) => {
      const of = parts.flatMap((part) => carrierOf(alarm, part) ?? []);
      const sum = { share: sumOf(of, 'share'), size: sumOf(of, 'size') };
      return isBeyondSize(sum) ? sum.share : 0;
    });
    if (parts.length > 1 && isEnough(together)) return parts;
  }
  return [];
}

/** The incident of another group that goes on meanwhile: one that began with a incident before others. */
function meanwhile(
  incident: GroupIncident,
  key: string,
  byGroup: ReadonlyMap<string, readonly GroupIncident[]>,
): GroupIncident | undefined {
  if (key === keyOf(incident)) return undefined;
  const others = (byGroup.get(key) ?? []).filter((other) => isMeanwhile(other, incident));
  return others.find((one) => beganWith(one, incident)) ?? others.at(-1);
}

/** Returns whether these shares of the changes of a incident's alarms explain the incident. */
function isEnough(shares: readonly number[]): boolean {
  return shares.every((share) => share >= alsoFrom) && shares.some((share) => share >= explainedFrom);
}

function carrierOf(alarm: WatchAlarm, { dimensions, values }: GroupIncident): Carrier | undefined {
  const key = keyOf({ dimensions, values });
  return alarm.carriers?.find((carrier) => keyOf(carrier) === key);
}

/** A group with nearly all cases carries nearly all of any change: that alone explains nothing. */
function isBeyondSize({ share, size }: Pick<Carrier, 'share' | 'size'>): boolean {
  return share - size >= beyondFrom * (1 - size) && size < 1;
}

function sumOf(carriers: readonly Carrier[], of: 'share' | 'size'): number {
  return carriers.reduce((sum, carrier) => sum + carrier[of], 0);
}

/** Keys of the groups that hold all of a group. */
function subsetKeys({ dimensions, values }: GroupIncident): string[] {
  return Array.from({ length: 2 ** dimensions.length - 1 }, (_, set) => {
    const isIn = (_one: string, at: number): boolean => (set & (1 << at)) !== 0;
    return keyOf({ dimensions: dimensions.filter(isIn), values: values.filter(isIn) });
  });
}

function beganWith(a: GroupIncident, b: GroupIncident): boolean {
  return a.alarms.some((one) => b.alarms.some((other) => isTogether(one, other)));
}

function isMeanwhile(a: GroupIncident, b: GroupIncident): boolean {
  const overlap = ({ alarm: one }: WatchedAlarm, { alarm: other }: WatchedAlarm): boolean =>
    one.sinceMs <= other.untilMs + togetherMs && other.sinceMs <= one.untilMs + togetherMs;
  return a.alarms.some((one) => b.alarms.some((other) => overlap(one, other)));
}

/** Share of the change of an alarm that another group explains. */
function explainedShare(one: WatchedAlarm, other: GroupIncident): number {
  const { reading, alarm } = one;
  const carrier = carrierOf(alarm, other);
  if (carrier !== undefined) return carriedShare(one, other) || Math.min(carrier.share, shareOfWhole(one, other));
  return other.dimensions.every((dimension) => reading.dimensions.includes(dimension)) ? shareOfWhole(one, other) : 0;
}

/** Share of the change of an alarm that another group carries; 0 where that is due to its size. */
function carriedShare({ alarm }: WatchedAlarm, other: GroupIncident): number {
  const carrier = carrierOf(alarm, other);
  return carrier !== undefined && isBeyondSize(carrier) ? carrier.share : 0;
}

/** Share of the change of an alarm that a group with all its cases explains: all where it is no worse than the whole. */
function shareOfWhole(one: WatchedAlarm, other: GroupIncident): number {
  const { reading, alarm } = one;
  const same = other.alarms.find((whole) => whole.reading.watch === reading.watch);
  if (same === undefined) return 0;
  const whole = changeOf(same);
  const expected = Math.min(1, usualOf(reading) + Math.max(0, whole));
  const deviation = Math.sqrt(alarm.n * expected * (1 - expected));
  return alarm.bad - alarm.n * expected <= chanceMost * deviation ? 1 : whole / changeOf(one);
}

/** The incident that explains one, over others; where some explain each other in a circle, the first of these. */
function rootOf(
  incident: GroupIncident,
  nextOf: (incident: GroupIncident) => GroupIncident | undefined,
  place: ReadonlyMap<GroupIncident, number>,
): GroupIncident {
  const path = [incident];
  for (let next = nextOf(incident); next !== undefined; next = nextOf(path.at(-1)!)) {
    const circle = path.indexOf(next);
    if (circle >= 0)
      return path.slice(circle).reduce((first, one) => (place.get(one)! < place.get(first)! ? one : first));
    path.push(next);
  }
  return path.at(-1)!;
}

function incidentOf({ dimensions, values, alarms }: GroupIncident, also: readonly GroupIncident[]): Incident {
  const spans = alarms.map(({ alarm }) => alarm);
  const ends = spans.map(({ endMs }) => endMs);
  return {
    dimensions,
    values,
    sinceMs: Math.min(...spans.map(({ sinceMs }) => sinceMs)),
    beginMs: spans[0]!.beginMs,
    untilMs: Math.max(...spans.map(({ untilMs }) => untilMs)),
    endMs: ends.every((endMs) => endMs !== undefined) ? Math.max(...ends) : undefined,
    alarms: byChange(alarms),
    first: alarms[0]!.reading.watch,
    also: also.map((other) => ({
      dimensions: other.dimensions,
      values: other.values,
      alarms: byChange(other.alarms),
    })),
  };
}

function byChange(alarms: readonly WatchedAlarm[]): WatchedAlarm[] {
  return [...alarms].sort((a, b) => changeOf(b) - changeOf(a));
}

function keyOf({ dimensions, values }: Pick<Group, 'dimensions' | 'values'>): string {
  return JSON.stringify([dimensions, values]);
}
