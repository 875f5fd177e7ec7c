import { labels, predictedNames } from '../../src/scoring/label.ts';
import { type InputSeries, type Labels, seriesName } from '../support/promtool.ts';

/** Cells of a confusion matrix: gold, predicted, count. */
export type Cells = readonly (readonly [gold: string, predicted: string, count: number])[];

/**
 * The stored run of 15 examples of the When2Call API evaluation suite: accuracy 10/15, macro-F1 0.5472 (gold direct never occurs), without direct
 * 0.7296; cut unevenly over two instances.
 */
export const storedRun: Readonly<Record<'a' | 'b', Cells>> = {
  a: [
    ['tool_call', 'tool_call', 1],
    ['request_for_info', 'direct', 1],
    ['request_for_info', 'request_for_info', 2],
    ['cannot_answer', 'tool_call', 1],
    ['cannot_answer', 'cannot_answer', 2],
  ],
  b: [
    ['tool_call', 'tool_call', 3],
    ['tool_call', 'cannot_answer', 1],
    ['request_for_info', 'request_for_info', 2],
    ['cannot_answer', 'direct', 2],
  ],
};

/** Opportunities and hallucinations of the stored run, cut as the matrix is. */
export const storedHallucinations: Readonly<Record<'a' | 'b', Readonly<Record<string, readonly [number, number]>>>> = {
  a: { tool: [1, 1], param: [3, 0], answer: [7, 1] },
  b: { tool: [0, 0], param: [2, 0], answer: [8, 2] },
};

/** All twenty cells, as the page has them; `values` says how a count goes on. */
export function matrixSeries(
  metric: string,
  own: Labels,
  cells: Cells,
  values: (count: number) => string,
): InputSeries[] {
  return labels.flatMap((gold) =>
    predictedNames.map((predicted) => {
      const count = cells.find(([g, p]) => g === gold && p === predicted)?.[2] ?? 0;
      return { series: seriesName(metric, { ...own, gold, predicted }), values: values(count) };
    }),
  );
}

/** Counters of opportunities and hallucinations by kind. */
export function hallucinationSeries(
  own: Labels,
  kinds: Readonly<Record<string, readonly [opportunities: number, hallucinations: number]>>,
  values: (count: number) => string,
): InputSeries[] {
  return Object.entries(kinds).flatMap(([kind, [opportunities, hallucinations]]) => [
    { series: seriesName('assay_hallucination_opportunities_total', { ...own, kind }), values: values(opportunities) },
    { series: seriesName('assay_hallucinations_total', { ...own, kind }), values: values(hallucinations) },
  ]);
}
