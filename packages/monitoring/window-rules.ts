import { allMetrics, budgetedRates, declarations } from '../../src/scoring/families.ts';
import type { About } from '../../src/scoring/metric.ts';
import { matrixRules } from './matrix-rules.ts';
import { weighed } from './metric-values.ts';
import { alternatives, ratio } from './promql.ts';
import type { RecordingRule, RuleGroup } from './rule.ts';

/**
 * Scores by event time, exact, over all instances: counts of the window gauges add up, and a share is weighed by its support. The windows are those of
 * `time.windows`, and `all`.
 */
export function windowGroup(): RuleGroup {
  return {
    name: 'assay-scores-windows',
    interval: '30s',
    rules: [
      { record: cells, expr: 'sum by (job, model, window, gold, predicted) (assay_window_outcomes)' },
      ...matrixRules({
        cells,
        level: ['job', 'model', 'window'],
        count: (level, counter) => `${level}:assay_window_${counter}:sum`,
        score: (level, metric) => `${level}:assay_window_${metric}:ratio`,
      }),
      ...hallucinationRules('model'),
      ...hallucinationRules('agent'),
      weighedRule(),
      ...coverageRules(),
      stabilityRule(),
    ],
  };
}

const cells = 'job_model_window_gold_predicted:assay_window_outcomes:sum';

/** Hallucinations by kind, for each value of a set of one dimension that the configuration names under `slices`. */
function hallucinationRules(dimension: 'model' | 'agent'): RecordingRule[] {
  const level = `job_${dimension}_window_kind`;
  const opportunities = `${level}:assay_window_hallucination_opportunities:sum`;
  const selector = `{slice="${dimension}", metric=~"${alternatives(budgetedRates(), 'name')}"}`;
  const byKind = (expr: string): string =>
    `sum by (job, ${dimension}, window, kind) (
  label_replace(${expr}, "kind", "$1", "metric", "(.+?)(_hall)?")
)`;
  return [
    { record: opportunities, expr: byKind(`assay_window_support${selector}`) },
    {
      record: `${level}:assay_window_hallucinations_per_opportunities:ratio`,
      expr: ratio(byKind(`assay_window_value${selector} * assay_window_support${selector}`), opportunities),
    },
  ];
}

/** Name of the recorded rates and means of a window, by label `metric`. */
export const weighedName = 'job_model_window_metric:assay_window:ratio';

/** Every rate and mean that a family declares, over all instances: each weighed by its support. */
function weighedRule(): RecordingRule {
  const selector = `{slice="model", metric=~"${alternatives(weighed(), 'value')}"}`;
  const sum = (expr: string): string => `sum by (job, model, window, metric) (${expr})`;
  return {
    record: weighedName,
    expr: ratio(
      sum(`assay_window_value${selector} * assay_window_support${selector}`),
      sum(`assay_window_support${selector}`),
    ),
  };
}

/** Coverage: share of the predictions of a window that are scored, which the scores of the window rest on. */
function coverageRules(): RecordingRule[] {
  const predictions = 'job_window:assay_window_predictions:sum';
  return [
    { record: predictions, expr: 'sum by (job, window) (assay_window_predictions)' },
    {
      record: 'job_window:assay_coverage:ratio',
      expr: ratio('sum by (job, window) (assay_window_predictions{state="scored"})', predictions),
    },
  ];
}

/**
 * Measures of stability over all instances, weighed by the complete groups that they are means over. (`pass_hat_k` is over those groups of
 * which every run has a verdict; where not all have, several instances are weighed a little wrong.)
 */
function stabilityRule(): RecordingRule {
  return {
    record: 'job_model_metric:assay_stability:ratio',
    expr: `sum by (job, model, metric) (
    assay_stability_value{slice="model", metric=~"${alternatives(overCompleteGroups(), 'pattern')}"}
  * on (job, instance, model) group_left ()
    assay_stability_groups{slice="model", state="complete"}
)
/ on (job, model) group_left ()
  (sum by (job, model) (assay_stability_groups{slice="model", state="complete"}) > 0)`,
  };
}

/** A metric of runs, as a pattern of the label `metric`. */
interface Measure extends About {
  readonly pattern: string;
  readonly numbered: boolean;
}

/** Metrics of runs that are means over complete groups; those over other groups are detected by having no value at 0/0. */
export function overCompleteGroups(): Measure[] {
  return allMetrics(declarations.filter(({ unit }) => unit === 'runs')).flatMap(({ keys, metric }): Measure[] => {
    const name = keys.join('_');
    if (metric.kind === 'numbered') return [{ ...metric, pattern: `${name}_[0-9]+`, numbered: true }];
    const isMean = (metric.kind === 'rate' || metric.kind === 'mean') && metric.whenEmpty !== undefined;
    return isMean ? [{ ...metric, pattern: name, numbered: false }] : [];
  });
}
