import { unknownName } from '../state/dimension.ts';
import { getOrPut } from '../state/containers/get-or-put.ts';
import { explainersIn, partsOf } from './explained-incidents.ts';
import { changeOf, type GroupIncident, incidentsOfGroups, keyOf, type WatchedAlarm } from './group-incidents.ts';
import type { Group, WatchReading } from './summary.ts';

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

/** The alarm of an incident whose first cause has the greatest share of its change. */
export function clearestOf({ alarms }: Pick<Incident, 'alarms'>): WatchedAlarm {
  const shareOf = ({ alarm: { causes: [first] = [] } }: WatchedAlarm): number =>
    first === undefined ? 0 : first.byRate + first.byMix;
  return alarms.reduce((best, one) => (shareOf(one) > shareOf(best) ? one : best));
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
