import type { NoteKind } from '../../stream/input-notes.ts';
import type { Rate } from '../../scoring/reading.ts';
import { type InputRow, inputReport, type PlacedSight } from '../../view/input-report.ts';
import type { Group, RecordCounts, View, WatchReading } from '../../view/summary.ts';

/** What a summary says besides its numbers. */
export interface SummaryContext {
  readonly version: string;
  readonly configHash: string;
  readonly mode: string;
  readonly truth: { readonly version: string; readonly rows: number } | null;
  readonly partitions: readonly string[];
  /** Examples of what was wrong with the input, where this process saw some. */
  readonly firsts: ReadonlyMap<NoteKind, PlacedSight>;
}

/** What programs of this repository read of a summary; it has more. */
export interface SummaryDocument {
  readonly records: RecordCounts;
  readonly coverage: Rate;
  readonly input: readonly InputRow[];
  readonly groups: readonly PlainGroup[];
  readonly watches: readonly PlainWatch[];
  readonly [key: string]: unknown;
}

/** The summary as plain JSON (docs/reference/outputs.md). */
export function summaryDocument(view: View, context: SummaryContext): SummaryDocument {
  return {
    format: 'assay.summary/1',
    version: context.version,
    config_hash: context.configHash,
    mode: context.mode,
    as_of: view.asOfMs === undefined ? null : new Date(view.asOfMs).toISOString(),
    truth: context.truth,
    partitions: context.partitions,
    records: view.records,
    coverage: view.coverage,
    input: inputReport(view.records, view.input, context.firsts),
    groups: view.groups.map(plainGroup),
    watches: view.watches.map(plainWatch),
  };
}

/** A group as a summary has it (docs/reference/outputs.md). */
export interface PlainGroup {
  readonly slice: Readonly<Record<string, string>>;
  readonly window: string;
  readonly [family: string]: unknown;
}

/** The answer of `/api/v1/watches` as plain JSON (docs/reference/http.md): the watches of all groups, those that fire first. */
export function watchesDocument({ asOfMs, watches }: Pick<View, 'asOfMs' | 'watches'>): Record<string, unknown> {
  const inOrder = [...watches].sort((a, b) => Number(b.firing) - Number(a.firing));
  return {
    format: 'assay.watches/1',
    as_of: asOfMs === undefined ? null : new Date(asOfMs).toISOString(),
    watches: inOrder.map(plainWatch),
  };
}

/** A watch as a summary has it (docs/reference/outputs.md). */
export interface PlainWatch {
  readonly watch: string;
  readonly slice: Readonly<Record<string, string>>;
  readonly firing: boolean;
  readonly learning: boolean;
  readonly since: string | null;
  /** Bad cases since then. */
  readonly rate: { readonly value: number; readonly numerator: number; readonly denominator: number } | null;
  readonly statistic: number;
  readonly threshold: number | null;
  readonly baseline: number | null;
  readonly worst: number | null;
  readonly false_alarm_cases: number | null;
  readonly delay_cases: { readonly worst: number; readonly twice_worst: number } | null;
  readonly design_effect: number;
}

/** A watch of a view as a summary has it; cases are those that come, not divided by the design effect. */
export function plainWatch(reading: WatchReading): PlainWatch {
  const { watch, firing, design, designEffect, statistic, span } = reading;
  const cases = (independent: number): number => Math.round(independent * designEffect);
  return {
    watch,
    slice: sliceOf(reading),
    firing,
    learning: design === undefined,
    since: firing && span !== undefined ? new Date(span.sinceMs).toISOString() : null,
    rate: firing && span !== undefined ? { value: span.bad / span.n, numerator: span.bad, denominator: span.n } : null,
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

/** A group of a view as a summary has it. */
export function plainGroup({ window, blocks, ...group }: Group): PlainGroup {
  return { slice: sliceOf(group), window, ...blocks };
}

function sliceOf({ dimensions, values }: Pick<Group, 'dimensions' | 'values'>): Record<string, string> {
  return Object.fromEntries(dimensions.map((dimension, at) => [dimension, values[at]!]));
}
