import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isRejected } from '../../../src/stream/event.ts';
import { answerRecords } from '../../support/answer-records.ts';
import { readInput } from '../../support/input.ts';
import { runs } from '../../support/soak.ts';

/* Records of every form with damage: each is events, rejects or counted as no event, and never an error. */

/** A piece of a text in the place of another: characters that JSON is made of, and numbers, keys and values that forms know. */
const damage = fc.record({
  at: fc.nat(),
  length: fc.nat({ max: 12 }),
  by: fc.constantFrom(
    ...['', '"', '{', '}', '[', ']', ',', ':', 'null', '1e999', '-0', '""', '{}', '[]', 'true', '"\\ud800"', '7'],
    ...[
      '"type":"ai",',
      '"role":"tool",',
      '"error":{"message":1},',
      '"choices":[],',
      '"content":[[[]]],',
      '"steps":[],',
    ],
    ...['"tool_calls":[null],', '"jsonrpc":"2.0",', '"label":"direct",', '"output":[],', '"status":500,'],
  ),
});

for (const [name, record] of answerRecords)
  test(`${name}: damaged`, () => {
    const text = JSON.stringify(record);
    fc.assert(
      fc.property(
        fc.array(damage, { minLength: 1, maxLength: 3 }),
        fc.constantFrom('auto', 'messages'),
        (damages, format) => {
          let changed = text;
          for (const { at, length, by } of damages) {
            const place = at % changed.length;
            changed = changed.slice(0, place) + by + changed.slice(place + length);
          }
          const { events, skipped } = readInput(changed, { format: format as 'auto' });
          assert.ok(events.length > 0 || skipped.length > 0, changed);
          for (const event of events) if (isRejected(event)) assert.notEqual(event.detail, '', changed);
        },
      ),
      { numRuns: runs(60, 20_000) },
    );
  });
