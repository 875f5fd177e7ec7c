import type { EventBatch } from '../../stream/event.ts';
import { shortened } from '../json/shortened.ts';
import { malformedCalls } from './calls.ts';
import { nearNames } from './near-names.ts';
import type { RawEvent } from './schema.ts';

/** What a batch tells of events that are off, by their parsed values: asked for rarely, so nothing is kept of it. */
export function oddValues(
  eventOf: (row: number) => RawEvent,
): Pick<EventBatch, 'labelText' | 'malformedCalls' | 'nearName'> {
  const nearName = nearNames();
  return {
    labelText(row) {
      const { label } = eventOf(row);
      return label == null ? undefined : shortened(label);
    },
    malformedCalls: (row) => malformedCalls(eventOf(row).tool_calls ?? []),
    nearName: (row) => nearName(eventOf(row)),
  };
}
