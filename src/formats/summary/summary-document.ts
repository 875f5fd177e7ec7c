import type { Group, View } from '../../view/summary.ts';

/** What a summary says besides its numbers. */
export interface SummaryContext {
  readonly version: string;
  readonly configHash: string;
  readonly mode: string;
  readonly truth: { readonly version: string; readonly rows: number } | null;
  readonly partitions: readonly string[];
}

/** The summary as plain JSON (docs/reference/outputs.md). */
export function summaryDocument(view: View, context: SummaryContext): Record<string, unknown> {
  return {
    format: 'assay.summary/1',
    version: context.version,
    config_hash: context.configHash,
    mode: context.mode,
    as_of: view.asOfMs === undefined ? null : new Date(view.asOfMs).toISOString(),
    truth: context.truth,
    partitions: context.partitions,
    records: view.records,
    groups: view.groups.map(plainGroup),
  };
}

/** A group as a summary has it (docs/reference/outputs.md). */
export interface PlainGroup {
  readonly slice: Readonly<Record<string, string>>;
  readonly window: string;
  readonly [family: string]: unknown;
}

/** A group of a view as a summary has it. */
export function plainGroup({ dimensions, values, window, blocks }: Group): PlainGroup {
  const slice = Object.fromEntries(dimensions.map((dimension, at) => [dimension, values[at]!]));
  return { slice, window, ...blocks };
}
