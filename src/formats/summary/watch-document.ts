import type { AttributionKind } from '../../scoring/attribution.ts';
import type { Cases } from '../../statistics/kitagawa.ts';
import type { WatchIncident } from '../../statistics/watch-run.ts';
import { causeText } from '../../view/cause-text.ts';
import type { Cause, Group, View, WatchReading } from '../../view/summary.ts';
import { type FailedEvent, failedEvent, type LatestFailures } from './failed-event.ts';

/** A share with its counts. */
export interface Share {
  readonly value: number;
  readonly numerator: number;
  readonly denominator: number;
}

/** A watch as a summary has it (docs/reference/outputs.md). */
export interface PlainWatch {
  readonly watch: string;
  readonly slice: Readonly<Record<string, string>>;
  readonly firing: boolean;
  readonly learning: boolean;
  readonly since: string | null;
  /** Bad cases since then until the last bad pane, and before. */
  readonly rate: Share | null;
  readonly before: Share | null;
  /** While it fires and the rate is down again, but the end is not sure yet: the rate since the last bad pane. */
  readonly recovering: { readonly since: string; readonly rate: Share } | null;
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

/** An incident of the last 24 hours, one alarm or several within half an hour: when the rate was up (since, until), and when it was reported (begin, end). */
export interface Incident {
  readonly watch: string;
  readonly slice: Readonly<Record<string, string>>;
  readonly since: string;
  readonly begin: string;
  readonly until: string;
  /** Null while it fires. */
  readonly end: string | null;
  /** Bad cases from since to until. */
  readonly rate: Share;
  /** Bad cases of the reference span, of now. */
  readonly before: Share | null;
  readonly baseline: number;
}

/** The answer of `/api/v1/watches` as plain JSON (docs/reference/http.md): the watches of all groups, those that fire first. */
export function watchesDocument(
  { asOfMs, watches }: Pick<View, 'asOfMs' | 'watches'>,
  failures: LatestFailures,
): Record<string, unknown> {
  const inOrder = [...watches].sort((a, b) => Number(b.firing) - Number(a.firing));
  return {
    format: 'assay.watches/1',
    as_of: asOfMs === undefined ? null : timeText(asOfMs),
    watches: inOrder.map((reading) => plainWatch(reading, failures)),
    incidents: incidentsOf(watches),
  };
}

/** A watch of a view as a summary has it; cases are those that come, not divided by the design effect. */
export function plainWatch(reading: WatchReading, failures: LatestFailures): PlainWatch {
  const { watch, firing, design, designEffect, statistic, span, recovery, causes } = reading;
  const cases = (independent: number): number => Math.round(independent * designEffect);
  return {
    watch,
    slice: sliceOf(reading),
    firing,
    learning: design === undefined,
    since: span === undefined ? null : timeText(span.sinceMs),
    rate: span === undefined ? null : shareOf(span),
    before: firing ? beforeOf(reading) : null,
    recovering: recovery === undefined ? null : { since: timeText(recovery.sinceMs), rate: shareOf(recovery) },
    causes: causes.map((cause) => ({ ...plainCause(cause), event: failedEvent(reading, cause, failures) })),
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

/** The incidents of the last 24 hours, by when the rate went up. */
export function incidentsOf(watches: readonly WatchReading[]): Incident[] {
  return watches
    .flatMap((reading) => reading.incidents.map((incident) => ({ reading, incident })))
    .sort((a, b) => a.incident.sinceMs - b.incident.sinceMs)
    .map(({ reading, incident }) => incidentOf(reading, incident));
}

/** An incident of a watch. */
export function incidentOf(reading: WatchReading, incident: WatchIncident): Incident {
  return {
    watch: reading.watch,
    slice: sliceOf(reading),
    since: timeText(incident.sinceMs),
    begin: timeText(incident.beginMs),
    until: timeText(incident.untilMs),
    end: incident.endMs === undefined ? null : timeText(incident.endMs),
    rate: shareOf(incident),
    before: beforeOf(reading),
    baseline: reading.design!.baseline,
  };
}

function beforeOf({ before }: WatchReading): Share | null {
  return before === undefined ? null : shareOf(before);
}

/** Dimensions of a group with their values. */
export function sliceOf({ dimensions, values }: Pick<Group, 'dimensions' | 'values'>): Record<string, string> {
  return Object.fromEntries(dimensions.map((dimension, at) => [dimension, values[at]!]));
}

function shareOf({ n, bad }: Cases): Share {
  return { value: bad / n, numerator: bad, denominator: n };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
