import { programName } from '../../name.ts';
import type { Exemplar, Histogram, ModelCounters, Telemetry } from '../../telemetry.ts';
import type { RecordCounts } from '../../view/summary.ts';
import { labelSet, type Metric, numberText, type Section, type Series } from './text.ts';

/** The source of metrics, but for those of the view and of the process. */
export interface PageState extends Omit<Telemetry, 'models'> {
  readonly records: RecordCounts;
  /** By the names that they are exported under. */
  readonly models: readonly (readonly [model: string, counters: ModelCounters])[];
  /** Series left out of the metrics. */
  readonly dropped: number;
}

/** A metric, and how its series are read; NaN: not known. */
export interface ReadMetric extends Metric {
  read(state: PageState): number | readonly Sample[] | Histogram;
  /** An event that the series with these values of the labels has counted. */
  exemplar?(state: PageState, values: readonly string[]): Exemplar | undefined;
}

/** A value, and the values of the metric's labels. */
export type Sample = readonly [value: number, ...labels: readonly string[]];

/** Metrics by their names without that of the program. */
export type Metrics = Readonly<Record<string, Omit<ReadMetric, 'name'>>>;

/** Metrics with their names, in their order. */
export function named(metrics: Metrics): ReadMetric[] {
  return Object.entries(metrics).map(([name, metric]) => ({ name: `${programName}_${name}`, ...metric }));
}

const metricOf =
  (type: Metric['type']) =>
  (unit: string, help: string, read: ReadMetric['read'], labels: readonly string[] = []): Metrics[string] => ({
    type,
    unit,
    help,
    labels,
    read,
  });
export const gauge = metricOf('gauge');
export const counter = metricOf('counter');
export const histogram = metricOf('histogram');

/** The series of a metric, none where the value is not known. */
export function sectionOf(metric: ReadMetric, state: PageState): Section {
  const reading = metric.read(state);
  const fromZero = metric.type !== 'gauge';
  if (typeof reading === 'object' && 'bounds' in reading) return { metric, series: histogramSeries(reading), fromZero };
  const samples: readonly Sample[] = typeof reading === 'number' ? [[reading]] : reading;
  const series = samples
    .filter(([value]) => !Number.isNaN(value))
    .map(([value, ...values]): Series => {
      const labels = labelSet(values.map((text, index) => [metric.labels[index]!, text]));
      return [labels, value, metric.exemplar?.(state, values)];
    });
  return { metric, series, fromZero };
}

/** Cumulative buckets, sum and count. */
function histogramSeries({ bounds, counts, sum }: Histogram): Series[] {
  let below = 0;
  const buckets = Array.from(counts, (count, index): Series => {
    below += count;
    return [`_bucket{le="${numberText(bounds[index] ?? Number.POSITIVE_INFINITY)}"}`, below];
  });
  return [...buckets, ['_sum', sum], ['_count', below]];
}
