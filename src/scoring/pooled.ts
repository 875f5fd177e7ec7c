import { type AddedCounts, count, type Metrics, number, type RowPart, type About } from './metric.ts';
import { f1Of, ratio } from './reading.ts';

/** Counts of things found, too many, and missing. */
export interface Matches {
  readonly tp: number;
  readonly fp: number;
  readonly fn: number;
}

/** `precision` and `recall` of matches pooled over events, and the counts themselves. */
export function pooledMetrics(things: string) {
  return {
    precision: ofMatches({
      title: 'Precision',
      help: `tp / (tp + fp) over all ${things}.`,
      better: 'higher',
      of: ({ tp, fp }) => ratio(tp, tp + fp),
    }),
    recall: ofMatches({
      title: 'Recall',
      help: `tp / (tp + fn) over all ${things}.`,
      better: 'higher',
      of: ({ tp, fn }) => ratio(tp, tp + fn),
    }),
  } satisfies Metrics<Matches>;
}

/** F1 of pooled matches. */
export function pooledF1(things: string) {
  return ofMatches({
    title: 'Pooled F1',
    help: `2 tp / (2 tp + fp + fn) over all ${things}.`,
    better: 'higher',
    of: ({ tp, fp, fn }) => f1Of(tp, fp, fn),
  });
}

/** The counts of matches. */
export function matchCounts(things: string) {
  return {
    tp: count({ title: 'Right', help: `Predicted ${things} that were expected.`, of: ({ tp }) => tp }),
    fp: count({ title: 'Too many', help: `Predicted ${things} that were not expected.`, of: ({ fp }) => fp }),
    fn: count({ title: 'Missing', help: `Expected ${things} that were not predicted.`, of: ({ fn }) => fn }),
  } satisfies Metrics<Matches>;
}

/** A number of matches can be read from their counts in a block, too. */
function ofMatches(metric: About & { of(matches: Matches): number | null }) {
  return number<Matches>({ ...metric, ofBlock: ({ beside }: AddedCounts) => metric.of(matchesIn(beside)) });
}

/** The counts beside it, or those of which they are the parts: expected, predicted and matched. */
function matchesIn(beside: RowPart): Matches {
  const counts = beside as Readonly<Record<string, number | undefined>>;
  const { matched = 0, predicted = 0, expected = 0 } = counts;
  const { tp = matched, fp = predicted - matched, fn = expected - matched } = counts;
  return { tp, fp, fn };
}
