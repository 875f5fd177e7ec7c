import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { stringify } from 'yaml';
import { type RuleGroup, ruleFiles } from '../../src/deploy/rules.ts';
import type { Links } from '../../src/deploy/settings.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { runCommand } from './tools.ts';

export const links: Links = { grafana: 'https://grafana.test', runbooks: 'https://runbooks.test' };

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

/** Groups that scoring by counters is not needed for: quick. */
export function groupsWithoutScores(): RuleGroup[] {
  return allGroups().filter(({ name }) => !/^assay-scores-\d/.test(name));
}

/** A series in text form. */
export function seriesName(name: string, labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${pairs.join(',')}}`;
}

/** Runs `promtool test rules`; fails with what promtool says. */
export async function checkRules(
  context: TestContext,
  promtool: string,
  groups: readonly RuleGroup[],
  tests: readonly RuleTest[],
): Promise<void> {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'rules.yml'), stringify({ groups }));
  // Without the order promtool evaluates groups at random, and a rule may read what is recorded only after it.
  const suite = {
    rule_files: ['rules.yml'],
    evaluation_interval: '30s',
    group_eval_order: groups.map(({ name }) => name),
    tests: tests.map(testOf),
  };
  writeFileSync(join(folder, 'test.yml'), stringify(suite, { aliasDuplicateObjects: false }));
  const { status, stdout, stderr } = await runCommand(promtool, ['test', 'rules', 'test.yml'], { cwd: folder });
  assert.equal(status, 0, `${stdout}${stderr}`);
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
