import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/scoring/json.ts';
import { type Event, isRejected, type ReadRecord } from '../../../src/stream/event.ts';
import { answerRecords } from '../../support/answer-records.ts';
import { readInput } from '../../support/input.ts';
import { runs } from '../../support/soak.ts';

/* Nothing is scored that was not understood: a record of which one key is renamed, or whose answer lies elsewhere, is read alike, refused or counted. */

/** What scoring sees of a record: calls with their arguments, the label, words. */
function seen({ events }: ReadRecord): unknown {
  return events.map((event) => {
    if (isRejected(event)) return 'rejected';
    const { prediction } = event;
    return [prediction.calls?.map(({ name, arguments: args }) => [name, args]), prediction.label, prediction.output];
  });
}

/** Every object of a value with its keys: places at which a key can be renamed. */
function placesIn(value: unknown, found: (readonly [JsonObject, string])[] = []): (readonly [JsonObject, string])[] {
  if (Array.isArray(value)) for (const item of value as readonly unknown[]) placesIn(item, found);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      found.push([value as JsonObject, key]);
      placesIn(item, found);
    }
  return found;
}

/** Arguments of a call are data: a key of theirs is another argument, whatever it is called. */
const isArgument = (key: string): boolean => ['city', 'days', 'nights'].includes(key);

function assertUnderstood(name: string, before: ReadRecord, after: ReadRecord, changed: JsonObject): void {
  const [was, is] = [seen(before), seen(after)].map((each) => JSON.stringify(each));
  if (was === is) return;
  const told = after.events.every((event) => isRejected(event) || (event as Event).oddities?.unreadCall !== undefined);
  assert.ok(told, `${name}: ${JSON.stringify(changed)} gives ${is}, was ${was}`);
}

/** Keys that no dialect has. */
const newKey = fc.stringMatching(/^[a-z]{3,9}_x$/);

for (const [name, record] of answerRecords)
  test(`${name}: a key that is renamed, an answer that is moved`, () => {
    const formats = ['auto', 'assay'] as const;
    fc.assert(
      fc.property(fc.nat(), newKey, fc.constantFrom(...formats), (at, key, format) => {
        const before = readInput(record, { format });
        const changed = structuredClone(record);
        const places = placesIn(changed).filter(([, each]) => !isArgument(each));
        const [object, old] = places[at % places.length]! as [Record<string, unknown>, string];
        object[key] = object[old];
        delete object[old];
        // To the native reader, any value of `output` is data.
        if (format === 'auto' || !('output' in record))
          assertUnderstood(name, before, readInput(changed, { format }), changed);
        const { example_id: id, ...rest } = record;
        const moved = { example_id: id!, [key]: rest };
        assertUnderstood(name, before, readInput(moved, { format }), moved);
      }),
      { numRuns: runs(60, 3_000) },
    );
  });
