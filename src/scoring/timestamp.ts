/** Event times lie in the years 2000 to 2100 (docs/reference/events.md). */
export const earliestMs: number = 86_400_000 * daysOf(2000, 1, 1);
export const latestMs: number = 86_400_000 * daysOf(2101, 1, 1) - 1;

/** Whether an event time is one that Assay accepts; NaN is not. */
export function inRange(ms: number): boolean {
  return ms >= earliestMs && ms <= latestMs;
}

/**
 * Milliseconds since 1970 of an ISO 8601 date, or date and time: extended (`2026-05-01T04:09:59.5+02:00`) or basic
 * (`20260501T040959Z`), `T` or a space between, seconds and minutes optional, UTC where there is no zone. Digits below the
 * millisecond are cut. NaN for anything else, such as 30 February.
 */
export function readTimestamp(text: string): number {
  const ms = readUsual(text);
  return ms === undefined ? readAny(text) : ms;
}

/** `YYYY-MM-DDThh:mm:ss`, then nothing, `Z`, or `.fff` and nothing or `Z`; undefined for every other form. */
function readUsual(text: string): number | undefined {
  const length = text.length;
  const end = text.charCodeAt(length - 1) === 0x5a ? length - 1 : length;
  if (end !== 19 && end !== 23) return undefined;
  if (!usualMarks(text)) return undefined;
  if (end === 23 && text.charCodeAt(19) !== 0x2e) return undefined;
  const century = pair(text, 0);
  const year = pair(text, 2);
  const month = pair(text, 5);
  const day = pair(text, 8);
  const hour = pair(text, 11);
  const minute = pair(text, 14);
  const second = pair(text, 17);
  const tenth = end === 23 ? digit(text, 20) : 0;
  const thousandths = end === 23 ? pair(text, 21) : 0;
  if ((century | year | month | day | hour | minute | second | tenth | thousandths) < 0) return undefined;
  return instant(100 * century + year, month, day, hour, minute, second, 100 * tenth + thousandths);
}

function usualMarks(text: string): boolean {
  return (
    text.charCodeAt(4) === 0x2d &&
    text.charCodeAt(7) === 0x2d &&
    text.charCodeAt(10) === 0x54 &&
    text.charCodeAt(13) === 0x3a &&
    text.charCodeAt(16) === 0x3a
  );
}

/** Two digits as a number, below 0 where they are none. */
function pair(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30;
  const ones = text.charCodeAt(at + 1) - 0x30;
  return tens >>> 0 > 9 || ones >>> 0 > 9 ? -1 : 10 * tens + ones;
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 0x30;
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
