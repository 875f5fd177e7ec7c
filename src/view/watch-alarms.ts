import type { WatchReading } from './summary.ts';

/** An alarm as a reader of repeated readings gets it. */
export interface Alarm {
  readonly beginMs: number;
  /** The first reading in which it does not fire any more; undefined where there was none. */
  endMs: number | undefined;
  /** The last reading in which it fires. */
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

/**
 * Returns whether the alarm of a watch is not over: it fires, or its sum is below the threshold for now but goes on. A sum near the
 * threshold crosses it again and again.
 */
export function incidentLasts({
  firing,
  span,
  incidents,
}: Pick<WatchReading, 'firing' | 'span' | 'incidents'>): boolean {
  return firing || (span !== undefined && incidents.at(-1)?.sinceMs === span.sinceMs);
}

/** Takes the next readings, at time T. A watch that fires again with a sum that began before its alarm did goes on with that alarm. */
export function addReadings({ all, newest }: Alarms, readings: readonly WatchReading[], asOfMs: number): void {
  const now = new Set<Alarm>();
  for (const reading of readings) {
    if (!reading.firing) continue;
    const key = watchKey(reading);
    const known = newest.get(key);
    const alarm =
      known !== undefined && reading.span!.sinceMs < known.beginMs
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
