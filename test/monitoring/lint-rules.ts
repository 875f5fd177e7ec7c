import { existsSync } from 'node:fs';
import type { AlertRule, RecordingRule, Rule, RuleGroup } from '../../packages/monitoring/rule.ts';
import { parseQuery } from '../support/promql.ts';
import { selectorProblems } from './known-series.ts';

type KnownSeries = Parameters<typeof selectorProblems>[1];

/**
 * What is against the conventions of monitoring mixins and the checks of pint that need no server: one line each, with the rule's name.
 * Groups come in the order in which they are evaluated.
 */
export function lintRules(groups: readonly RuleGroup[], known: KnownSeries, runbooks: string): string[] {
  const recorded = new Set<string>();
  return groups.flatMap(({ rules }) =>
    rules.flatMap((rule) => {
      const problems = [
        ...queryProblems(rule.expr, known),
        ...orderProblems(rule, recorded),
        ...('alert' in rule ? alertProblems(rule, runbooks) : recordProblems(rule)),
      ];
      if ('record' in rule) recorded.add(rule.record);
      return problems.map((problem) => `${'alert' in rule ? rule.alert : rule.record}: ${problem}`);
    }),
  );
}

function queryProblems(expr: string, known: KnownSeries): string[] {
  const { valid, selectors } = parseQuery(expr);
  if (!valid) return ['is no PromQL'];
  return selectors.flatMap((selector) => {
    const problems = selectorProblems(selector, known);
    const counts = ['rate', 'irate', 'increase'].includes(selector.over ?? '');
    const { counter } = known.get(selector.name) ?? { counter: counts };
    if (counter && !counts) problems.push(`${selector.name} is a counter: take its rate or increase`);
    if (!counter && counts) problems.push(`${selector.name} is no counter: it has no ${selector.over}`);
    return problems;
  });
}

/** A series that is recorded later is one interval old when it is read, and missing at the start. A rule that reads itself remembers. */
function orderProblems(rule: Rule, recorded: ReadonlySet<string>): string[] {
  const own = 'record' in rule ? rule.record : undefined;
  return parseQuery(rule.expr)
    .selectors.map(({ name }) => name)
    .filter((name) => name.includes(':') && name !== own && !recorded.has(name))
    .map((name) => `reads ${name}, which is not recorded before`);
}

function recordProblems({ record }: RecordingRule): string[] {
  return /^[a-z]+(_[a-z]+)*:assay_[a-z0-9_]+:[a-z0-9_]+$/.test(record) ? [] : ['is not named level:metric:operations'];
}

function alertProblems(rule: AlertRule, runbooks: string): string[] {
  const { alert, expr, annotations, labels } = rule;
  const problems: string[] = [];
  const check = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  check(/^Assay[A-Z][A-Za-z0-9]+$/.test(alert), 'is not named Assay…');
  check(['critical', 'warning'].includes(labels.severity), `has severity ${labels.severity}`);
  check(/^\d+[smhd]$/.test(rule.for), 'has no time to hold for');
  check(parseQuery(expr).filters, 'compares nothing: it always fires');
  check(/^[A-Z][^{}]*\.$/.test(annotations.summary), 'has a summary that is no plain sentence');
  check(
    /\{\{/.test(annotations.description) || expr.startsWith('absent('),
    'has a description that names no label or value',
  );
  check(annotations.runbook_url.endsWith(`/${alert}.md`), 'does not link its runbook');
  check(existsSync(`${runbooks}/${alert}.md`), 'has no runbook');
  check(/\/d\/assay-[a-z]+/.test(annotations.dashboard_url), 'does not link a dashboard');
  check(!Object.values(labels).some((text) => text.includes('$')), 'has a template in a label');
  for (const [, name] of Object.values(annotations)
    .join('\n')
    .matchAll(/\$labels\.(\w+)/g)) {
    check(!Object.hasOwn(labels, name!), `shows $labels.${name}, which the rule itself sets: templates do not see it`);
  }
  return problems;
}
