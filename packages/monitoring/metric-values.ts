import { metricLabel } from '../../src/adapters/prometheus/series-texts.ts';
import { settingsOf } from '../../src/app/settings.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { TallyReader } from '../../src/scoring/family.ts';
import { metricPoints, type MetricPoint } from '../../src/view/metric-points.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import { counterKeys, histogramAt } from '../../src/scoring/stability/histograms.ts';
import type { Blocks } from '../../src/view/summary.ts';

/** A value of the label `metric`. */
export interface MetricValue {
  readonly value: string;
  readonly family: string;
  /** A rate has support, lower and upper besides its value; a mean has support; a number has neither. */
  readonly kind: 'rate' | 'mean' | 'number';
}

/** The closed list of values of the label `metric`, with the default configuration (k runs a group: `pass_hat_k_1` to `pass_hat_k_5`). */
export function metricValues(): MetricValue[] {
  return metricPoints(blocksOfOne())
    .filter(({ metric }) => metric !== 'confusion')
    .map((point) => ({ value: metricLabel(point), family: point.family, kind: kindOf(point) }));
}

/** A block of every family, as after one event: what is null then is in no list. */
function blocksOfOne(): Blocks {
  const { layout, stability } = settingsOf(loadConfig({}).config, undefined);
  const rate = rateWith(z95);
  const one: TallyReader = { count: () => 1, sum: () => 1, entries: () => [] };
  const seen = (histogram: number): ReadonlyMap<number, number> =>
    new Map(histogram === histogramAt.counters ? [[counterKeys.seen, 1]] : []);
  const blocks = layout.families.map((family) => [family.name, family.read(one, rate)] as const);
  return { ...Object.fromEntries(blocks), stability: stability!.read({ counts: seen }, rate) };
}

function kindOf({ numerator, denominator }: MetricPoint): MetricValue['kind'] {
  if (numerator !== null) return 'rate';
  return denominator === null ? 'number' : 'mean';
}
