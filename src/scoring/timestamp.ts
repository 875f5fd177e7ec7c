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
  const parts = extended.exec(text) ?? basic.exec(text);
  if (parts === null) return Number.NaN;
  const part = (at: number): number => Number(parts[at] ?? 0);
  const [zoneHour, zoneMinute] = [part(9), part(10)];
  if (zoneHour > 23 || zoneMinute > 59) return Number.NaN;
  const east = (parts[8] === '-' ? -1 : 1) * (zoneHour * 60 + zoneMinute) * 60_000;
  const thousandths = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  return instant(part(1), part(2), part(3), part(4), part(5), part(6), thousandths) - east;
}

/** Returns whether two texts give the same time, to all their digits. */
export function isSameTime(a: string, b: string): boolean {
  return readTimestamp(a) === readTimestamp(b) && digitsBelowMs(a) === digitsBelowMs(b);
}

/** The digits of a time below the millisecond, without zeros at their end. */
function digitsBelowMs(text: string): string {
  return /[.,]\d{3}(\d*[1-9])/.exec(text)?.[1] ?? '';
}

/* Groups: year, month, day, hour, minute, second, fraction, sign, hour and minute of the zone. */
const zone = '(?:[Zz]|([+-])(\\d{2})(?::?(\\d{2}))?)?';
const seconds = '(\\d{2})(?:[.,](\\d+))?';
const extended = new RegExp(`^(\\d{4})-(\\d{2})-(\\d{2})(?:[Tt ](\\d{2})(?::(\\d{2})(?::${seconds})?)?${zone})?$`);
const basic = new RegExp(`^(\\d{4})(\\d{2})(\\d{2})(?:[Tt](\\d{2})(?:(\\d{2})(?:${seconds})?)?${zone})?$`);

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
