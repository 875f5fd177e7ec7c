import type { Annotations } from './rules.ts';
import type { Links } from './settings.ts';

/** What an alert says, before it is put into annotations. */
export interface AlertText {
  readonly alert: string;
  readonly summary: string;
  readonly description: string;
  readonly dashboard: {
    readonly id: string;
    /** Labels of the alert that are variables of the dashboard. */
    readonly variables: readonly string[];
  };
  readonly links: Links;
}

/** Annotations with the address of the runbook and of the dashboard, opened at the model that the alert is about. */
export function annotationsOf({ alert, summary, description, dashboard, links }: AlertText): Annotations {
  const query = dashboard.variables.map((name) => `var-${name}={{ $labels.${name} | urlquery }}`).join('&');
  return {
    summary,
    description,
    runbook_url: `${links.runbooks}/${alert}.md`,
    dashboard_url: `${links.grafana}/d/${dashboard.id}${query === '' ? '' : `?${query}`}`,
  };
}

/**
 * Template text for the value of one series, whose labels are those of the alert; nothing where there is no such series. Example:
 * `one('budget{kind=%q}', ['kind'], 'humanizePercentage')`. `%q` quotes as PromQL does, so a name may hold anything.
 */
export function one(series: string, labels: readonly string[], format: string): string {
  return first(series, labels, `value | ${format}`);
}

/**
 * Template text that says when the condition of the alert began to hold. Labels that the rule itself sets are not in `$labels`: they come in
 * `fixed`.
 */
export function since(alert: string, labels: readonly string[], fixed: Readonly<Record<string, string>> = {}): string {
  const matchers = [
    `alertname="${alert}"`,
    ...Object.entries(fixed).map(([name, value]) => `${name}="${value}"`),
    ...labels.map((name) => `${name}=%q`),
  ];
  return first(`ALERTS_FOR_STATE{${matchers.join(',')}}`, labels, 'value | humanizeTimestamp', ' Since ', '.');
}

function first(series: string, labels: readonly string[], pipeline: string, before = '', after = ''): string {
  const values = labels.map((name) => ` $labels.${name}`).join('');
  return `{{ with printf ${JSON.stringify(series)}${values} | query }}${before}{{ . | first | ${pipeline} }}${after}{{ end }}`;
}
