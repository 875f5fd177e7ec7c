import { budgetedRates } from '../../src/scoring/families.ts';
import { type Alert, alertRule, one, pageOfModel, since } from './alert.ts';
import { all } from './promql.ts';
import type { RuleGroup } from './rule.ts';
import { increaseName, ratioName, shareOfOpportunities, wilsonName } from './scoring-rules.ts';
import { type Burn, burns, coverageObjectives, type Links } from './settings.ts';

/** Budgets and objectives as series: rules and dashboards read them, so there is one place to change them. */
export function budgetGroup(): RuleGroup {
  return {
    name: 'assay-budgets',
    interval: '1m',
    rules: [
      ...budgetedRates().map(({ kind, metric }) => ({
        record: 'kind:assay_hallucination_budget:ratio',
        expr: `vector(${metric.budget})`,
        labels: { kind },
      })),
      ...Object.entries(coverageObjectives).map(([window, share]) => ({
        record: 'window:assay_coverage_objective:ratio',
        expr: `vector(${share})`,
        labels: { window },
      })),
    ],
  };
}

/** Tickets about models: a hallucination budget is being spent, or is proven to be exceeded. */
export function modelAlertGroup(links: Links): RuleGroup {
  return {
    name: 'assay-slo-alerts',
    interval: '30s',
    rules: [...burns.map((burn) => [burnAlert, ofBurn(burn)] as const), ...Object.entries(alerts)].map(
      ([name, alert]) => alertRule(name, alert, links),
    ),
  };
}

const level = 'job_model_kind';
const opportunities = (window: Burn['long']): string => increaseName(level, 'hallucination_opportunities', window);
const aboveBudget = (share: string): string =>
  `${share} > on (kind) group_left () kind:assay_hallucination_budget:ratio`;
const budgetOfKind = one('kind:assay_hallucination_budget:ratio{kind=%q}', ['kind'], 'humanizePercentage');
const percentage = '{{ $value | humanizePercentage }}';

const burnAlert = 'AssayHallucinationBudgetBurn';

/** Both windows, enough opportunities in both, and even the lower end of the interval above the budget. */
function ofBurn({ factor, long, short, leastLong, leastShort, for: held }: Burn): Alert {
  const burnOf = (window: Burn['long']): string => `${level}:assay_hallucination_budget_burn:ratio_rate${window}`;
  const labels = ['job', 'model', 'kind'];
  const series = `${ratioName(level, shareOfOpportunities, long)}{job=%q,model=%q,kind=%q}`;
  const still = factor === 1 ? 'above it' : `more than ${factor} times it`;
  return {
    expr: all(
      `${burnOf(long)} > ${factor}`,
      `${burnOf(short)} > ${factor}`,
      `${opportunities(long)} >= ${leastLong}`,
      `${opportunities(short)} >= ${leastShort}`,
      aboveBudget(wilsonName(long)),
    ),
    for: held,
    severity: 'warning',
    labels: { long, short, burn: String(factor) },
    summary: 'A model hallucinates more than its budget allows.',
    description: `{{ $labels.model }}: ${one(series, labels, 'humanizePercentage')} of the {{ $labels.kind }} opportunities of the last ${long} were hallucinated, {{ $value | printf "%.1f" }} times the budget of ${budgetOfKind}, and still ${still} in the last ${short}.${since(burnAlert, labels, { long })}`,
    dashboard: ['model', 'job', 'model'],
    page: pageOfModel('decision.{{ $labels.kind }}_hall'),
  };
}

const alerts: Readonly<Record<string, Alert>> = {
  // For models with little traffic: the interval carries its own sample size.
  AssayHallucinationProven: {
    expr: all(aboveBudget(wilsonName('1d')), `${opportunities('1d')} >= 20`),
    for: '30m',
    severity: 'warning',
    summary: 'A model is over its hallucination budget with 95 % confidence.',
    description: `{{ $labels.model }}: the {{ $labels.kind }} hallucination rate of the last 1d is at least ${percentage} (lower end of the interval); the budget is ${budgetOfKind}.${since('AssayHallucinationProven', ['job', 'model', 'kind'])}`,
    dashboard: ['model', 'job', 'model'],
    page: pageOfModel('decision.{{ $labels.kind }}_hall'),
  },
};
