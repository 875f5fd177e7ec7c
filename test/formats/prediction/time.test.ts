import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesOf, eventOf, readOne, recordTime } from '../../support/event-reader.ts';

const ms = Date.UTC(2026, 4, 1, 4, 9, 59);

/** What is given as `ts`, and the event time (NaN: bad_timestamp). */
const times: readonly (readonly [given: string | number, time: number])[] = [
  ['2026-05-01T04:09:59Z', ms],
  ['2026-05-01T04:09:59', ms],
  ['2026-05-01T04:09:59.5Z', ms + 500],
  ['2026-05-01T04:09:59.123', ms + 123],
  ['2026-05-01T04:09:59.123Z', ms + 123],
  ['2026-05-01T04:09:59.123999Z', ms + 123],
  ['2026-05-01T04:09:59,123456789Z', ms + 123],
  ['2026-05-01T06:09:59+02:00', ms],
  ['2026-05-01T06:09:59+0200', ms],
  ['2026-05-01T06:09:59.000+02', ms],
  ['2026-04-30T22:39:59-05:30', ms],
  ['2026-05-01t04:09:59z', ms],
  ['2026-05-01 04:09:59', ms],
  ['2026-05-01 04:09:59.000+00:00', ms],
  ['2026-05-01T04:09', ms - 59_000],
  ['2026-05-01T04', Date.UTC(2026, 4, 1, 4)],
  ['2026-05-01', Date.UTC(2026, 4, 1)],
  ['20260501T040959Z', ms],
  ['20260501T040959.5+0200', ms + 500 - 7_200_000],
  ['20260501', Date.UTC(2026, 4, 1)],
  ['2026-04-30T24:00:00Z', Date.UTC(2026, 4, 1)],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ['2000-02-29', Date.UTC(2000, 1, 29)],
  ['2000-01-01T00:00:00Z', Date.UTC(2000, 0, 1)],
  ['2000-01-01T01:00:00+01:00', Date.UTC(2000, 0, 1)],
  ['1999-12-31T23:59:59.999Z', Number.NaN],
  ['2000-01-01T00:00:00+00:01', Number.NaN],
  ['2100-01-01T00:00:00Z', Date.UTC(2100, 0, 1)],
  ['2101-01-01T00:00:00Z', Number.NaN],
  ['2026-02-29', Number.NaN],
  ['2100-02-29', Number.NaN],
  ['2026-13-01', Number.NaN],
  ['2026-00-01', Number.NaN],
  ['2026-05-00', Number.NaN],
  ['2026-05-32T00:00:00Z', Number.NaN],
  ['2026-05-01T24:00:01Z', Number.NaN],
  ['2026-05-01T25:00:00Z', Number.NaN],
  ['2026-05-01T04:60:00Z', Number.NaN],
  ['2026-05-01T04:09:61Z', Number.NaN],
  ['2026-05-01T04:09:59+24:00', Number.NaN],
  ['2026-05-01T04:09:59+01:60', Number.NaN],
  ['2026-05-01T04:09:59Zx', Number.NaN],
  [' 2026-05-01T04:09:59Z', Number.NaN],
  ['2026-05-01T04:09:59.', Number.NaN],
  ['2026-5-1', Number.NaN],
  ['2026-05-01T0x:09:59Z', Number.NaN],
  ['٢٠٢٦-05-01T04:09:59Z', Number.NaN],
  ['yesterday', Number.NaN],
  ['', Number.NaN],
  [String(ms), Number.NaN],
  [ms, ms],
  [ms + 0.75, ms],
  [946_684_800_000, 946_684_800_000],
  [946_684_799_999, Number.NaN],
  [Date.UTC(2101, 0, 1), Number.NaN],
  [ms / 1000, Number.NaN],
  [0, Number.NaN],
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
});
