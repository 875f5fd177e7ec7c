import type { TruthRecord } from './record.ts';

/** The content of a truth table in numbers of rows. */
export interface TruthCounts {
  readonly rows: number;
  /** Rows with a label; with expected calls, also none; with anything that events are scored against. */
  readonly labels: number;
  readonly expected: number;
  readonly scored: number;
}

/** The content of no rows. */
export function noRecords(): { -readonly [Name in keyof TruthCounts]: number } {
  return { rows: 0, labels: 0, expected: 0, scored: 0 };
}

/** Counts one more row. */
export function countRecord(counts: ReturnType<typeof noRecords>, record: TruthRecord): void {
  const { label, expected_tool_calls: calls, reference, alternatives, forbidden } = record;
  counts.rows++;
  if (label !== null) counts.labels++;
  if (calls !== null) counts.expected++;
  if ([label, calls, reference, alternatives ?? null, forbidden ?? null].some((each) => each !== null)) counts.scored++;
}

/** The content of a truth table in words, and the keys of its records that nothing reads. */
export function countsText({ rows, labels, expected }: TruthCounts, unread: readonly string[]): string {
  const notRead = unread.length === 0 ? '' : `; keys that nothing reads: ${unread.join(', ')}`;
  return `${rows} rows, ${expected} with expected calls, ${labels} with a label${notRead}`;
}

/** Why a table with no expectation is refused; undefined for any other. */
export function nothingToScore({ rows, scored }: TruthCounts, unread: readonly string[]): string | undefined {
  if (rows === 0 || scored > 0) return undefined;
  const nothing = `no row of ${rows} has label, expected_tool_calls, reference, alternatives or forbidden: there is nothing to score`;
  if (unread.length === 0) return `${nothing}; give one of them`;
  return `${nothing}; nothing reads ${unread.join(', ')}; say where a field lies, such as --truth-field label=/NAME (configuration: truth.fields)`;
}

/** Why truth is refused with a place that holds nothing. */
export function nothingAtPlace(field: string, unread: readonly string[]): string {
  const others = unread.length === 0 ? '' : `; nothing reads ${unread.join(', ')}`;
  return `truth.fields.${field} (--truth-field ${field}=…): no record holds anything at its places${others}; correct the place`;
}
