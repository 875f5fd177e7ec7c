import { type Alert, alertRule, pageOfModel } from './alert.ts';
import type { RuleGroup } from './rule.ts';
import type { Links } from './settings.ts';

/** Alerts on watches, which the service computes: the alerts about what the models do. */
export function watchAlertGroups(links: Links): RuleGroup[] {
  const rulesOf = (alerts: Readonly<Record<string, Alert>>) =>
    Object.entries(alerts).map(([name, alert]) => alertRule(name, alert, links));
  return [
    {
      name: 'assay-watch-alerts',
      // More often than Prometheus scrapes: an alarm goes out with the next scrape.
      interval: '5s',
      rules: rulesOf({ AssayWatchFiring: ofModel, AssayGroupWatchFiring: ofOthers }),
    },
    { name: 'assay-watch-health', interval: '1m', rules: rulesOf(health) },
  ];
}

/** A watch that fires again so soon after its end is the same incident, and the same alert. */
const keepFiringFor = '30m';

/**
 * Incidents that go on of some groups. A group that an instance holds to be worse because of another one is no incident: what one instance has in its
 * partitions may show that earlier than what another has.
 */
const incidents = (groups: string): string => `  max without (instance, pod) (assay_incident{${groups}}) == 1
unless ignoring (incident)
  min without (instance, pod, incident) (assay_incident{${groups}}) == 0`;

/** One alert for an incident of a model, however many of its rates have left their baseline. */
const ofModel: Alert = {
  expr: incidents('slice="model"'),
  for: '0s',
  keepFiringFor,
  severity: 'critical',
  summary: 'A model has become worse.',
  description: `{{ $labels.model }} is worse${ratesText('"slice=\\"model\\""')}`,
  dashboard: ['model', 'job', 'model'],
  page: pageOfModel(worstRate('"slice=\\"model\\""')),
};

/** Labels that are dimensions. */
const dimensionLabels = '^(agent|model|tag_.*)$';

/**
 * Another group, such as an agent, or the total, where no other group explains it. What holds more cases is found before the model is: hence the wait.
 */
const ofOthers: Alert = {
  expr: incidents('slice!="model"'),
  for: '2m',
  keepFiringFor,
  severity: 'critical',
  summary: 'A group has become worse, and no model alone accounts for it.',
  description: `{{ with $labels.slice }}{{ . }}{{ range $name, $value := $labels }}{{ if match "${dimensionLabels}" $name }} {{ $value }}{{ end }}{{ end }}{{ else }}All traffic{{ end }} is worse${ratesText('printf "slice=%q" $labels.slice')}`,
  dashboard: ['overview', 'job'],
  page: `by={{ $labels.slice | urlquery }}{{ range $name, $value := $labels }}{{ if match "${dimensionLabels}" $name }}&{{ $name }}={{ $value | urlquery }}{{ end }}{{ end }}&sort=${worstRate('printf "slice=%q" $labels.slice')}`,
};

/** Template text that puts the matchers of the group that the alert is about into `$of`. */
function matchers(slice: string): string {
  return `{{ $of := ${slice} }}{{ range $name, $value := $labels }}{{ if not (match "^(incident|slice)$" $name) }}{{ $of = printf "%s,%s=%q" $of $name $value }}{{ end }}{{ end }}`;
}

/** Template text: a query for the worst rates of `$of`, the worst first. */
function worstRates(most: number): string {
  return `query (printf "sort_desc(topk(${most}, max by (watch) (assay_watch_rate{%s})))" $of)`;
}

/** Template text: the watch of the worst rate. */
function worstRate(slice: string): string {
  return `${matchers(slice)}{{ with ${worstRates(1)} }}{{ . | first | label "watch" | urlquery }}{{ end }}`;
}

/** Template text: since when, the worst rates of the group from what to what, and the cause that has the greatest share of its change. */
function ratesText(slice: string): string {
  const value = (expr: string, args: string, text: string): string =>
    `{{ with query (printf ${JSON.stringify(expr)} ${args}) }}${text}{{ end }}`;
  const shown = (format: string): string => `{{ . | first | value | ${format} }}`;
  const rate = [
    '{{ $watch := .Labels.watch }}{{ if $index }},{{ end }} {{ $watch }}',
    value('max(assay_watch_before{%s,watch=%q})', '$of $watch', ` ${shown('humanizePercentage')} →`),
    ' {{ .Value | humanizePercentage }} bad',
    value('sum(assay_watch_cases{%s,watch=%q})', '$of $watch', ` of ${shown('humanize')} cases`),
  ];
  return [
    matchers(slice),
    value('min(assay_watch_since_timestamp_seconds{%s})', '$of', ` since ${shown('humanizeTimestamp')}`),
    `:{{ range $index, $rate := ${worstRates(3)} }}${rate.join('')}{{ end }}`,
    value(
      'topk(1, assay_watch_cause{%s})',
      '$of',
      `, due to {{ . | first | label "cause" }} (${shown('humanizePercentage')} of the change)`,
    ),
    '.',
  ].join('');
}

/** An invented call in so many predictions is worth an alert where no watch can see it. */
const inventedShare = 0.1;
const invented = 'sum by (job, model) (rate(assay_unknown_tool_calls_total[10m]))';
/** A rate that the watch has learned as normal, or does not know yet, raises no alarm of it. */
const seenByWatch = `max by (job, model) (assay_watch_baseline{slice="model", watch="decision.unknown_tool"}) < ${inventedShare}`;

/** Alarms for everything that watches cannot see, and for watches that see nothing. */
const health: Readonly<Record<string, Alert>> = {
  // Counted at once, without truth. Where truth has not come yet, the model's predictions are all that the job has read.
  AssayInventedTools: {
    expr: `(
    ${invented}
  / on (job, model)
    (sum by (job, model) (rate(assay_outcomes_total[10m])) > 0)
  or on (job, model)
    ${invented}
  / on (job) group_left ()
    (sum by (job) (rate(assay_records_consumed_total[10m])) > 0)
)
> ${inventedShare}
and on (job, model)
  sum by (job, model) (increase(assay_unknown_tool_calls_total[10m])) >= 20
unless on (job, model)
  ${seenByWatch}`,
    for: '2m',
    severity: 'critical',
    summary: 'A model calls tools that do not exist, and no watch can detect it.',
    description:
      '{{ $labels.model }}: {{ $value | printf "%.2f" }} calls of tools that do not exist for each prediction of the last 10 minutes. Its watch decision.unknown_tool has no baseline yet, or has learned that this is normal.',
    dashboard: ['model', 'job', 'model'],
    page: pageOfModel('decision.unknown_tool'),
  },
  // Of so many predictions a day some rate has the 200 cases that a watch learns from. One that is rarely asked for has not: sparse traffic is no fault.
  AssayWatchLearning: {
    expr: `  min by (job, model) (assay_watch_learning{slice="model"}) == 1
and on (job, model)
  sum by (job, model) (increase(assay_outcomes_total[1d])) >= 1000`,
    for: '6h',
    severity: 'warning',
    summary: 'No watch of a model can learn a baseline: no alarm is possible for it.',
    description: '{{ $labels.model }}: no watch of it has had a baseline for 6 hours, though predictions are scored.',
    dashboard: ['model', 'job', 'model'],
    page: pageOfModel('match.correct'),
  },
};
