import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import { alertsOf, ruleFiles } from '../../packages/monitoring/rules.ts';
import { links } from '../support/promtool.ts';
import { runCommand, testWith } from '../support/tools.ts';

const file = 'deploy/alertmanager/alertmanager.yml';
const names = [...new Set(alertsOf(ruleFiles(links)).map(({ alert }) => alert))];

testWith(['amtool'], 'amtool takes the configuration', async (_, amtool) => {
  const { status, stdout, stderr } = await runCommand(amtool, ['check-config', file]);
  assert.equal(status, 0, `${stdout}${stderr}`);
});

testWith(['amtool'], 'every alert goes to the receiver of its severity', async (_, amtool) => {
  for (const { alert, labels } of alertsOf(ruleFiles(links))) {
    const receiver = labels.severity === 'critical' ? 'pager' : 'tickets';
    const args = ['config', 'routes', 'test', `--config.file=${file}`, `--verify.receivers=${receiver}`];
    const { status, stdout } = await runCommand(amtool, [...args, `alertname=${alert}`, `severity=${labels.severity}`]);
    assert.equal(status, 0, `${alert}: ${stdout}`);
  }
});

test('the inhibitions name alerts that exist', () => {
  const { inhibit_rules: rules } = parse(readFileSync(file, 'utf8')) as {
    readonly inhibit_rules: readonly {
      readonly source_matchers: readonly string[];
      readonly target_matchers: readonly string[];
    }[];
  };
  assert.ok(rules.length >= 5);
  const matchers = rules.flatMap((rule) => [...rule.source_matchers, ...rule.target_matchers]);
  for (const matcher of matchers.filter((text) => text.startsWith('alertname'))) {
    for (const name of /"(.*)"/.exec(matcher)![1]!.split('|')) {
      assert.ok(
        names.some((known) => new RegExp(`^(?:${name})$`).test(known)),
        `no alert is named ${name}`,
      );
    }
  }
});
