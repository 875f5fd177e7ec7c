/** The settings of a team. Change it here, then `npm run generate`; an installation may also edit the generated budgets in place. */

/** Name of the scrape job; the alerts on absence need it. */
export const job = 'assay';

/** Windows of the recorded rates, by time of scoring. */
export const windows = ['5m', '30m', '1h', '6h', '1d', '3d'] as const;
export type Window = (typeof windows)[number];

/** Least share of the predictions of an event-time window that must be scored. The window is one of `time.windows`. */
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
}

export type Severity = 'critical' | 'warning';

/**
 * Warnings, not critical alerts: a spike is for the watches. Budgets of hallucination are loose (percents), so the factors of a tight error budget do not fit: at
 * 14.4 a budget of 7 % asks for a rate above 100 %.
 */
export const burns: readonly Burn[] = [
  { factor: 3, long: '6h', short: '30m', for: '15m', leastLong: 100, leastShort: 10 },
  { factor: 1, long: '3d', short: '6h', for: '1h', leastLong: 300, leastShort: 30 },
];

/** Where the addresses in alerts lead where the service does not say (`links` of its configuration). */
export interface Links {
  /** Address of the service's web page, without a slash at the end. */
  readonly page: string;
  /** Grafana, without a slash at the end. */
  readonly grafana: string;
  /** Folder of the runbooks, without a slash at the end. */
  readonly runbooks: string;
}

/** As compose.yaml serves them. */
export const defaultLinks: Links = {
  page: 'http://localhost:9464',
  grafana: 'http://localhost:3000',
  runbooks: 'http://localhost:3000/public/runbooks',
};

export const dashboardIds = { overview: 'assay-overview', model: 'assay-model', pipeline: 'assay-pipeline' } as const;
