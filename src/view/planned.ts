import type { Metric, Metrics } from '../scoring/metric.ts';
import type { Settings } from '../state/settings.ts';
import type { PointPlan } from './metric-points.ts';

/** Settings whose families report the metrics alone that a plan has points of: unused metrics are not computed. */
export function plannedSettings(settings: Settings, plan: PointPlan): Settings {
  const keysOf = new Map(plan.map(({ family, places }) => [family, places.map(({ keys }) => keys)]));
  const planned = <Family extends { readonly name: string; readonly metrics: Metrics<unknown> }>(family: Family) => ({
    ...family,
    metrics: metricsAt(family.metrics, keysOf.get(family.name) ?? []),
  });
  const { layout, stability } = settings;
  return {
    ...settings,
    layout: { ...layout, families: layout.families.map(planned) },
    stability: stability && planned(stability),
  };
}

function metricsAt(metrics: Metrics<unknown>, places: readonly (readonly string[])[]): Metrics<unknown> {
  return Object.fromEntries(
    Object.entries(metrics).flatMap(([key, metric]): [string, Metric<unknown>][] => {
      const within = places.filter(([first]) => first === key);
      if (within.length === 0) return [];
      if (metric.kind !== 'group' && metric.kind !== 'labels') return [[key, metric]];
      // The name of a label stands before the keys below it.
      const below = within.map((keys) => keys.slice(metric.kind === 'labels' ? 2 : 1));
      return [[key, { ...metric, metrics: metricsAt(metric.metrics, below) }]];
    }),
  );
}
