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
