import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { earliestMs, inRange, latestMs, readTimestamp } from '../../src/scoring/timestamp.ts';
import { runs } from '../support/soak.ts';

const digits = (value: number, length = 2): string => String(value).padStart(length, '0');

interface Parts {
  readonly date: readonly [year: number, month: number, day: number];
  /** Hour, minute, second: as many as are said. */
  readonly time: readonly number[];
  readonly fraction: string;
  /** Minutes east; undefined where no zone is said. */
  readonly east: number | undefined;
}

/** The moment of a date and a time of day by the engine's calendar; NaN where it makes another date of them. */
function momentOf({ date: [year, month, day], time, fraction, east = 0 }: Parts): number {
  const [hour = 0, minute = 0, second = 0] = time;
  const midnight = new Date(Date.UTC(year, month - 1, day));
  const isDate = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  const ms = Number(fraction.padEnd(3, '0').slice(0, 3));
  const ofDay = ((hour * 60 + minute) * 60 + second) * 1000 + ms;
  const isTime = minute < 60 && second < 60 && ofDay <= 86_400_000;
  return isDate && isTime ? midnight.getTime() + ofDay - east * 60_000 : Number.NaN;
}

function zoneOf(east: number | undefined, colon: string): string {
  if (east === undefined) return '';
  const minutes = Math.abs(east);
  return `${east < 0 ? '-' : '+'}${digits(Math.floor(minutes / 60))}${colon}${digits(minutes % 60)}`;
}

const edge = (...values: number[]) => fc.constantFrom(...values);
const parts: fc.Arbitrary<Parts> = fc
  .record({
    year: fc.oneof(edge(1999, 2000, 2023, 2024, 2100, 2101), fc.integer({ min: 1970, max: 2199 })),
    month: fc.oneof(edge(0, 1, 2, 3, 12, 13), fc.integer({ min: 1, max: 12 })),
    day: fc.oneof(edge(0, 1, 28, 29, 30, 31, 32), fc.integer({ min: 1, max: 31 })),
    time: fc.oneof(
      fc.tuple(fc.nat(23), fc.nat(59), fc.nat(59)),
      fc.tuple(edge(0, 9, 23, 24, 25), edge(0, 1, 59, 60), edge(0, 1, 59, 60)),
    ),
    said: fc.nat(3),
    fraction: fc.oneof(edge(0, 5, 999).map(String), fc.stringMatching(/^\d{1,9}$/)),
    hasFraction: fc.boolean(),
    east: fc.option(fc.integer({ min: -1439, max: 1439 }), { nil: undefined }),
  })
  .map(({ year, month, day, time, said, fraction, hasFraction, east }) => ({
    date: [year, month, day],
    time: time.slice(0, said),
    fraction: hasFraction && said === 3 ? fraction : '',
    east: said === 0 ? undefined : east,
  }));

test('a date and a time of day, extended or basic, with as much as is said of them, are their moment', () => {
  fc.assert(
    fc.property(parts, fc.constantFrom('T', 't', ' '), fc.constantFrom('.', ','), (one, between, point) => {
      const moment = momentOf(one);
      const [year, month, day] = [digits(one.date[0], 4), digits(one.date[1]), digits(one.date[2])];
      const rest = one.fraction === '' ? '' : point + one.fraction;
      const form = (dash: string, colon: string, letter: string, utc: string): string => {
        const time = one.time.map((value) => digits(value)).join(colon) + rest;
        const zone = one.east === undefined ? (one.time.length > 0 ? utc : '') : zoneOf(one.east, colon);
        return [year, month, day].join(dash) + (one.time.length > 0 ? letter + time + zone : '');
      };
      for (const utc of ['', 'Z', 'z'])
        for (const text of [form('-', ':', between, utc), form('', '', between === ' ' ? 'T' : between, utc)])
          assert.equal(readTimestamp(text), moment, text);
    }),
    { numRuns: runs(400) },
  );
});

