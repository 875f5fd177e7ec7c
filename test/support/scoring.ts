import type { Block, Family, Joined } from '../../src/scoring/family.ts';
import type { JsonObject } from '../../src/scoring/json.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { outcomeOf, tallyEvents } from './tally.ts';

const rate = rateWith(z95);

/** The family's block over some events, as the report of window `all` has it; null where nothing was scored or skipped. */
export function blockOf<P, O>(family: Family<P, O>, events: readonly Joined[]): Block | null {
  return family.read(tallyEvents(family, events).reader, rate);
}

/** The same for a window, which keeps no breakdowns. */
export function windowBlockOf<P, O>(family: Family<P, O>, events: readonly Joined[]): Block | null {
  return family.read(tallyEvents(family, events).windowReader, rate);
}

/** The family's part of an event's score row; `undefined` where the family does not apply. */
export function rowOf<P, O>(family: Family<P, O>, event: Joined): JsonObject | undefined {
  const scored = outcomeOf(family, event);
  return scored && (family.row(scored.outcome, event, scored.prepared) as JsonObject);
}

/** Whether `scores: failures` leaves the event out; `undefined` where the family does not apply. */
export function isPerfect<P, O>(family: Family<P, O>, event: Joined): boolean | undefined {
  const scored = outcomeOf(family, event);
  return scored && family.perfect(scored.outcome);
}
