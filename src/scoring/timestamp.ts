/** Event times lie in the years 2000 to 2100 (docs/reference/events.md). */
export const earliestMs: number = 86_400_000 * daysOf(2000, 1, 1);
export const latestMs: number = 86_400_000 * daysOf(2101, 1, 1) - 1;

/** Returns whether an event time is one that Assay accepts; NaN is not. */
export function inRange(ms: number): boolean {
  return ms >= earliestMs && ms <= latestMs;
}

/**
 * Milliseconds since 1970 of an ISO 8601 date, or date and time: extended (`2026-05-01T04:09:59.5+02:00`) or basic
 * (`20260501T040959Z`), `T` or a space between, seconds and minutes optional, UTC where there is no zone. Digits below the
 * millisecond are cut. NaN for anything else, such as 30 February.
 */
export function readTimestamp(text: string): number {
  const { length } = text;
  if (length > usualBytes.length) return readAny(text);
  for (let at = 0; at < length; at++) usualBytes[at] = Math.min(text.charCodeAt(at), 0xff);
  return readUsualTimestamp(usualBytes, 0, length) ?? readAny(text);
}

const usualBytes = new Uint8Array('YYYY-MM-DDThh:mm:ss.fffZ'.length);

/** The same of `bytes[start, to)`: `YYYY-MM-DDThh:mm:ss`, then nothing, `Z`, or `.fff` and nothing or `Z`; undefined for every other form. */
export function readUsualTimestamp(bytes: Uint8Array, start: number, to: number): number | undefined {
  const end = bytes[to - 1] === 0x5a ? to - 1 : to;
  const length = end - start;
  if (length !== 19 && length !== 23) return undefined;
  if (!usualMarks(bytes, start)) return undefined;
  if (length === 23 && bytes[start + 19] !== 0x2e) return undefined;
  const century = pair(bytes, start);
  const year = pair(bytes, start + 2);
  const month = pair(bytes, start + 5);
  const day = pair(bytes, start + 8);
  const hour = pair(bytes, start + 11);
  const minute = pair(bytes, start + 14);
  const second = pair(bytes, start + 17);
  const tenth = length === 23 ? digit(bytes, start + 20) : 0;
  const thousandths = length === 23 ? pair(bytes, start + 21) : 0;
  if ((century | year | month | day | hour | minute | second | tenth | thousandths) < 0) return undefined;
  return instant(100 * century + year, month, day, hour, minute, second, 100 * tenth + thousandths);
}

function usualMarks(bytes: Uint8Array, start: number): boolean {
  return (
    bytes[start + 4] === 0x2d &&
    bytes[start + 7] === 0x2d &&
    bytes[start + 10] === 0x54 &&
    bytes[start + 13] === 0x3a &&
    bytes[start + 16] === 0x3a
  );
}

/** Two digits as a number, below 0 where they are none. */
function pair(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - 0x30;
  const ones = bytes[at + 1]! - 0x30;
  return tens >>> 0 > 9 || ones >>> 0 > 9 ? -1 : 10 * tens + ones;
}

function digit(bytes: Uint8Array, at: number): number {
  const value = bytes[at]! - 0x30;
  return value >>> 0 > 9 ? -1 : value;
}

const zone = '(?:(?<utc>[Zz])|(?<sign>[+-])(?<zoneHour>\\d{2})(?::?(?<zoneMinute>\\d{2}))?)?';
const fraction = '(?:[.,](?<fraction>\\d+))?';
const extended = new RegExp(
  `^(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})(?:[Tt ](?<hour>\\d{2})(?::(?<minute>\\d{2})(?::(?<second>\\d{2})${fraction})?)?${zone})?$`,
);
const basic = new RegExp(
  `^(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})(?:[Tt](?<hour>\\d{2})(?:(?<minute>\\d{2})(?:(?<second>\\d{2})${fraction})?)?${zone})?$`,
);

function readAny(text: string): number {
  const groups = (extended.exec(text) ?? basic.exec(text))?.groups;
  if (groups === undefined) return Number.NaN;
  const part = (name: string): number => Number(groups[name] ?? 0);
  const zoneHour = part('zoneHour');
  const zoneMinute = part('zoneMinute');
  if (zoneHour > 23 || zoneMinute > 59) return Number.NaN;
  const east = (groups['sign'] === '-' ? -1 : 1) * (zoneHour * 60 + zoneMinute) * 60_000;
  const thousandths = Number((groups['fraction'] ?? '').padEnd(3, '0').slice(0, 3));
  const local = instant(
    part('year'),
    part('month'),
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
    thousandths,
  );
  return local - east;
}

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** UTC milliseconds of a calendar date and time of day; NaN where there is no such moment. 24:00:00 is the end of its day. */
function instant(y: number, month: number, day: number, h: number, min: number, s: number, ms: number): number {
  if (month < 1 || month > 12 || day < 1 || min > 59 || s > 59) return Number.NaN;
  const leap = month === 2 && y % 4 === 0 && (y % 100 !== 0 || y % 400 === 0);
  if (day > daysOfMonth[month - 1]! + (leap ? 1 : 0)) return Number.NaN;
  if (h > 23 && (h > 24 || min > 0 || s > 0 || ms > 0)) return Number.NaN;
  return (((daysOf(y, month, day) * 24 + h) * 60 + min) * 60 + s) * 1000 + ms;
}

/** Days from 1970-01-01 to a date of the Gregorian calendar; years begin in March, so that leap days come last. (`Date.UTC` costs as much as all the rest.) */
function daysOf(y: number, month: number, day: number): number {
  const year = month > 2 ? y : y - 1;
  const monthFromMarch = month > 2 ? month - 3 : month + 9;
  const leapDays = (year >> 2) - ((year / 100) | 0) + ((year / 400) | 0);
  return year * 365 + leapDays + (((153 * monthFromMarch + 2) / 5) | 0) + day - 719_469;
}
