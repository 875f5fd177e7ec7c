import { type InputSeries, type Labels, seriesName } from '../support/promtool.ts';

/** When an alert must be silent, and what goes out when; a sample a minute. */
export interface Case {
  readonly alert: string;
  readonly input: readonly InputSeries[];
  readonly silentAt: readonly string[];
  readonly firingAt: string;
  readonly severity: 'critical' | 'warning';
  readonly labels?: Labels;
  readonly summary: string;
  /** One alert for each: its own labels, and what it says. */
  readonly fires: readonly (readonly [labels: Labels, description: string])[];
}

/** A series of job assay. */
export const series = (name: string, labels: Labels, values: string): InputSeries => ({
  series: seriesName(name, { job: 'assay', ...labels }),
  values,
});

/** Open runs of a job, those that have ended with the seconds that they took, and steps. */
export const runsOf = (
  job: string,
  open: string,
  ended: string,
  seconds: string,
  steps: string,
): readonly InputSeries[] =>
  Object.entries({ open_runs: open, run_seconds_count: ended, run_seconds_sum: seconds, steps_total: steps }).map(
    ([name, values]) => ({ series: seriesName(`assay_${name}`, { job, instance: 'a' }), values }),
  );
