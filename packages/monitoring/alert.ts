import type { AlertRule } from './rule.ts';
import { dashboardIds, type Links, type Severity } from './settings.ts';

/** An alert as data. */
export interface Alert {
  readonly expr: string;
  readonly for: string;
  /** How long it goes on where its condition does not hold. */
  readonly keepFiringFor?: string;
  readonly severity: Severity;
  readonly labels?: Readonly<Record<string, string>>;
  /** A fixed sentence: what is the matter. */
  readonly summary: string;
  /** With the labels and numbers of the alert. */
  readonly description: string;
  /** The dashboard that it leads to, opened at those labels of the alert that are variables there. */
  readonly dashboard: readonly [id: keyof typeof dashboardIds, ...variables: string[]];
  /** The view of the service's own page when it is opened from the alert: the part after `#` of its address. Template text. */
  readonly page?: string;
}

/** The model of the alert on the page, and the metric by which groups are sorted. Both are template text. */
export function pageOfModel(metric: string): string {
  return `by=model&model={{ $labels.model | urlquery }}&sort=${metric}`;
}

/** The rule, with the addresses of runbook and dashboard. */
export function alertRule(name: string, alert: Alert, links: Links): AlertRule {
  const { expr, severity, labels, summary, description, for: held, keepFiringFor, page } = alert;
  const [id, ...variables] = alert.dashboard;
  const query = variables.map((label) => `var-${label}={{ $labels.${label} | urlquery }}`).join('&');
  return {
    alert: name,
    expr,
    for: held,
    ...(keepFiringFor === undefined ? {} : { keep_firing_for: keepFiringFor }),
    labels: { severity, ...labels },
    annotations: {
      summary,
      description,
      runbook_url: `${address('runbooks', links.runbooks)}/${name}.md`,
      page_url: `${address('page', links.page)}/${page === undefined ? '' : `#${page}`}`,
      dashboard_url: `${address('dashboard', links.grafana)}/d/${dashboardIds[id]}${query === '' ? '' : `?${query}`}`,
    },
  };
}

/** Template text: an address as the service is configured with it (`links`), also of the last day where it is down; else the one of here. */
function address(label: 'page' | 'dashboard' | 'runbooks', otherwise: string): string {
  const series = `topk(1, last_over_time(assay_links_info{${label}!=""}[1d]))`;
  return `{{ with query ${JSON.stringify(series)} }}{{ . | first | label "${label}" }}{{ else }}${otherwise}{{ end }}`;
}

/**
 * Template text for the value of one series, whose labels are those of the alert; nothing where there is no such series. Example:
 * `one('budget{kind=%q}', ['kind'], 'humanizePercentage')`. `%q` quotes as PromQL does, so a name may hold anything.
 */
export function one(series: string, labels: readonly string[], format: string, before = '', after = ''): string {
  const values = labels.map((name) => ` $labels.${name}`).join('');
  return `{{ with printf ${JSON.stringify(series)}${values} | query }}${before}{{ . | first | value | ${format} }}${after}{{ end }}`;
}

/**
 * Template text that says when the condition of the alert began to hold. Labels that the rule itself sets are not in `$labels`: they come in
 * `fixed`.
 */
export function since(alert: string, labels: readonly string[], fixed: Readonly<Record<string, string>> = {}): string {
  const matchers = [
    ...Object.entries({ alertname: alert, ...fixed }).map(([name, value]) => `${name}="${value}"`),
    ...labels.map((name) => `${name}=%q`),
  ];
  return one(`ALERTS_FOR_STATE{${matchers.join(',')}}`, labels, 'humanizeTimestamp', ' Since ', '.');
}
