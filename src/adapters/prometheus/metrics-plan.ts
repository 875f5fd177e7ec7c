import { declarations } from '../../scoring/families.ts';
import { anyLabel, isNamed, type PointPlan, pointPlan } from '../../view/metric-points.ts';

/** The metrics that are shown of a group besides the headlines: `http.metrics`. */
export type Listed = 'all' | readonly string[];

const everything = pointPlan(declarations);
const fewRates = new Set(declarations.filter(({ unit }) => unit !== 'event').map(({ name }) => name));

/**
 * The points of a group that the metrics show. Always: the matrix, the headline of each family, the states of groups of runs, and every rate
 * and mean of runs and of judgements that is not split by label, or by labels of the configuration (runs are known of window `all` only, and judgements have few).
 */
export function metricsPlan(listed: Listed): PointPlan {
  if (listed === 'all') return everything;
  return everything.map(({ family, places }) => ({
    family,
    places: places.filter(({ name, label, predicted, kind, about }) => {
      if (predicted !== undefined || (label === undefined && about.headline !== undefined)) return true;
      const isFew = fewRates.has(family) && (label === undefined || label === anyLabel);
      if (isFew && (kind !== 'count' || groupStates.has(name))) return true;
      return listed.some((one) => isNamed(one, family, name));
    }),
  }));
}

/** Names of the points that are a number of things: they add up, as no ratio does. */
export const countNames: ReadonlySet<string> = new Set(
  everything.flatMap(({ places }) => places.filter(({ kind }) => kind === 'count').map(({ name }) => name)),
);

/** Counts of groups of runs that have a metric of their own, by the value of its label `state`. */
export const groupStates: ReadonlyMap<string, string> = new Map([
  ['groups_seen', 'seen'],
  ['groups_complete', 'complete'],
]);
