import type { AttributionKind } from '../../scoring/attribution.ts';
import type { Cases } from '../../statistics/kitagawa.ts';
import { causeText } from '../../view/cause-text.ts';
import type { Cause, Group, WatchAlarm, WatchReading } from '../../view/summary.ts';
import { type FailedEvent, failedEvent, type LatestFailures } from './failed-event.ts';

/** A share with its counts. */
export interface Share {
  readonly value: number;
  readonly numerator: number;
  readonly denominator: number;
}

/** Bad cases since a rate is down again. */
export interface Recovering {
  readonly since: string;
  readonly rate: Share;
}

/** A watch as a summary has it (docs/reference/outputs.md). */
export interface PlainWatch {
  readonly watch: string;
  readonly slice: Readonly<Record<string, string>>;
  readonly firing: boolean;
  readonly learning: boolean;
  readonly learning_until: string | null;
  readonly since: string | null;
  /** Bad cases since then until the last bad pane, and before. */
  readonly rate: Share | null;
  readonly before: Share | null;
  /** While it fires and the rate is down again, but the end is not sure yet: the rate since the last bad pane. */
  readonly recovering: Recovering | null;
  readonly causes: readonly PlainCause[];
  readonly statistic: number;
  readonly threshold: number | null;
  readonly baseline: number | null;
  readonly worst: number | null;
  readonly false_alarm_cases: number | null;
  readonly delay_cases: { readonly worst: number; readonly twice_worst: number } | null;
  readonly design_effect: number;
}

/** A cause of the change of a rate. */
export interface PlainCause {
  readonly text: string;
  /** A value of another dimension, an outcome, or an attribution of bad cases: all but one are null. */
  readonly slice: Readonly<Record<string, string>> | null;
  readonly outcome: { readonly gold: string; readonly predicted: string } | null;
  readonly attributed: {
    readonly kind: AttributionKind;
    readonly tool: string;
    readonly argument: string | null;
  } | null;
  /** Share of the change: `by_rate` and `by_mix` together. */
  readonly share: number;
  readonly by_rate: number;
  readonly by_mix: number;
  readonly before: Share | null;
  readonly since: Share;
  readonly event: FailedEvent | null;
}

/** A watch of a view as a summary has it; cases are those that come, not divided by the design effect. */
export function plainWatch(reading: WatchReading, failures: LatestFailures): PlainWatch {
  const { watch, firing, design, learningUntilMs, designEffect, statistic, span, incidents } = reading;
  const cases = (independent: number): number => Math.round(independent * designEffect);
  return {
    watch,
    slice: sliceOf(reading),
    firing,
    learning: design === undefined,
    learning_until: learningUntilMs === undefined ? null : timeText(learningUntilMs),
    since: span === undefined ? null : timeText(span.sinceMs),
    rate: span === undefined ? null : shareOf(span),
    before: firing ? beforeOf(reading) : null,
    recovering: recoveringOf(reading),
    causes: firing ? plainCauses(reading, incidents.at(-1)!, failures) : [],
    statistic,
    threshold: design?.threshold ?? null,
    baseline: design?.baseline ?? null,
    worst: design?.worst ?? null,
    false_alarm_cases: design === undefined ? null : Math.round(design.falseAlarmCases),
    delay_cases:
      design === undefined ? null : { worst: cases(design.delayCases), twice_worst: cases(design.delayCasesAtTwice) },
    design_effect: designEffect,
  };
}

/** The causes of an alarm, each with one of the latest failed events. */
export function plainCauses(reading: WatchReading, alarm: WatchAlarm, failures: LatestFailures): PlainCause[] {
  const { causes = [] } = alarm;
  return causes.map((cause) => ({ ...plainCause(cause), event: failedEvent(reading, alarm, cause, failures) }));
}

function plainCause(cause: Cause): Omit<PlainCause, 'event'> {
  const { part, byRate, byMix, before, since } = cause;
  return {
    text: causeText(cause),
    slice: 'dimension' in part ? { [part.dimension]: part.value } : null,
    outcome: 'gold' in part ? part : null,
    attributed: 'tool' in part ? { ...part, argument: part.argument || null } : null,
    share: byRate + byMix,
    by_rate: byRate,
    by_mix: byMix,
    before: before === undefined || before.n === 0 ? null : shareOf(before),
    since: shareOf(since),
  };
}

/** The recovery of a watch: since when, and bad cases since then; null while its rate is up, or it does not fire. */
export function recoveringOf({ recovery }: WatchReading): Recovering | null {
  return recovery === undefined ? null : { since: timeText(recovery.sinceMs), rate: shareOf(recovery) };
}

/** Bad cases of the reference span of a watch; null where it has none. */
export function beforeOf({ before }: WatchReading): Share | null {
  return before === undefined ? null : shareOf(before);
}

/** Dimensions of a group with their values. */
export function sliceOf({ dimensions, values }: Pick<Group, 'dimensions' | 'values'>): Record<string, string> {
  return Object.fromEntries(dimensions.map((dimension, at) => [dimension, values[at]!]));
}

/** A share of cases. */
export function shareOf({ n, bad }: Cases): Share {
  return { value: bad / n, numerator: bad, denominator: n };
}

/** A time as ISO 8601. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
