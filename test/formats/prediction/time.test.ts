import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesOf, eventOf, readOne, recordTime } from '../../support/event-reader.ts';

const ms = Date.UTC(2026, 4, 1, 4, 9, 59);

/** What is given as `ts`, and the event time (NaN: bad_timestamp). The forms of a time are held in test/scoring/timestamp.test.ts. */
const times: readonly (readonly [given: string | number, time: number])[] = [
  ['2026-05-01T04:09:59,123456789Z', ms + 123],
  ['20260501T060959.5+0200', ms + 500],
  ['2000-01-01T01:00:00+01:00', Date.UTC(2000, 0, 1)],
  ['2000-01-01T00:00:00+00:01', Number.NaN],
  ['2100-01-01T00:00:00Z', Date.UTC(2100, 0, 1)],
  ['2101-01-01T00:00:00Z', Number.NaN],
  [' 2026-05-01T04:09:59Z', Number.NaN],
  ['', Number.NaN],
  [String(ms), Number.NaN],
  [ms + 0.75, ms],
  [946_684_800_000, 946_684_800_000],
  [946_684_799_999, Number.NaN],
  [Date.UTC(2101, 0, 1), Number.NaN],
  [ms / 1000, Number.NaN],
  [-1, Number.NaN],
];

for (const [given, time] of times) {
  test(`ts ${JSON.stringify(given)}`, () => {
    const read = readOne(JSON.stringify({ example_id: 'e', ts: given }), {}, { maxFutureMs: undefined });
    assert.deepEqual(codesOf(read), [Number.isNaN(time) ? 'bad_timestamp' : '']);
    if (!Number.isNaN(time)) assert.equal(eventOf(read).ts, time);
  });
}

test('numbers without an end are no time', () => {
  assert.deepEqual(codesOf(readOne('{"example_id":"e","ts":1e999}')), ['bad_timestamp']);
});

test('without ts the record gives the time, and it must be one', () => {
  assert.equal(eventOf(readOne('{"example_id":"e"}', { timestamp: ms })).ts, ms);
  assert.deepEqual(codesOf(readOne('{"example_id":"e"}', { timestamp: -1 })), ['bad_timestamp']);
});

test('without ts on either side the time is left to the caller', () => {
  const { ts } = eventOf(readOne('{"example_id":"e"}', { timestamp: Number.NaN }));
  assert.ok(Number.isNaN(ts));
});

test('an event time may lie max_future after its record, and no more', () => {
  const future = (afterMs: number, maxFutureMs: number | undefined, timestamp: number = recordTime): string[] =>
    codesOf(readOne(JSON.stringify({ example_id: 'e', ts: recordTime + afterMs }), { timestamp }, { maxFutureMs }));
  assert.deepEqual(future(300_000, 300_000), ['']);
  assert.deepEqual(future(300_001, 300_000), ['future_timestamp']);
  assert.deepEqual(future(300_001, undefined), ['']);
  assert.deepEqual(future(300_001, 300_000, Number.NaN), ['']);
  assert.deepEqual(future(300_001, 300_000, -1), [''], 'a record without a time stamp has nothing to compare with');
});

test('a record whose stamp is 0 or in seconds says how its producer gives it', () => {
  const value = JSON.stringify({ example_id: 'e', ts: recordTime });
  for (const timestamp of [0, recordTime / 1000]) {
    const [refused] = readOne(value, { timestamp }, { maxFutureMs: 300_000 });
    assert.match((refused as { detail?: string }).detail!, /that is 0 or in seconds: give it in milliseconds/);
  }
});
