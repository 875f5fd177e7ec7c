import type { LiveGroup } from '../../src/formats/summary/live-group.ts';
import type { Estimate, Mean, Rate } from '../../src/scoring/reading.ts';
import { coverageOf, type Fates } from '../../src/state/fates.ts';

/** A number of any of the shapes that summaries have. */
export type Reading = Rate | Estimate | Mean | number;

const counts = new Intl.NumberFormat('en');

/** 12345 is `12,345`. */
export function count(value: number): string {
  return counts.format(value);
}

/** 0.8421 is `84.2 %`, with a space that does not break; null is a dash. Never rounds to 100 % or 0 % what is not. The form of every share and score. */
export function percent(share: number | null): string {
  if (share === null) return '–';
  if (share > 0.9995 && share < 1) return '>99.9\u00a0%';
  if (share < 0.0005 && share > 0) return '<0.1\u00a0%';
  return `${(100 * share).toFixed(1)}\u00a0%`;
}

/** Coverage of a window; null where it has no events. */
export function coverageShare(counts: Fates): number | null {
  const [scored, all] = coverageOf(counts);
  return all === 0 ? null : scored / all;
}

/** Returns whether a reading is a share, with an interval: counted, or estimated from a part. */
export function isShare(reading: Reading | undefined): reading is Rate | Estimate {
  return typeof reading === 'object' && Object.hasOwn(reading, 'lower');
}

/** The number of a reading, null where there is none. */
export function numberIn(reading: Reading | undefined): number | null {
  return reading === undefined ? null : typeof reading === 'number' ? reading : reading.value;
}

/** A reading as text. */
export function reading(of: Reading | undefined): string {
  return percent(numberIn(of));
}

/** `83.0–85.3 %`: the ends of an interval; empty where there is none. */
export function interval({ lower, upper }: Pick<Rate, 'lower' | 'upper'>): string {
  return lower === null || upper === null ? '' : `${(100 * lower).toFixed(1)}–${(100 * upper).toFixed(1)}\u00a0%`;
}

/** `248 of 1,800`: the counts of a rate; empty where there are none. */
export function countsText(of: Reading | undefined): string {
  return typeof of === 'object' && 'denominator' in of ? `${count(of.numerator)} of ${count(of.denominator)}` : '';
}

/** The basis of a number, and its interval, in words. */
export function readingTitle(of: Reading | undefined): string | undefined {
  if (of === undefined || typeof of === 'number') return undefined;
  if (!isShare(of)) return `mean of ${count(of.count)}`;
  if (of.lower === null || of.upper === null) return 'no data';
  return `${countsText(of) || 'estimated from a sample'}, interval ${interval(of)}`;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const calendar = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** Local time of day. */
export function timeOfDay(time: string | number): string {
  return clock.format(new Date(time));
}

/** Local date and time. */
export function dateAndTime(time: string | number): string {
  return calendar.format(new Date(time));
}

/** Since when the numbers of a headline's family hold all, where that is later than what is shown. */
export function sinceText({ since }: Pick<LiveGroup, 'since'>, path: string): string | undefined {
  const begun = since?.[path.slice(0, path.indexOf('.'))];
  return begun === undefined ? undefined : `since ${dateAndTime(begun)}`;
}

/** `14:05:10`, with the date before it where that is another day than that of a second time. */
export function timeNear(time: string | number, other: string | number): string {
  const isSameDay = new Date(time).toDateString() === new Date(other).toDateString();
  return isSameDay ? timeOfDay(time) : `${dayAndMonth.format(new Date(time))} ${timeOfDay(time)}`;
}

const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const zone = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' });

/** The local time zone at a time: `UTC`, `CET`, `GMT+5:30`. */
export function zoneOf(time: string | number): string {
  return zone.formatToParts(new Date(time)).find(({ type }) => type === 'timeZoneName')!.value;
}

/** 90,000 ms is `1 min 30 s`: the two greatest units. */
export function duration(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
  ] as const;
  const first = units.findIndex(([, length]) => ms >= length);
  if (first < 0) return '0 s';
  const [unit, length] = units[first]!;
  const next = units[first + 1];
  const rest = next === undefined ? 0 : Math.floor((ms % length) / next[1]);
  return `${Math.floor(ms / length)} ${unit}${next === undefined || rest === 0 ? '' : ` ${rest} ${next[0]}`}`;
}

/** How long ago a time was at another: `3 s ago`. */
export function ago(time: string, at: string): string {
  return `${duration(Math.max(0, Date.parse(at) - Date.parse(time)))} ago`;
}

/** `1 model`, `2 models`. */
export function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

/** How a window is spoken of. */
export function windowText(window: string): string {
  return window === 'all' ? 'all time' : `last ${window}`;
}

const joiners = new Set(['\u200c', '\u200d']);

/** A name from events with what cannot be seen made visible: nothing, control and direction characters, halves of characters. */
export function printable(text: string): string {
  if (text.trim() === '') return '(blank)';
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const point = character.codePointAt(0)!;
    if (joiners.has(character)) return character;
    if (point < 0x20) return String.fromCodePoint(0x2400 + point);
    return `‹U+${point.toString(16).toUpperCase().padStart(4, '0')}›`;
  });
}
