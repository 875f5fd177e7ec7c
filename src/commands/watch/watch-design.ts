import { probabilityAbove } from '../../statistics/binomial.ts';
import { designOf, meanCases, steadyCases, weightsFor } from '../../statistics/cusum.ts';
import { createEndDesigns } from '../../statistics/watch-end.ts';
import { ratesProblem, worstOf } from '../../statistics/watch-rates.ts';
import type { Problem } from '../../view/summary-lookup.ts';
import { textTable } from '../../terminal/text-table.ts';

export interface WatchDesignOptions {
  /** Share of bad cases in control. */
  readonly baseline: number;
  /** The share to be caught quickly; by default that of `worstOf`. */
  readonly worst: number | undefined;
  readonly casesPerDay: number;
  readonly falseAlarmEveryMs: number;
}

const dayMs = 86_400_000;
const dayMinutes = 1_440;

/**
 * The design of a watch (docs/reference/command-line.md, "watch"): its chart, its exact mean number of cases to a false alarm, its mean
 * delays, and how thresholds on the rate of 5 minutes do beside it. All of it is computed, nothing simulated.
 */
export function watchDesign(options: WatchDesignOptions): string | Problem {
  const { baseline, casesPerDay, falseAlarmEveryMs } = options;
  const worst = options.worst ?? worstOf(baseline);
  const problem = ratesProblem(baseline, worst);
  if (problem !== undefined) return { problem };
  const weights = weightsFor(baseline, worst);
  const design = designOf(weights, baseline, (casesPerDay * falseAlarmEveryMs) / dayMs);
  const { threshold, falseAlarmCases } = design;
  const { up, down } = weights;
  const ends = createEndDesigns();
  const rates = [baseline, (baseline + worst) / 2, worst, 2 * worst, 3 * worst, 5 * worst].filter((rate) => rate < 1);
  const delays = rates.map((rate) => {
    const cases = [meanCases(weights, threshold, rate), steadyCases(weights, threshold, baseline, rate)];
    const minutes = cases.map((mean) => digits((mean / casesPerDay) * dayMinutes));
    const end = rate > baseline ? digits(ends(baseline, worst, rate).endCases) : '–';
    return [percent(rate), ...cases.map(digits), ...minutes, end];
  });
  const seen = [...new Set([worst, rates.at(-1)!])];
  const limits = [...new Set([1.5 * baseline, 2 * baseline, worst])].filter((limit) => limit < 1);
  return [
    `A bad case adds ${up}, a good one takes ${down} away, not below 0; it fires at ${threshold} (m = ${digits((up + down) / down)}, H = ${threshold}).`,
    `At ${percent(baseline)} bad it fires falsely once in ${digits(falseAlarmCases)} cases: ${digits(falseAlarmCases / casesPerDay)} days.`,
    '',
    'Mean cases and minutes until it fires, from 0 and after a long time at the baseline; mean cases until it ends, once the rate is back there:',
    textTable([['rate', 'cases', 'after long', 'minutes', 'after long', 'end'], ...delays]),
    '',
    `A threshold on the rate of 5 minutes (${digits(windowCases(casesPerDay))} cases), looked at every 5 minutes:`,
    textTable([
      ['fires above', 'false alarms in 30 days', ...seen.map((rate) => `minutes at ${percent(rate)}`)],
      ...limits.map((limit) => thresholdRow(limit, casesPerDay, [baseline, ...seen])),
    ]),
    '',
  ].join('\n');
}

function windowCases(casesPerDay: number): number {
  return Math.max(1, Math.round((casesPerDay * 5) / dayMinutes));
}

/** The first rate is the one in control. */
function thresholdRow(limit: number, casesPerDay: number, rates: readonly number[]): string[] {
  const n = windowCases(casesPerDay);
  const [falsely, ...rightly] = rates.map((rate) => probabilityAbove(limit * n, n, rate));
  return [
    percent(limit),
    digits((30 * dayMinutes * falsely!) / 5),
    ...rightly.map((chance) => (chance < 1e-9 ? 'never' : digits(5 / chance))),
  ];
}

function percent(rate: number): string {
  return `${digits(100 * rate)} %`;
}

/** Three digits that matter, thousands apart. */
function digits(value: number): string {
  return value.toLocaleString('en-US', {
    maximumSignificantDigits: value >= 100 ? Math.ceil(Math.log10(value + 1)) : 3,
  });
}
