import { modelMetrics } from './model-counters.ts';
import { serviceMetrics } from './service-metrics.ts';
import type { Metric } from './text.ts';
import { viewGauges } from './view-gauges.ts';
import { watchMetrics } from './watch-gauges.ts';

/**
 * All metrics but those of the process, in the order of the text. What matters most comes first: `limits.series` cuts
 * the text from its end. Names and labels are a public contract (docs/reference/metrics.md).
 */
export const metricList: readonly Metric[] = [
  ...serviceMetrics,
  ...modelMetrics,
  ...watchMetrics,
  ...Object.values<Metric>(viewGauges),
];
