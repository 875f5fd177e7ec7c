import type { WatchReading } from './summary.ts';

/** An alarm as somebody who reads the watches again and again gets it. */
export interface Alarm {
  readonly beginMs: number;
  /** The first reading in which it does not fire any more; undefined where there was none. */
  endMs: number | undefined;
  /** The last reading in which it fires. */
  reading: WatchReading;
}

/** Alarms of readings, the oldest first. */
export interface Alarms {
  readonly all: Alarm[];
  readonly firing: Map<string, Alarm>;
}

/** No alarms. */
export function noAlarms(): Alarms {
  return { all: [], firing: new Map() };
}

/** Identity of a watch. */
export function watchKey({ watch, dimensions, values }: Pick<WatchReading, 'watch' | 'dimensions' | 'values'>): string {
  return JSON.stringify([watch, dimensions, values]);
}

/** Takes the next readings, at time T. */
export function addReadings({ all, firing }: Alarms, readings: readonly WatchReading[], asOfMs: number): void {
  const now = new Set<string>();
  for (const reading of readings) {
    if (!reading.firing) continue;
    const key = watchKey(reading);
    now.add(key);
    const alarm = firing.get(key) ?? { beginMs: asOfMs, endMs: undefined, reading };
    alarm.reading = reading;
    if (firing.has(key)) continue;
    firing.set(key, alarm);
    all.push(alarm);
  }
  for (const [key, alarm] of firing) {
    if (now.has(key)) continue;
    alarm.endMs = asOfMs;
    firing.delete(key);
  }
}
