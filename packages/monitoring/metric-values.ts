import { declarations } from '../../src/scoring/families.ts';
import type { AnyDeclaration } from '../../src/scoring/family.ts';
import type { About } from '../../src/scoring/metric.ts';
import { pointPlan } from '../../src/view/metric-points.ts';

/** A value of the label `metric`. */
export interface MetricValue extends Pick<About, 'title' | 'help' | 'better' | 'headline'> {
  readonly value: string;
  readonly family: string;
  /** A rate has support, lower and upper besides its value; a mean has support; an estimate has lower and upper; a number has none of them; a count is a metric of its own. */
  readonly kind: 'rate' | 'mean' | 'number' | 'estimate' | 'count';
  /** The label that it is about, of `per_class` and `per_label`; `anyLabel` where the configuration names the labels. */
  readonly label: string | undefined;
}

/** Runs of a group by default: `pass_hat_k_1` to `pass_hat_k_5`. */
const defaultRuns = 5;

/** The closed list of values of the label `metric`, with the default configuration. */
export function metricValues(families: readonly AnyDeclaration[] = declarations): MetricValue[] {
  return pointPlan(families).flatMap(({ family, places }) =>
    places
      .filter(({ predicted }) => predicted === undefined)
      .flatMap(({ name, label, kind, about }): MetricValue[] => {
        const common = { ...about, family, label };
        if (kind !== 'numbered') return [{ ...common, value: name, kind }];
        return Array.from({ length: defaultRuns }, (_, run) => ({
          ...common,
          value: `${name}_${run + 1}`,
          kind: 'mean',
        }));
      }),
  );
}

/** Rates and means of events by their value of the label `metric`: what can be weighed by support, over all instances. */
export function weighed(families: readonly AnyDeclaration[] = declarations): MetricValue[] {
  const ofEvents = families.filter(({ unit }) => unit === 'event');
  return metricValues(ofEvents).filter(
    ({ kind, label }) => (kind === 'rate' || kind === 'mean') && label === undefined,
  );
}

/** A metric by its value of the label `metric`; an error where no family declares it. */
export function metricOf(value: string): MetricValue {
  const found = metricValues().find((metric) => metric.value === value);
  if (found === undefined)
    throw new Error(`no family declares the metric ${value}: name one of docs/reference/metrics.md`);
  return found;
}
