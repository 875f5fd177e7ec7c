import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { stringify } from 'yaml';
import type { Rule, RuleGroup } from '../../packages/monitoring/rule.ts';
import { ruleFiles } from '../../packages/monitoring/rules.ts';
import type { Links } from '../../packages/monitoring/settings.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { runCommand } from './tools.ts';

export const links: Links = {
  page: 'https://assay.test',
  grafana: 'https://grafana.test',
  runbooks: 'https://runbooks.test',
};

export type Labels = Readonly<Record<string, string>>;

/** A series and its samples in promtool's notation: `0+2x40`, `5x10 stale`. */
export interface InputSeries {
  readonly series: string;
  readonly values: string;
}

export interface Expectation {
  readonly expr: string;
  /** `2h`. */
  readonly at: string;
  readonly samples: readonly (readonly [labels: Labels, value: number])[];
}

export interface ExpectedAlert {
  readonly labels: Labels;
  readonly annotations: Labels;
}

export interface RuleTest {
  /** Time between samples. */
  readonly interval: string;
  readonly input: readonly InputSeries[];
  readonly expect?: readonly Expectation[];
  readonly alerts?: readonly {
    readonly alert: string;
    readonly at: string;
    readonly firing: readonly ExpectedAlert[];
  }[];
}

/** Every group of rules, in the order in which they read each other. */
export function allGroups(): RuleGroup[] {
  return ruleFiles(links).flatMap(({ groups }) => groups);
}

/** A series in text form. */
export function seriesName(name: string, labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${pairs.join(',')}}`;
}

/** Runs `promtool test rules`, every 30 s, with the rules that the tests ask for and those that these read; fails with what promtool says. */
export async function checkRules(
  context: TestContext,
  promtool: string,
  all: readonly RuleGroup[],
  tests: readonly RuleTest[],
  evaluation = '30s',
): Promise<void> {
  const folder = temporaryFolder(context);
  const groups = askedFor(all, tests);
  writeFileSync(join(folder, 'rules.yml'), stringify({ groups }));
  // Without the order promtool evaluates groups at random, and a rule may read what is recorded only after it.
  const suite = {
    rule_files: ['rules.yml'],
    evaluation_interval: evaluation,
    group_eval_order: groups.map(({ name }) => name),
    tests: tests.map(testOf),
  };
  writeFileSync(join(folder, 'test.yml'), stringify(suite, { aliasDuplicateObjects: false }));
  const { status, stdout, stderr } = await runCommand(promtool, ['test', 'rules', 'test.yml'], { cwd: folder });
  assert.equal(status, 0, `${stdout}${stderr}`);
}

/** All that is evaluated every 30 s for hours costs: a rule that no test asks for is left out. */
function askedFor(groups: readonly RuleGroup[], tests: readonly RuleTest[]): RuleGroup[] {
  const named = new Map<string, Rule[]>();
  for (const rule of groups.flatMap(({ rules }) => rules)) {
    const name = 'alert' in rule ? rule.alert : rule.record;
    named.set(name, [...(named.get(name) ?? []), rule]);
  }
  const asked = new Set<Rule>();
  const ask = (text: string): void => {
    for (const [name] of text.matchAll(/[A-Za-z_][\w:]*/g)) {
      for (const rule of named.get(name) ?? []) {
        if (asked.has(rule)) continue;
        asked.add(rule);
        ask(JSON.stringify(rule));
      }
    }
  };
  for (const { expect = [], alerts = [] } of tests) {
    for (const { expr } of expect) ask(expr);
    for (const { alert } of alerts) ask(alert);
  }
  return groups
    .map((group) => ({ ...group, rules: group.rules.filter((rule) => asked.has(rule)) }))
    .filter(({ rules }) => rules.length > 0);
}

function testOf({ interval, input, expect = [], alerts = [] }: RuleTest): unknown {
  return {
    interval,
    input_series: input,
    promql_expr_test: expect.map(({ expr, at, samples }) => ({
      expr,
      eval_time: at,
      exp_samples: samples.map(([labels, value]) => ({ labels: seriesName('', labels), value })),
    })),
    alert_rule_test: alerts.map(({ alert, at, firing }) => ({
      eval_time: at,
      alertname: alert,
      exp_alerts: firing.map(({ labels, annotations }) => ({ exp_labels: labels, exp_annotations: annotations })),
    })),
  };
}
