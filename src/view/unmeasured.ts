import type { RateOf } from '../scoring/reading.ts';
import type { PartitionState } from '../state/partition.ts';
import type { Settings } from '../state/settings.ts';
import { viewOf } from './view.ts';

/** Fewer events without a number may be chance. */
const eventsMin = 20;

/** Returns the number of scored events where no family that needs truth has a number of any of them, from 20 on; 0 otherwise. */
export function unmeasuredEvents(states: readonly PartitionState[], settings: Settings, rate: RateOf): number {
  const options = { sets: [], rate, withWindows: false, withBreakdowns: false, groupsMax: undefined };
  const [total] = viewOf(states, settings, undefined, options).groups;
  if (total === undefined || total.scored < eventsMin) return 0;
  const ofTruth = settings.layout.families.filter(({ truth }) => truth !== 'none').map(({ name }) => name);
  const isEmpty = ofTruth.length > 0 && ofTruth.every((name) => total.blocks()[name] === null);
  return isEmpty ? total.scored : 0;
}