test('the usual forms are read back, in any year of four digits', () => {
  const moment = fc.integer({ min: Date.parse('0000-01-01T00:00:00Z'), max: Date.UTC(9999, 11, 31) });
  fc.assert(
    fc.property(moment, (ms) => {
      const text = new Date(ms).toISOString();
      assert.equal(readTimestamp(text), ms, text);
      assert.equal(readTimestamp(text.slice(0, -1)), ms, 'UTC where there is no zone');
      assert.equal(readTimestamp(text.slice(0, 19)), Math.floor(ms / 1000) * 1000);
    }),
  );
});

test('what is cut off or put in place of a character is no time, or the time that it says', () => {
  const text = '2026-05-01T04:09:58.127Z';
  const at = (...of: readonly number[]): number => Date.UTC(2026, 4, 1, ...of);
  const cut = new Map([
    [10, at()],
    [13, at(4)],
    [16, at(4, 9)],
    [19, at(4, 9, 58)],
    [21, at(4, 9, 58, 100)],
    [22, at(4, 9, 58, 120)],
    [23, at(4, 9, 58, 127)],
    [24, at(4, 9, 58, 127)],
  ]);
  for (let length = 0; length <= text.length; length++)
    assert.equal(readTimestamp(text.slice(0, length)), cut.get(length) ?? Number.NaN, text.slice(0, length));
  // The characters beside the digits, too.
  for (const put of ['x', '/', ':', ';'])
    for (let place = 0; place < text.length; place++) {
      if (text[place] === put) continue;
      const damaged = text.slice(0, place) + put + text.slice(place + 1);
      assert.ok(Number.isNaN(readTimestamp(damaged)), damaged);
    }
  // Characters whose lowest byte is that of a digit or of a mark.
  for (const high of [0x100, 0x2600])
    for (let place = 0; place < text.length; place++) {
      const other = String.fromCharCode(high + text.charCodeAt(place));
      const damaged = text.slice(0, place) + other + text.slice(place + 1);
      assert.ok(Number.isNaN(readTimestamp(damaged)), damaged);
    }
  for (const more of [' ', 'Z', '0', '+01']) assert.ok(Number.isNaN(readTimestamp(text + more)), text + more);
});

test('24:00 is the end of its day, and nothing comes after it', () => {
  for (const end of ['24:00', '24:00:00', '24:00:00.000Z'])
    assert.equal(readTimestamp(`2026-12-31T${end}`), Date.UTC(2027, 0, 1), end);
  for (const after of ['24:00:00.001Z', '24:00:00.5', '24:00:01', '24:01', '25:00'])
    assert.ok(Number.isNaN(readTimestamp(`2026-12-31T${after}`)), after);
});

test('zones are whole minutes of a day, with a colon or without, or hours alone', () => {
  const moment = Date.UTC(2026, 4, 1, 12);
  const zones: readonly (readonly [string, number])[] = [
    ['+02', 120],
    ['-02', -120],
    ['+23:59', 1439],
    ['-23:59', -1439],
    ['+0530', 330],
    ['-00:30', -30],
    ['+24:00', Number.NaN],
    ['-24', Number.NaN],
    ['+00:60', Number.NaN],
    ['02:00', Number.NaN],
    ['+2', Number.NaN],
  ];
  for (const [zone, east] of zones)
    assert.equal(readTimestamp(`2026-05-01T12:00:00${zone}`), moment - east * 60_000, zone);
});

test('event times lie in the years 2000 to 2100', () => {
  assert.deepEqual([earliestMs, latestMs], [Date.UTC(2000, 0, 1), Date.UTC(2101, 0, 1) - 1]);
  const inside = [earliestMs - 1, earliestMs, latestMs, latestMs + 1, Number.NaN].map(inRange);
  assert.deepEqual(inside, [false, true, true, false, false]);
});
