/** Evaluates `expr` every interval of its group and stores the result under a name level:metric:operations. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly keep_firing_for?: string;
  readonly labels: Readonly<Record<string, string>> & { readonly severity: 'critical' | 'warning' };
  readonly annotations: Annotations;
}

export interface Annotations {
  /** A fixed sentence: what is the matter. */
  readonly summary: string;
  /** With the labels and numbers of this alert. */
  readonly description: string;
  readonly runbook_url: string;
  /** The service's own page. */
  readonly page_url: string;
  readonly dashboard_url: string;
}

export type Rule = RecordingRule | AlertRule;

export interface RuleGroup {
  readonly name: string;
  readonly interval: string;
  readonly rules: readonly Rule[];
}

/** A file of rules for Prometheus, and a PrometheusRule of the same name. */
export interface RuleFile {
  readonly name: string;
  readonly comment: string;
  readonly groups: readonly RuleGroup[];
}
