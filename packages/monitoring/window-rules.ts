import { matrixRules } from './matrix-rules.ts';
import { ratio } from './promql.ts';
import type { RecordingRule, RuleGroup } from './rules.ts';

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
      ...coverageRules(),
      stabilityRule,
    ],
  };
}

const cells = 'job_model_window_gold_predicted:assay_window_outcomes:sum';

/** Hallucinations by kind, for each value of a set of one dimension that the configuration names under `slices`. */
function hallucinationRules(dimension: 'model' | 'agent'): RecordingRule[] {
  const level = `job_${dimension}_window_kind`;
  const opportunities = `${level}:assay_window_hallucination_opportunities:sum`;
  const selector = `{slice="${dimension}", metric=~"(tool|param|answer)_hall"}`;
  const byKind = (expr: string): string =>
    `sum by (job, ${dimension}, window, kind) (
  label_replace(${expr}, "kind", "$1", "metric", "(.+)_hall")
)`;
  return [
    { record: opportunities, expr: byKind(`assay_window_support${selector}`) },
    {
      record: `${level}:assay_window_hallucinations_per_opportunities:ratio`,
      expr: ratio(byKind(`assay_window_value${selector} * assay_window_support${selector}`), opportunities),
    },
  ];
}

/** Share of the predictions of a window that have met their truth: what the scores of the window rest on. */
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
const stabilityRule: RecordingRule = {
  record: 'job_model_metric:assay_stability:ratio',
  expr: `sum by (job, model, metric) (
    assay_stability_value{slice="model", metric=~"${[
      'stability',
      'stable_correct',
      'stable_wrong',
      'mode_correct',
      'mean_consistency',
      'mean_accuracy',
      'entropy_norm',
      'flip_rate',
      'pass_hat_k_[0-9]+',
    ].join('|')}"}
  * on (job, instance, model) group_left ()
    assay_stability_groups{slice="model", state="complete"}
)
/ on (job, model) group_left ()
  (sum by (job, model) (assay_stability_groups{slice="model", state="complete"}) > 0)`,
};
