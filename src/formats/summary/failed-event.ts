import type { Cause, WatchAlarm, WatchReading } from '../../view/summary.ts';
import type { Failure } from './failure.ts';

/** A failed event that shows a cause. */
export interface FailedEvent extends Pick<Failure, 'event_id' | 'example_id' | 'ts' | 'slice' | 'link'> {}

/** The latest failures of a slice that fit, the newest first. */
export type LatestFailures = (
  slice: Readonly<Record<string, string>>,
  fits?: (failure: Failure) => boolean,
) => readonly Failure[];

/** Bad cases of a rate in a span of event time, ms. */
export interface BadCases {
  /** Null: of any rate. */
  readonly watch: string | null;
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Tells the failures that are bad cases of a rate in a span. */
export function badCases({ watch, sinceMs, untilMs }: BadCases): (failure: Failure) => boolean {
  return (failure) => {
    const ms = Date.parse(failure.ts);
    return ms >= sinceMs && ms < untilMs && (watch === null || isBad(watch, failure));
  };
}

/** One of the latest failures that shows a cause of an alarm; null where there is none. */
export function failedEvent(
  { dimensions, values, watch }: WatchReading,
  { sinceMs, untilMs }: WatchAlarm,
  { part }: Cause,
  latest: LatestFailures,
): FailedEvent | null {
  const group = Object.fromEntries(dimensions.map((dimension, at) => [dimension, values[at]!]));
  const own = 'dimension' in part ? { ...group, [part.dimension]: part.value } : group;
  const isCase = badCases({ watch, sinceMs, untilMs });
  const [found] = latest(own, (failure) => isCase(failure) && shows(part, failure));
  if (found === undefined) return null;
  const { event_id, example_id, ts, slice, link } = found;
  return { event_id, example_id, ts, slice, link };
}

/** Returns whether an event came to an outcome, or has a call with the attribution. */
function shows(part: Cause['part'], { gold, predicted, calls }: Failure): boolean {
  if ('dimension' in part) return true;
  if ('gold' in part) return gold === part.gold && predicted === part.predicted;
  const { kind, tool } = part;
  // The argument of an error is its text.
  const argument = kind === 'tool_error' ? '' : part.argument;
  const isOf = (name: string): boolean => argument === name || /^[.[]/.test(argument.slice(name.length));
  return calls.some(
    ({ expected, actual, fields }) =>
      (expected === tool || actual === tool) &&
      (argument === '' || fields.some(({ name, same }) => !same && argument.startsWith(name) && isOf(name))),
  );
}

/** Kinds of hallucination, by the rate that counts them. */
const hallucinationOf: Readonly<Record<string, string>> = {
  'decision.tool_hall': 'tool',
  'decision.param_hall': 'param',
  'decision.answer_hall': 'answer',
  'decision.unknown_tool': 'unknown_tool',
};

/** Returns whether an event is bad by a rate, or at least by its family. */
function isBad(watch: string, { hallucinations, families, faults }: Failure): boolean {
  const [family, metric] = watch.split('.');
  if (family === 'tool_use') return faults.some(({ rate }) => rate === metric);
  const kind = hallucinationOf[watch];
  return kind === undefined ? families.includes(family!) : hallucinations.includes(kind);
}
