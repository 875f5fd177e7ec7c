import { counterSeriesOf, countersOf } from '../../src/scoring/families.ts';
import { matrixRules } from './matrix-rules.ts';
import { ratio, wilsonLower } from './promql.ts';
import type { RecordingRule, RuleGroup } from './rule.ts';
import { type Window, windows } from './settings.ts';

/**
 * Scores by time of scoring. Short windows come from the raw counters; a long one is the mean of the shortest one's recorded rate over it: the mean
 * of a rate is a rate, so counts weigh as they must (the mean of a ratio would not), and Prometheus reads some recorded series
 * rather than raw ones of every instance.
 */
export function scoringGroups(): RuleGroup[] {
  return windows.map((window) => ({
    name: `assay-scores-${window}`,
    interval: intervals[window],
    rules: [
      ...counters.map(({ name, labels }) => rateRule(['job', 'model', ...labels], name, window)),
      ...matrixRules({
        cells: rateName('job_model_gold_predicted', 'outcomes', window),
        level: ['job', 'model'],
        count: (level, counter) => rateName(level, counter, window),
        score: (level, metric) => ratioName(level, metric, window),
      }),
      increaseRule('job_model', 'outcomes', window),
      ...hallucinationRules(window),
      callRule(window),
    ],
  }));
}

/** Name of a counter's recorded rate: level, counter without prefix and `_total`, window. */
export const rateName = (level: string, counter: string, window: Window): string =>
  `${level}:assay_${counter}:rate${window}`;

/** Name of a recorded ratio of rates. */
export const ratioName = (level: string, metric: string, window: Window): string =>
  `${level}:assay_${metric}:ratio_rate${window}`;

/** Name of a recorded number of events in a window. */
export const increaseName = (level: string, counter: string, window: Window): string =>
  `${level}:assay_${counter}:increase${window}`;

export const shareOfOpportunities = 'hallucinations_per_opportunities';

/** Name of the recorded lower end of the interval of a hallucination rate. */
export const wilsonName = (window: Window): string =>
  `job_model_kind:assay_${shareOfOpportunities}:wilson_lower95_${window}`;

/** How often the rules of a window are evaluated. */
const intervals = { '5m': '30s', '30m': '30s', '1h': '1m', '6h': '1m', '1d': '2m', '3d': '2m' };
const shortest = '5m';
const shortestSeconds = 30;

/**
 * Windows that critical alerts depend on come from the counters, with their length in seconds: a mean of recorded rates would follow half of the
 * shortest window later.
 */
const fromCounters: Partial<Record<Window, number>> = { '5m': 300, '30m': 1_800 };

/** Series of one model are born together, so sums of some of them belong together. */
const counters = countersOf(counterSeriesOf());

function rateRule(level: readonly string[], counter: string, window: Window): RecordingRule {
  const name = (of: Window): string => rateName(level.join('_'), counter, of);
  const expr =
    window in fromCounters
      ? `sum by (${level.join(', ')}) (rate(assay_${counter}_total[${window}]))`
      : `avg_over_time(${name(shortest)}[${window}])`;
  return { record: name(window), expr };
}

/**
 * Events in a window, for least numbers. Of long windows the sum of the recorded rates times their interval: the rate times the window would
 * count too many for a model first seen within it.
 */
function increaseRule(level: string, counter: string, window: Window): RecordingRule {
  const seconds = fromCounters[window];
  const expr =
    seconds === undefined
      ? `sum_over_time(${rateName(level, counter, shortest)}[${window}]) * ${shortestSeconds}`
      : `${rateName(level, counter, window)} * ${seconds}`;
  return { record: increaseName(level, counter, window), expr };
}

function hallucinationRules(window: Window): RecordingRule[] {
  const level = 'job_model_kind';
  const share = ratioName(level, shareOfOpportunities, window);
  const opportunities = 'hallucination_opportunities';
  return [
    { record: share, expr: ratio(rateName(level, 'hallucinations', window), rateName(level, opportunities, window)) },
    increaseRule(level, opportunities, window),
    { record: wilsonName(window), expr: wilsonLower(share, `(${increaseName(level, opportunities, window)} > 0)`) },
    {
      record: `${level}:assay_hallucination_budget_burn:ratio_rate${window}`,
      expr: `  ${share}\n/ on (kind) group_left ()\n  kind:assay_hallucination_budget:ratio`,
    },
  ];
}

/** F1 over calls, pooled: 2 * matched / (predicted + reference). */
function callRule(window: Window): RecordingRule {
  const level = 'job_model_mode';
  const of = (counter: string): string => rateName(level, `calls_${counter}`, window);
  return {
    record: ratioName(level, 'tool_call_f1', window),
    expr: ratio(`2 * ${of('matched')}`, `(${of('predicted')} + ${of('reference')})`),
  };
}
