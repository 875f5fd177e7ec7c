import { programName } from '../../name.ts';
import type { NoteKind } from '../../stream/input-notes.ts';
import type { Rate } from '../../scoring/reading.ts';
import { type InputRow, inputReport, type PlacedSample, type TruthCounts } from '../../view/input-report.ts';
import type { Group, RecordCounts, View } from '../../view/summary.ts';
import type { LatestFailures } from './failed-event.ts';
import type { Suspect } from './suspect.ts';
import type { WrongEvent } from './wrong-arguments.ts';
import { incidentsDocument, type PlainIncident } from './incident-document.ts';
import { type PlainWatch, plainWatch, sliceOf } from './watch-document.ts';

/** The circumstances of a summary besides its numbers. */
export interface SummaryContext {
  readonly version: string;
  readonly configHash: string;
  readonly mode: string;
  readonly truth: { readonly version: string; readonly rows: number } | null;
  readonly partitions: readonly string[];
  readonly ofTruth?: TruthCounts | undefined;
  /** Examples of wrong input, where this process read some. */
  readonly firsts: ReadonlyMap<NoteKind, PlacedSample>;
}

/** The parts of a summary that programs of this repository read; it has more. */
export interface SummaryDocument {
  readonly records: RecordCounts;
  readonly coverage: Rate;
  readonly input: readonly InputRow[];
  readonly groups: readonly PlainGroup[];
  readonly watches: readonly PlainWatch[];
  readonly incidents: readonly PlainIncident[];
  /** The truth of which examples may be wrong. */
  readonly suspects: readonly Suspect[];
  /** Events with arguments that do not match. */
  readonly wrong_arguments: readonly WrongEvent[];
  readonly [key: string]: unknown;
}

/** The report on single events. */
export interface EventReport {
  readonly failures: LatestFailures;
  readonly suspects: readonly Suspect[];
  readonly wrongArguments: readonly WrongEvent[];
}

/** The summary as plain JSON (docs/reference/outputs.md). */
export function summaryDocument(
  view: View,
  context: SummaryContext,
  report: Partial<EventReport> = {},
): SummaryDocument {
  const { failures = () => [], suspects = [], wrongArguments = [] } = report;
  return {
    format: `${programName}.summary/1`,
    version: context.version,
    config_hash: context.configHash,
    mode: context.mode,
    as_of: view.asOfMs === undefined ? null : new Date(view.asOfMs).toISOString(),
    truth: context.truth,
    partitions: context.partitions,
    records: view.records,
    coverage: view.coverage,
    input: inputReport(view.records, view.input, context.firsts, context.ofTruth),
    groups: view.groups.map(plainGroup),
    watches: view.watches.map((reading) => plainWatch(reading, failures)),
    incidents: incidentsDocument(view.watches, failures),
    suspects,
    wrong_arguments: wrongArguments,
  };
}

/** A group as a summary has it (docs/reference/outputs.md). */
export interface PlainGroup {
  readonly slice: Readonly<Record<string, string>>;
  readonly window: string;
  /** Families whose numbers begin later than their window, with the event time, ISO 8601. */
  readonly since?: Readonly<Record<string, string>>;
  readonly [family: string]: unknown;
}

/** A group of a view as a summary has it. */
export function plainGroup({ window, blocks, since, ...group }: Group): PlainGroup {
  return { slice: sliceOf(group), window, ...(since && { since: isoTimes(since) }), ...blocks() };
}

function isoTimes(since: Readonly<Record<string, number>>): Record<string, string> {
  return Object.fromEntries(Object.entries(since).map(([family, ms]) => [family, new Date(ms).toISOString()]));
}
