import { declarations } from '../../scoring/families.ts';
import type { Counter } from '../../scoring/family.ts';

/** Name of a family's counter on the page. */
export function counterName({ name }: Pick<Counter<never>, 'name'>): `assay_${string}_total` {
  return `assay_${name}_total`;
}

/** Counters that families declare, by model. */
export const counterMetrics = declarations.flatMap(({ counters }) =>
  counters.map((counter) => ({
    name: counterName(counter),
    type: 'counter' as const,
    help: counter.help,
    labels: ['model', ...counter.labels],
    unit: counter.unit,
  })),
);

/** The other metrics about what was scored: a counter, then gauges of the view, in the order of the page. */
export const scoreMetrics = [
  {
    name: 'assay_unknown_tool_calls_total',
    type: 'counter',
    help: 'Calls of a tool that was not available, counted at once, with or without truth.',
    labels: ['model'],
    unit: 'calls',
  },
  {
    name: 'assay_window_predictions',
    type: 'gauge',
    help: 'Predictions with event time in the window, by state.',
    labels: ['window', 'state'],
    unit: 'events',
  },
  {
    name: 'assay_window_value',
    type: 'gauge',
    help: 'Value of a metric over an event-time window.',
    labels: ['slice', '<dimensions>', 'window', 'metric'],
    unit: '1',
  },
  {
    name: 'assay_window_support',
    type: 'gauge',
    help: 'Denominator of the rate or mean in assay_window_value.',
    labels: ['slice', '<dimensions>', 'window', 'metric'],
    unit: '1',
  },
  {
    name: 'assay_stability_value',
    type: 'gauge',
    help: 'Value of a stability metric since the beginning.',
    labels: ['slice', '<dimensions>', 'metric'],
    unit: '1',
  },
  {
    name: 'assay_stability_groups',
    type: 'gauge',
    help: 'Groups of runs since the beginning: seen, and complete with all k runs.',
    labels: ['slice', '<dimensions>', 'state'],
    unit: 'groups',
  },
  {
    name: 'assay_window_outcomes',
    type: 'gauge',
    help: 'Predictions with event time in the window by gold and predicted label; adds up across instances.',
    labels: ['model', 'window', 'gold', 'predicted'],
    unit: 'events',
  },
  {
    name: 'assay_window_lower',
    type: 'gauge',
    help: 'Lower end of the Wilson interval of a rate in assay_window_value; too high where examples repeat.',
    labels: ['slice', '<dimensions>', 'window', 'metric'],
    unit: '1',
  },
  {
    name: 'assay_window_upper',
    type: 'gauge',
    help: 'Upper end of the Wilson interval of a rate in assay_window_value; too low where examples repeat.',
    labels: ['slice', '<dimensions>', 'window', 'metric'],
    unit: '1',
  },
] as const;
