import { annotationsOf, one, since } from './annotations.ts';
import { all } from './promql.ts';
import type { AlertRule, RuleGroup } from './rules.ts';
import { increaseName, ratioName, shareOfOpportunities, wilsonName } from './scoring-rules.ts';
import { type Burn, budgets, burns, coverageObjectives, dashboardIds, kinds, type Links } from './settings.ts';

/** Budgets and objectives as series: rules and dashboards read them, so there is one place to change them. */
export function budgetGroup(): RuleGroup {
  return {
    name: 'assay-budgets',
    interval: '1m',
    rules: [
      ...kinds.map((kind) => ({
        record: 'kind:assay_hallucination_budget:ratio',
        expr: `vector(${budgets[kind]})`,
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

/** Alerts on what the models do. */
export function sloGroup(links: Links): RuleGroup {
  return {
    name: 'assay-slo-alerts',
    interval: '30s',
    rules: [
      ...burns.map((burn) => burnAlert(burn, links)),
      provenAlert(links),
      agentAlert(links),
      unreachableAlert(links),
      macroF1Alert(links),
    ],
  };
}

const level = 'job_model_kind';
const opportunities = 'hallucination_opportunities';
const budgetOfKind = one('kind:assay_hallucination_budget:ratio{kind=%q}', ['kind'], 'humanizePercentage');

/** Both windows, enough opportunities in both, and even the lower end of the interval above the budget. */
function burnAlert(burn: Burn, links: Links): AlertRule {
  const { factor, long, short, severity } = burn;
  const burnOf = (window: Burn['long']): string => `${level}:assay_hallucination_budget_burn:ratio_rate${window}`;
  const rate = one(
    `${ratioName(level, shareOfOpportunities, long)}{job=%q,model=%q,kind=%q}`,
    ['job', 'model', 'kind'],
    'humanizePercentage',
  );
  const alert = 'AssayHallucinationBudgetBurn';
  return {
    alert,
    expr: all(
      `${burnOf(long)} > ${factor}`,
      `${burnOf(short)} > ${factor}`,
      `${increaseName(level, opportunities, long)} >= ${burn.leastLong}`,
      `${increaseName(level, opportunities, short)} >= ${burn.leastShort}`,
      `${wilsonName(long)} > on (kind) group_left () kind:assay_hallucination_budget:ratio`,
    ),
    for: burn.for,
    labels: { severity, long, short, burn: String(factor) },
    annotations: annotationsOf({
      alert,
      summary: 'A model hallucinates more than its budget allows.',
      description: `{{ $labels.model }}: ${rate} of the {{ $labels.kind }} opportunities of the last ${long} were hallucinated, {{ $value | printf "%.1f" }} times the budget of ${budgetOfKind}, and still ${factor === 1 ? 'above it' : `more than ${factor} times it`} in the last ${short}.${since(alert, ['job', 'model', 'kind'], { long })}`,
      dashboard: { id: dashboardIds.model, variables: ['job', 'model'] },
      links,
    }),
  };
}

/** For models with little traffic: the interval carries its own sample size. */
function provenAlert(links: Links): AlertRule {
  const window = '1d';
  const alert = 'AssayHallucinationProven';
  return {
    alert,
    expr: all(
      `${wilsonName(window)} > on (kind) group_left () kind:assay_hallucination_budget:ratio`,
      `${increaseName(level, opportunities, window)} >= 20`,
    ),
    for: '30m',
    labels: { severity: 'warning' },
    annotations: annotationsOf({
      alert,
      summary: 'A model is over its hallucination budget with 95 % confidence.',
      description: `{{ $labels.model }}: the {{ $labels.kind }} hallucination rate of the last ${window} is at least {{ $value | humanizePercentage }} (lower end of the interval); the budget is ${budgetOfKind}.${since(alert, ['job', 'model', 'kind'])}`,
      dashboard: { id: dashboardIds.model, variables: ['job', 'model'] },
      links,
    }),
  };
}

/** The counters know models only; agents are told apart by the window gauges. */
function agentAlert(links: Links): AlertRule {
  const window = '1h';
  const factor = 3;
  const agents = 'job_agent_window_kind:assay_window';
  const alert = 'AssayAgentHallucinating';
  return {
    alert,
    expr: all(
      `${agents}_hallucinations_per_opportunities:ratio{window="${window}"} > on (kind) group_left () (${factor} * kind:assay_hallucination_budget:ratio)`,
      `${agents}_hallucination_opportunities:sum{window="${window}"} >= 50`,
    ),
    for: '15m',
    labels: { severity: 'warning' },
    annotations: annotationsOf({
      alert,
      summary: 'An agent hallucinates several times as much as the budget allows.',
      description: `{{ $labels.agent }}: {{ $value | humanizePercentage }} of the {{ $labels.kind }} opportunities of the last ${window} (event time) were hallucinated, more than ${factor} times the budget of ${budgetOfKind}.${since(alert, ['job', 'agent', 'kind'])}`,
      dashboard: { id: dashboardIds.overview, variables: ['job'] },
      links,
    }),
  };
}

/** A rate cannot be above 1, so an alert at `factor` times the budget cannot fire where that is 1 or more. */
function unreachableAlert(links: Links): AlertRule {
  const factor = Math.max(...burns.map((burn) => burn.factor));
  const alert = 'AssayBudgetUnreachable';
  return {
    alert,
    expr: `${factor} * kind:assay_hallucination_budget:ratio >= 1`,
    for: '5m',
    labels: { severity: 'warning' },
    annotations: annotationsOf({
      alert,
      summary: 'A hallucination budget is so large that its page can never fire.',
      description: `The page for kind {{ $labels.kind }} fires at ${factor} times the budget, which is {{ $value | humanizePercentage }}: no rate is above that.`,
      dashboard: { id: dashboardIds.overview, variables: [] },
      links,
    }),
  };
}

function macroF1Alert(links: Links): AlertRule {
  const now = ratioName('job_model', 'macro_f1', '1h');
  const usual = ratioName('job_model', 'macro_f1', '3d');
  const alert = 'AssayMacroF1Drop';
  const usually = one(`${usual}{job=%q,model=%q}`, ['job', 'model'], 'printf "%.3f"');
  return {
    alert,
    expr: all(
      `${now} < 0.9 * ${usual}`,
      `${increaseName('job_model', 'outcomes', '1h')} >= 100`,
      `${increaseName('job_model', 'outcomes', '3d')} >= 1000`,
    ),
    for: '30m',
    labels: { severity: 'warning' },
    annotations: annotationsOf({
      alert,
      summary: 'The macro-F1 of a model fell by more than a tenth.',
      description: `{{ $labels.model }}: macro-F1 is {{ $value | printf "%.3f" }} over the last hour; over three days it is ${usually}.${since(alert, ['job', 'model'])}`,
      dashboard: { id: dashboardIds.model, variables: ['job', 'model'] },
      links,
    }),
  };
}
