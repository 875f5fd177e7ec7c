/** What a team tunes. Change it here, then `npm run generate`; an installation may also edit the generated budgets in place. */

/** Name of the scrape job; the alerts on absence need it. */
export const job = 'assay';

/** Windows of the recorded rates, by time of scoring. */
export const windows = ['5m', '30m', '1h', '6h', '1d', '3d'] as const;
export type Window = (typeof windows)[number];

/** Least share of the predictions of an event-time window that must have met their truth. The window is one of `time.windows`. */
export const coverageObjectives: Readonly<Record<string, number>> = { '1h': 0.5 };

/** An alert that a budget is spent `factor` times as fast as it may be, in a long window and still in a short one. */
export interface Burn {
  readonly factor: number;
  readonly long: Window;
  readonly short: Window;
  /** How long both must hold. */
  readonly for: string;
  /** Least opportunities in either window: a share of fewer says nothing. */
  readonly leastLong: number;
  readonly leastShort: number;
  readonly severity: Severity;
}

export type Severity = 'critical' | 'warning';

/**
 * Budgets of hallucination are loose (percents), so the factors of a tight error budget do not fit: at 14.4 a budget of 7 % asks for a rate
 * above 100 %. From the start of a spike to a rate r, an alert takes about `long` * factor * budget / r, and `for` on top.
 */
export const burns: readonly Burn[] = [
  { factor: 6, long: '30m', short: '5m', for: '1m', leastLong: 50, leastShort: 10, severity: 'critical' },
  { factor: 3, long: '6h', short: '30m', for: '15m', leastLong: 100, leastShort: 10, severity: 'critical' },
  { factor: 1, long: '3d', short: '6h', for: '1h', leastLong: 300, leastShort: 30, severity: 'warning' },
];

/** Where the addresses in alerts lead. */
export interface Links {
  /** Grafana, without a slash at the end. */
  readonly grafana: string;
  /** Folder of the runbooks, without a slash at the end. */
  readonly runbooks: string;
}

/** As compose.yaml serves Grafana, and as the runbooks lie in this repository. */
export const defaultLinks: Links = { grafana: 'http://localhost:3000', runbooks: 'docs/runbooks' };

export const dashboardIds = { overview: 'assay-overview', model: 'assay-model', pipeline: 'assay-pipeline' } as const;
