import { isSameIncident } from '../statistics/watch-run.ts';
import type { WatchedAlarm } from './group-incidents.ts';
import type { WatchReading } from './summary.ts';

/** An alarm as a reader of repeated readings gets it. */
export interface Alarm {
  readonly beginMs: number;
  /** The first reading since it fired last; undefined where there was none. */
  endMs: number | undefined;
  /** The last reading of it: the one in which it ended, if that still tells of it. */
  reading: WatchReading;
}

/** Alarms of readings, the oldest first, and of each watch its newest. */
export interface Alarms {
  readonly all: Alarm[];
  readonly newest: Map<string, Alarm>;
}

/** No alarms. */
export function noAlarms(): Alarms {
  return { all: [], newest: new Map() };
}

/** Identity of a watch. */
export function watchKey({ watch, dimensions, values }: Pick<WatchReading, 'watch' | 'dimensions' | 'values'>): string {
  return JSON.stringify([watch, dimensions, values]);
}

/** Takes the next readings, at time T. A watch that fires again soon after its alarm ended goes on with that alarm. */
export function addReadings({ all, newest }: Alarms, readings: readonly WatchReading[], asOfMs: number): void {
  const now = new Set<Alarm>();
  for (const reading of readings) {
    if (!reading.firing && reading.incidents.length === 0) continue;
    const key = watchKey(reading);
    const known = newest.get(key);
    if (!reading.firing) {
      if (known?.endMs === undefined && endsIn(known, reading)) known.reading = reading;
      continue;
    }
    const alarm =
      known !== undefined && isSameIncident(known.endMs ?? asOfMs, asOfMs)
        ? known
        : { beginMs: asOfMs, endMs: undefined, reading };
    Object.assign(alarm, { reading, endMs: undefined });
    now.add(alarm);
    if (alarm === known) continue;
    newest.set(key, alarm);
    all.push(alarm);
  }
  for (const alarm of newest.values()) if (!now.has(alarm)) alarm.endMs ??= asOfMs;
}

/** Returns whether the last alarm of a reading is this one. */
function endsIn(alarm: Alarm | undefined, { incidents }: WatchReading): alarm is Alarm {
  return alarm !== undefined && (incidents.at(-1)!.endMs ?? Number.POSITIVE_INFINITY) >= alarm.beginMs;
}

/** Returns whether alarms begin or end with the next readings. */
export function isChangedBy({ newest }: Alarms, readings: readonly WatchReading[]): boolean {
  const firing = readings.filter((reading) => reading.firing);
  const open = [...newest.values()].filter(({ endMs }) => endMs === undefined);
  const isOpen = (alarm: Alarm | undefined): boolean => alarm !== undefined && alarm.endMs === undefined;
  return firing.length !== open.length || firing.some((reading) => !isOpen(newest.get(watchKey(reading))));
}

/** The alarms as they were last read, from the first reading in which each fired to the first since it fired last. */
export function watchedAlarms({ all }: Alarms): WatchedAlarm[] {
  return all.map(({ beginMs, endMs, reading }) => {
    return { reading, alarm: { ...reading.incidents.at(-1)!, beginMs, endMs } };
  });
}
