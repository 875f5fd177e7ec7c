import assert from 'node:assert/strict';
import { query } from '../support/monitoring.ts';

interface Summary {
  readonly groups: readonly {
    readonly slice: { readonly model: string };
    readonly decision: { readonly n: number; readonly accuracy: { readonly value: number } };
  }[];
}

const diagonal =
  'assay_outcomes_total and on (gold, predicted) label_replace(count by (gold) (assay_outcomes_total), "predicted", "$1", "gold", "(.+)")';

/** Accuracy of each model in Prometheus, by the window gauges and by the counters, is that of the service's own summary. */
export async function accuracyAgrees(prometheus: string, service: string, tolerance: number): Promise<void> {
  const reply = await fetch(`${service}/api/v1/summary?slice=model&window=all`);
  const { groups } = (await reply.json()) as Summary;
  assert.ok(groups.length > 0);
  const ways = [
    'job_model_window:assay_window_accuracy:ratio{window="all"}',
    `sum by (model) (${diagonal}) / sum by (model) (assay_outcomes_total)`,
  ];
  for (const way of ways) {
    const samples = await query(prometheus, way);
    for (const { slice, decision } of groups) {
      const { value } = samples.find(({ metric }) => metric['model'] === slice.model) ?? { value: Number.NaN };
      const near = Math.abs(value - decision.accuracy.value) <= tolerance;
      const both = `${value} in Prometheus, ${decision.accuracy.value} of ${decision.n} in the summary`;
      assert.ok(near, `${slice.model}: ${both}; ${way}`);
    }
  }
}
