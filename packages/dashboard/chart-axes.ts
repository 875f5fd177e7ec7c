import { timeOfDay } from './format.ts';

/** A place on an axis, between 0 and 1, with its text. */
export interface Tick {
  readonly share: number;
  readonly text: string;
}

const second = 1000;
const hour = 3_600_000;
const day = 24 * hour;
const timeSteps = [
  ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800].map((seconds) => seconds * second),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000].map((days) => days * day),
];
const timeTicksMax = 5;

const dayText = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** Ticks of a span of time, ms, at whole steps of local time: days, minutes or seconds, by their distance. Where days change there is the date. */
export function timeTicks(fromMs: number, untilMs: number): readonly Tick[] {
  const step = timeSteps.find((ms) => (untilMs - fromMs) / ms <= timeTicksMax) ?? timeSteps.at(-1)!;
  const offset = new Date(fromMs).getTimezoneOffset() * 60_000;
  const first = Math.ceil((fromMs - offset) / step) * step + offset;
  const timeText = (ms: number): string => (step >= 60_000 ? timeOfDay(ms).slice(0, 5) : timeOfDay(ms));
  const dayBefore = (ms: number): string => dayText.format(Math.max(fromMs, ms - step));
  const text = (ms: number): string => (dayText.format(ms) === dayBefore(ms) ? timeText(ms) : dayText.format(ms));
  return steps(first, untilMs, step).map((ms) => ({
    share: (ms - fromMs) / (untilMs - fromMs),
    text: step >= day ? dayText.format(ms) : text(ms),
  }));
}

const shareSteps = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
const shareTicksMax = 5;

/** Ticks of a span of shares, in percent. */
export function shareTicks(low: number, high: number): readonly Tick[] {
  const step = shareSteps.find((share) => (high - low) / share <= shareTicksMax) ?? shareSteps.at(-1)!;
  return steps(Math.ceil(low / step - 1e-9) * step, high, step).map((value) => ({
    share: (value - low) / (high - low),
    text: `${Number((100 * value).toFixed(1))}\u00a0%`,
  }));
}

function steps(first: number, last: number, step: number): readonly number[] {
  const count = Math.max(0, Math.floor((last - first) / step + 1e-9) + 1);
  return Array.from({ length: count }, (_, at) => first + at * step);
}
