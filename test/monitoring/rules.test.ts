import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertRule, Rule } from '../../packages/monitoring/rule.ts';
import { burns } from '../../packages/monitoring/settings.ts';
import { budgets } from '../support/budgets.ts';
import { allGroups } from '../support/promtool.ts';
import { runCommand, testWith } from '../support/tools.ts';
import { knownSeries } from './known-series.ts';
import { lintRules } from './lint-rules.ts';

const runbooks = 'docs/runbooks';

testWith(['promtool'], 'promtool has nothing to say of the generated rules', async (_, promtool) => {
  const files = ['assay-budgets', 'assay-scores', 'assay-alerts'].map((name) => `deploy/prometheus/rules/${name}.yml`);
  const { status, stdout, stderr } = await runCommand(promtool, ['check', 'rules', '--lint-fatal', ...files]);
  assert.equal(status, 0, `${stdout}${stderr}`);
});

test('every rule keeps the conventions', async () => {
  assert.deepEqual(lintRules(allGroups(), await knownSeries(), runbooks), []);
});

test('every page can be reached: its factor times the budget is below 1', () => {
  for (const { factor } of burns) {
    for (const [kind, budget] of Object.entries(budgets)) {
      assert.ok(
        factor * budget < 1,
        `${factor} times the budget of ${kind} is ${factor * budget}: no rate is above that`,
      );
    }
  }
});

const good: AlertRule = {
  alert: 'AssayDown',
  expr: 'up == 0',
  for: '5m',
  labels: { severity: 'critical' },
  annotations: {
    summary: 'It is down.',
    description: '{{ $labels.instance }} is down.',
    runbook_url: 'https://x.test/AssayDown.md',
    page_url: 'https://x.test/',
    dashboard_url: 'https://x.test/d/assay-pipeline',
  },
};
const annotated = (annotations: Partial<AlertRule['annotations']>): Rule => ({
  ...good,
  annotations: { ...good.annotations, ...annotations },
});

/** What is planted: a rule, or the expression of one that is good otherwise. */
const planted: readonly (readonly [why: string, rule: Rule | string, problem: string])[] = [
  ['syntax', 'up = 0', 'is no PromQL'],
  [
    'a series that nobody exports',
    'assay_outcome_total == 0',
    'assay_outcome_total is no series of the page or of the rules',
  ],
  ['a label', 'rate(assay_outcomes_total{kind="x"}[5m]) > 0', 'assay_outcomes_total has no label kind'],
  [
    'a value',
    'rate(assay_limit_reached_total{limit=~"slice|names"}[5m]) > 0',
    'assay_limit_reached_total: label limit is never slice',
  ],
  ['a raw counter', 'assay_late_events_total > 0', 'assay_late_events_total is a counter: take its rate or increase'],
  ['the rate of a gauge', 'rate(assay_truth_rows[5m]) > 0', 'assay_truth_rows is no counter: it has no rate'],
  ['no condition', 'up', 'compares nothing: it always fires'],
  ['a condition with bool', 'up == bool 0', 'compares nothing: it always fires'],
  [
    'a late series',
    'job_window:assay_coverage:ratio > 0',
    'reads job_window:assay_coverage:ratio, which is not recorded before',
  ],
  ['a name', { record: 'assay_accuracy', expr: 'vector(1)' }, 'is not named level:metric:operations'],
  ['no runbook', { ...good, alert: 'AssayUnheardOf' }, 'has no runbook'],
  [
    'a template in the summary',
    annotated({ summary: '{{ $labels.instance }} is down.' }),
    'has a summary that is no plain sentence',
  ],
  [
    'an own label',
    annotated({ description: '{{ $labels.severity }}' }),
    'shows $labels.severity, which the rule itself sets: templates do not see it',
  ],
];

for (const [why, rule, problem] of planted) {
  test(`the linter of rules finds ${why}`, async () => {
    const problems = lintRules(
      [{ name: 'planted', interval: '1m', rules: [typeof rule === 'string' ? { ...good, expr: rule } : rule] }],
      await knownSeries(),
      runbooks,
    );
    assert.ok(
      problems.some((found) => found.endsWith(`: ${problem}`)),
      problems.join('\n'),
    );
  });
}
