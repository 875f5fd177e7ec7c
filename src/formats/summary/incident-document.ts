import { programName } from '../../name.ts';
import type { WatchedAlarm } from '../../view/group-incidents.ts';
import { alarmsOf, clearestOf, type Incident, incidentsOf } from '../../view/incidents.ts';
import { incidentText } from './incident-text.ts';
import type { View, WatchReading } from '../../view/summary.ts';
import type { LatestFailures } from './failed-event.ts';
import {
  beforeOf,
  type PlainCause,
  plainCauses,
  type PlainWatch,
  plainWatch,
  recoveringOf,
  type Share,
  shareOf,
  sliceOf,
  timeText,
} from './watch-document.ts';

/** An incident as a summary has it (docs/reference/outputs.md): alarms that began together and that one group explains. */
export interface PlainIncident {
  readonly slice: Readonly<Record<string, string>>;
  /** The path of the rate whose alarm was first. */
  readonly watch: string;
  readonly since: string;
  readonly begin: string;
  readonly until: string;
  /** Null while an alarm of the group goes on. */
  readonly end: string | null;
  readonly text: string;
  /** The greatest change first. */
  readonly rates: readonly PlainAlarm[];
  /** The causes of the rate in which they are clearest, the strongest first. */
  readonly due_to: readonly PlainCause[];
  /** The groups that are worse because of it. */
  readonly also: readonly {
    readonly slice: Readonly<Record<string, string>>;
    readonly rates: readonly PlainAlarm[];
  }[];
}

/** An alarm: when the rate was up (since, until), and when it was reported (begin, end). */
export interface PlainAlarm {
  readonly watch: string;
  readonly since: string;
  readonly begin: string;
  readonly until: string;
  /** Null while it fires. */
  readonly end: string | null;
  /** Bad cases from since to until. */
  readonly rate: Share;
  /** While it fires and the rate is down again: since when, and the bad cases since then. */
  readonly recovering: PlainWatch['recovering'];
  /** Bad cases of the reference span, of now. */
  readonly before: Share | null;
  readonly baseline: number;
}

/** The answer of `/api/v1/watches` as plain JSON (docs/reference/http.md): the watches of all groups, those that fire first. */
export function watchesDocument(
  { asOfMs, watches }: Pick<View, 'asOfMs' | 'watches'>,
  failures: LatestFailures,
): Record<string, unknown> {
  const inOrder = [...watches].sort((a, b) => Number(b.firing) - Number(a.firing));
  return {
    format: `${programName}.watches/2`,
    as_of: asOfMs === undefined ? null : timeText(asOfMs),
    watches: inOrder.map((reading) => plainWatch(reading, failures)),
    incidents: incidentsDocument(watches, failures),
  };
}

/** The incidents of the last 24 hours, by begin. */
export function incidentsDocument(watches: readonly WatchReading[], failures: LatestFailures): PlainIncident[] {
  return incidentsOf(alarmsOf(watches)).map((incident) => plainIncident(incident, failures));
}

/** An incident as plain JSON. */
export function plainIncident(incident: Incident, failures: LatestFailures): PlainIncident {
  const { sinceMs, beginMs, untilMs, endMs, first, alarms, also } = incident;
  const { reading, alarm } = clearestOf(incident);
  return {
    slice: sliceOf(incident),
    watch: first,
    ...plainTimes({ sinceMs, beginMs, untilMs, endMs }),
    text: incidentText(incident),
    rates: alarms.map(plainAlarm),
    due_to: plainCauses(reading, alarm, failures),
    also: also.map((group) => ({ slice: sliceOf(group), rates: group.alarms.map(plainAlarm) })),
  };
}

function plainAlarm({ reading, alarm }: WatchedAlarm): PlainAlarm {
  return {
    watch: reading.watch,
    ...plainTimes(alarm),
    rate: shareOf(alarm),
    recovering: alarm.endMs === undefined ? recoveringOf(reading) : null,
    before: beforeOf(reading),
    baseline: reading.design!.baseline,
  };
}

function plainTimes({
  sinceMs,
  beginMs,
  untilMs,
  endMs,
}: Pick<Incident, 'sinceMs' | 'beginMs' | 'untilMs' | 'endMs'>): Pick<PlainAlarm, 'since' | 'begin' | 'until' | 'end'> {
  return {
    since: timeText(sinceMs),
    begin: timeText(beginMs),
    until: timeText(untilMs),
    end: endMs === undefined ? null : timeText(endMs),
  };
}
