import type { PartitionState } from './partition.ts';

/** Progress of event time: greatest event time applied less the configured out-of-orderness. */
export function watermarkOf(state: PartitionState): number {
  return state.numbers.greatestTs - state.settings.outOfOrdernessMs;
}

/** Event time, by the second, that eviction goes by: a function of the greatest event time alone. */
export function evictionTimeOf(state: PartitionState): number {
  return Math.floor(state.numbers.greatestTs / 1000) * 1000;
}
