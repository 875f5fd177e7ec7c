import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import type { WatchReading } from './summary.ts';
import type { CauseMemory, FiringWatch } from './cause-baselines.ts';
import { causesOf } from './watch-causes.ts';
import type { Segment } from './watch-segments.ts';

/** The readings of every group at a moment: those of groups that were not touched since still hold. */
export interface LastReadings {
  readonly key: string;
  readonly newest: number;
  /** Rule by rule, at `order * groups + index`: undefined where there is no such watch. */
  readonly readings: (WatchReading | undefined)[];
  /** By their place there: those that fire. */
  readonly firing: Map<number, FiringWatch>;
}

/** No readings yet. */
export function noReadings(key: string, newest: number, places: number): LastReadings {
  return { key, newest, readings: new Array<undefined>(places).fill(undefined), firing: new Map() };
}

/** Puts a reading where it belongs. */
export function putReading(
  { readings, firing }: LastReadings,
  place: number,
  reading: WatchReading | undefined,
  of: Pick<FiringWatch, 'rate' | 'reference'>,
): void {
  readings[place] = reading;
  if (reading?.firing) firing.set(place, { reading, ...of });
  else firing.delete(place);
}

/** The readings, those that fire with their causes. */
export function explained(
  settings: Settings,
  states: readonly PartitionState[],
  segments: readonly Segment[],
  { readings, firing }: LastReadings,
  memory: CauseMemory,
): WatchReading[] {
  const withCauses = [...readings];
  const causes = firing.size === 0 ? [] : causesOf(settings, states, segments, [...firing.values()], memory);
  for (const [index, [place, { reading }]] of [...firing].entries())
    withCauses[place] = { ...reading, causes: causes[index]! };
  return withCauses.filter((reading) => reading !== undefined);
}
