import { type Design, designOf, meanCases, weightsFor } from './cusum.ts';
import { ratesProblem } from './watch-rates.ts';

/** A chart, and what it promises in independent cases. */
export interface WatchDesign extends Design {
  readonly baseline: number;
  readonly worst: number;
  /** Mean number of cases until it fires at the worst rate, and at twice that (at most half of what is left to 1 above it). */
  readonly delayCases: number;
  readonly delayCasesAtTwice: number;
}

/** Fewer cases between false alarms are no design. */
export const casesLeast = 200;

/**
 * Designs by their rates and cases, each computed once. Rates and cases are rounded (`roundedUp`), so that few are needed. Undefined where the
 * rates cannot be distinguished: nearly all is bad already.
 */
export function createDesigns(): (baseline: number, worst: number, cases: number) => WatchDesign | undefined {
  const known = new Map<string, WatchDesign | undefined>();
  return (baseline, worst, cases) => {
    const key = `${baseline} ${worst} ${cases}`;
    if (!known.has(key)) {
      if (known.size >= designsMost) known.clear();
      known.set(key, ratesProblem(baseline, worst) === undefined ? watchDesignOf(baseline, worst, cases) : undefined);
    }
    return known.get(key);
  };
}

const designsMost = 10_000;

function watchDesignOf(baseline: number, worst: number, cases: number): WatchDesign {
  const weights = weightsFor(baseline, worst);
  const design = designOf(weights, baseline, cases);
  const delay = (rate: number): number => meanCases(weights, design.threshold, rate);
  return {
    ...design,
    baseline,
    worst,
    delayCases: delay(worst),
    delayCasesAtTwice: delay(Math.min(2 * worst, (1 + worst) / 2)),
  };
}

/** A number rounded up to two digits that count: 0.0213 to 0.022, 40,100 to 41,000. */
export function roundedUp(value: number): number {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 1);
  // Division by a power of ten is exact to the last bit where the product is not: 22 / 1000 is 0.022.
  const digits = Math.ceil(value / unit - 1e-9);
  return unit < 1 ? digits / Math.round(1 / unit) : digits * unit;
}
