import { readTimestamp } from '../scoring/timestamp.ts';

/** A length of time as it was written (`5m`: what outputs call a window) and in ms. */
export interface Duration {
  readonly text: string;
  readonly ms: number;
}

/** A point in time as it was written and in ms since 1970, UTC. */
export type Instant = Duration;

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** Longest delay that a timer of Node takes; a longer one fires at once. */
export const timerMsMax: number = 2 ** 31 - 1;

/** The form of a duration: a whole number and a unit. */
export const durationPattern: RegExp = /^\d{1,12}(ms|s|m|h|d)$/;

/** `10s` -> 10,000 ms. The text must match `durationPattern`. */
export function durationOf(text: string): Duration {
  const unit = text.replace(/^\d+/, '');
  const factor = units.find(([name]) => name === unit)![1];
  return { text, ms: Number.parseInt(text, 10) * factor };
}

/** The shortest text of a length of time: 60,000 ms -> `1m`. Equal lengths have equal texts. */
export function durationText(ms: number): string {
  if (ms === 0) return '0s';
  const [name, factor] = units.find(([, size]) => ms % size === 0)!;
  return `${ms / factor}${name}`;
}

/** An ISO 8601 date, or date and time, UTC where no zone is given; undefined for anything else, such as 30 February. */
export function instantOf(text: string): Instant | undefined {
  const ms = readTimestamp(text);
  return Number.isNaN(ms) ? undefined : { text, ms };
}

/** A duration or an instant, rather than a section of the configuration. */
export function isTime(value: unknown): value is Duration | Instant {
  return typeof value === 'object' && value !== null && 'ms' in value && typeof value.ms === 'number';
}
