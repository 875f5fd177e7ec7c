import { counterMetrics, scoreMetrics } from './score-metrics.ts';
import { serviceMetrics } from './service-metrics.ts';

/** One metric, as its HELP and TYPE lines and docs/reference/metrics.md describe it. */
export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  /** `<dimensions>` stands for the labels of the set's dimensions: `model`, `agent`, `tag_<name>`. */
  readonly labels: readonly string[];
  readonly unit: string;
}

export type MetricName = (typeof serviceMetrics | typeof counterMetrics | typeof scoreMetrics)[number]['name'];

/**
 * All metrics but those of the process, in the order of the page. What matters most comes first: `limits.series` cuts
 * the page from its end. Names and labels are a public contract (docs/reference/outputs.md).
 */
export const metricList: readonly Metric[] = [...serviceMetrics, ...counterMetrics, ...scoreMetrics];

/** A metric by its name. */
export function metricOf(name: MetricName): Metric {
  return byName.get(name)!;
}

const byName = new Map<string, Metric>(metricList.map((metric) => [metric.name, metric]));
