import { type Family, type Joined, readBlock, readFamilyRow } from '../../src/scoring/family.ts';
import type { JsonObject } from '../../src/scoring/json.ts';
import type { Block } from '../../src/scoring/metric.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import type { TrajectoryOptions } from '../../src/scoring/trajectory/index.ts';
import { outcomeOf, tallyEvents, tallyOf } from './tally.ts';

const rate = rateWith(z95);

/** What trajectories are scored by unless the configuration says otherwise. */
export const trajectoryDefaults: TrajectoryOptions = {
  mode: 'spec',
  weights: { name: 0.4, params: 0.4, order: 0.2 },
  paramThreshold: 0.6,
  orderThreshold: 0.5,
  minCombinationCount: 5,
};

/** The family's block over some events, as the report of window `all` has it; null where nothing was scored or skipped. */
export function blockOf<P, O, S>(family: Family<P, O, S>, events: readonly Joined[]): Block | null {
  return readBlock(family, tallyEvents(family, events).reader, rate);
}

/** The blocks after each of the events, from one tally that grows. */
export function blocksAfterEach<P, O, S>(family: Family<P, O, S>, events: readonly Joined[]): (Block | null)[] {
  const memory = tallyOf(family);
  return events.map((event) => {
    const scored = outcomeOf(family, event);
    if (scored) family.tally(scored.outcome, memory.tally);
    return readBlock(family, memory.reader, rate);
  });
}

/** The block of a window, which keeps no breakdowns. */
export function windowBlockOf<P, O, S>(family: Family<P, O, S>, events: readonly Joined[]): Block | null {
  return readBlock(family, tallyEvents(family, events).windowReader, rate);
}

/** The family's part of an event's score row; `undefined` where the family does not apply. */
export function rowOf<P, O, S>(family: Family<P, O, S>, event: Joined): JsonObject | undefined {
  const scored = outcomeOf(family, event);
  return scored && (readFamilyRow(family, { ...scored, input: event }) as JsonObject);
}

/** Whether `scores: failures` leaves the event out; `undefined` where the family does not apply. */
export function isPerfect<P, O, S>(family: Family<P, O, S>, event: Joined): boolean | undefined {
  const scored = outcomeOf(family, event);
  return scored && family.perfect(scored.outcome);
}
