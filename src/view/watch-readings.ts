import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import type { WatchAlarm, WatchReading } from './summary.ts';
import type { AlarmedWatch, CauseMemory } from './cause-baselines.ts';
import { explainAlarms } from './watch-causes.ts';
import type { Segment } from './watch-segments.ts';

/** The readings of every group at a moment: those of groups that were not touched since still hold. */
export interface LastReadings {
  readonly key: string;
  readonly newest: number;
  /** Rule by rule, at `order * groups + index`: undefined where there is no such watch. */
  readonly readings: (WatchReading | undefined)[];
  /** By their place there: those that have alarms. */
  readonly alarmed: Map<number, AlarmedWatch>;
}

/** No readings yet. */
export function noReadings(key: string, newest: number, places: number): LastReadings {
  return { key, newest, readings: new Array<undefined>(places).fill(undefined), alarmed: new Map() };
}

/** Puts a reading where it belongs. */
export function putReading(
  { readings, alarmed }: LastReadings,
  place: number,
  reading: WatchReading | undefined,
  of: Pick<AlarmedWatch, 'rate' | 'reference'>,
): void {
  readings[place] = reading;
  if (reading !== undefined && reading.incidents.length > 0) alarmed.set(place, { reading, ...of });
  else alarmed.delete(place);
}

/** The readings, those that have alarms with their causes. */
export function explained(
  settings: Settings,
  states: readonly PartitionState[],
  segments: readonly Segment[],
  { readings, alarmed }: LastReadings,
  memory: CauseMemory,
): WatchReading[] {
  const withCauses = [...readings];
  const watches = [...alarmed.values()];
  const alarms = watches.length === 0 ? [] : explainAlarms(settings, states, segments, watches, memory);
  for (const [index, [place, { reading }]] of [...alarmed].entries())
    withCauses[place] = withAlarms(reading, alarms[index]!, memory);
  return withCauses.filter((reading) => reading !== undefined);
}

/** The same object as long as nothing has changed. */
function withAlarms(reading: WatchReading, incidents: readonly WatchAlarm[], { readings }: CauseMemory): WatchReading {
  const known = readings.get(reading);
  if (known?.incidents.every((alarm, index) => alarm === incidents[index])) return known;
  const causes = (reading.firing && incidents.at(-1)!.causes) || [];
  const own = { ...reading, incidents, causes };
  readings.set(reading, own);
  return own;
}
