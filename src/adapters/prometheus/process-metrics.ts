import { collectDefaultMetrics, Registry } from 'prom-client';
import { labelSet, type Section } from './text.ts';

/** Metrics that prom-client names `_total` though they are no counters: promtool refuses them. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/**
 * `process_*` and `nodejs_*` of this process, read at each call. Make one only: its collectors live as long as the
 * process.
 */
export function createProcessMetrics(): () => Promise<Section[]> {
  const register = new Registry();
  collectDefaultMetrics({ register });
  for (const name of misnamed) register.removeSingleMetric(name);
  return async () => (await register.getMetricsAsJSON()).map((metric) => sectionOf(metric as CollectedMetric));
}

/** A metric as prom-client gives it; its own types leave the values of histograms out. */
interface CollectedMetric {
  readonly name: string;
  readonly help: string;
  readonly type: unknown;
  readonly values: readonly {
    readonly value: number;
    readonly metricName?: string;
    readonly labels: Readonly<Record<string, string | number>>;
  }[];
}

function sectionOf({ name, help, type, values }: CollectedMetric): Section {
  const series = values
    .filter(({ value }) => !Number.isNaN(value))
    .map(({ value, labels, metricName = name }) => {
      const pairs = Object.entries(labels).map(([label, text]) => [label, String(text)] as const);
      return [metricName.slice(name.length) + labelSet(pairs), value] as const;
    });
  return { metric: { name, help, type: type as Section['metric']['type'] }, series };
}
