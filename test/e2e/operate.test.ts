import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, stringify } from 'yaml';
import { withKafka } from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { serviceConfig, startService } from '../support/service.ts';
import { sceneOf } from '../support/scene.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand, testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';

/* What docs/guides/operate.md says to do, done. */

const guide = readFileSync('docs/guides/operate.md', 'utf8');

/** The block of YAML under a heading that has this key. */
function blockOf(key: string): Record<string, unknown> {
  const blocks = [...guide.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => parse(text!));
  return blocks.find((block) => key in block) as Record<string, unknown>;
}

test('a copy of the checkpoints, put back, goes on from its offset to the same numbers', async (context) => {
  const folder = temporaryFolder(context);
  const config = serviceConfig({ brokers: [], topics: [], group: 'assay', truth: [], folder });
  const own = parse(readFileSync(config, 'utf8')) as Record<string, object>;
  writeFileSync(config, stringify({ ...own, kafka: { group_id: 'assay' } }));
  const [checkpoints, copy] = [join(folder, 'state', 'assay'), join(folder, 'checkpoints-before')];
  const serve = async (ids: readonly string[], total: number): Promise<{ readonly numbers: object; log: string }> => {
    const service = startService(config);
    for (const id of ids) {
      const body = JSON.stringify({
        example_id: id,
        event_id: id,
        tools: ['a'],
        tool_calls: [{ name: 'b', arguments: {} }],
      });
      const headers = { 'content-type': 'application/json' };
      assert.equal((await fetch(`${await service.url()}/v1/events`, { method: 'POST', body, headers })).status, 200);
    }
    await until('all is scored', async () => (await service.summary()).records['read'] === total);
    const { records, groups } = await service.summary();
    assert.equal(await service.stop(), 0, service.log());
    return { numbers: { records, groups }, log: service.log() };
  };
  await serve(['1', '2', '3'], 3);
  cpSync(checkpoints, copy, { recursive: true });
  const { numbers } = await serve(['4', '5'], 5);
  rmSync(checkpoints, { recursive: true });
  cpSync(copy, checkpoints, { recursive: true });
  const again = await serve([], 5);
  assert.deepEqual(again.numbers, numbers);
  const restored = [...again.log.matchAll(/"offset":(\d+),"files":\d+,"msg":"partition restored"/g)];
  // The three events; time that passed without any is in the log besides, by how slow the machine is.
  assert.ok(restored.reduce((sum, [, offset]) => sum + Number(offset), 0) >= 3, again.log);
});

test('the memory of each configuration is what config check prints', async (context) => {
  const file = join(temporaryFolder(context), 'assay.yaml');
  const rows = [...guide.matchAll(/^\| `(.*)` \| ([\d.]+ [MG]B) \|$/gm)];
  assert.equal(rows.length, 5);
  for (const [, config, total] of rows) {
    writeFileSync(file, config!);
    const { stdout, stderr } = await runProgram(['config', 'check', '-c', file]);
    assert.match(`${stdout}${stderr}`, new RegExp(`in all, a partition +${total}$`, 'm'), config);
  }
});

test('the watch fires for the one model above 2 %, and for no other', async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'assay.yaml'), stringify(blockOf('watches')));
  const lines = Array.from({ length: 4_000 }, (_, at) => {
    const bad = at % 100 < (at < 2_000 ? 1 : 8);
    return ['gpt-4o', 'other'].map((model) => ({
      ...{ example_id: `${model}${at}`, model, ts: new Date(Date.UTC(2026, 4, 1) + at * 5_000).toISOString() },
      ...{ tools: ['a'], tool_calls: [{ name: bad && model === 'gpt-4o' ? 'b' : 'a', arguments: {} }] },
    }));
  });
  writeFileSync(
    join(cwd, 'events.ndjson'),
    lines
      .flat()
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  const { status, stdout, stderr } = await runProgram(
    ['watch', 'backtest', '--events', 'events.ndjson', '-c', 'assay.yaml', '--json'],
    { cwd },
  );
  assert.equal(status, 0, stderr);
  const { incidents } = JSON.parse(stdout) as { readonly incidents: readonly { watch: string; slice: object }[] };
  assert.deepEqual(
    incidents.map(({ watch, slice }) => [watch, slice]),
    [['tool_use.unknown_tool', { model: 'gpt-4o' }]],
  );
});

testWith(['promtool'], 'the rule fires above 2 % of 200 calls over all instances', async (context, promtool) => {
  const folder = temporaryFolder(context);
  const rules = join(folder, 'rules.yml');
  writeFileSync(rules, stringify(blockOf('groups')));
  const series = (name: string, instance: string, value: number): object => ({
    series: `${name}{slice="model",model="gpt-4o",window="1h",metric="tool_use_unknown_tool",instance="${instance}"}`,
    values: `${value}x20`,
  });
  const fires = (rate: number, calls: number, exp_alerts: readonly object[]): object => ({
    interval: '1m',
    input_series: [
      ...[series('assay_window_value', 'a', 0), series('assay_window_support', 'a', calls)],
      ...[series('assay_window_value', 'b', rate), series('assay_window_support', 'b', calls)],
    ],
    alert_rule_test: [{ eval_time: '10m', alertname: 'InventedToolsAbove2Percent', exp_alerts }],
  });
  const fired = {
    exp_labels: { severity: 'warning', model: 'gpt-4o' },
    exp_annotations: { summary: 'gpt-4o invents 3% of its tools.' },
  };
  const tests = [fires(0.06, 100, [fired]), fires(0.06, 90, []), fires(0.03, 100, [])];
  writeFileSync(join(folder, 'tests.yml'), stringify({ rule_files: ['rules.yml'], tests }));
  const { status, stdout, stderr } = await runCommand(promtool, ['test', 'rules', join(folder, 'tests.yml')]);
  assert.equal(status, 0, stdout + stderr);
});

withKafka('three replicas', (kafka) => {
  test('one view has the numbers of all of them', async (context) => {
    const count = 3_000;
    const { config, traffic, topic, settings } = await sceneOf(context, kafka(), count, { partitions: 6 });
    const own = parse(readFileSync(config, 'utf8')) as Record<string, object>;
    const shown = blockOf('kafka') as Record<string, object>;
    writeFileSync(
      config,
      stringify({ ...own, kafka: { ...shown['kafka'], dead_letter_topic: undefined, ...own['kafka'] } }),
    );
    const instances = [1, 2, 3].map(() => startService(config));
    const view = startService(config, [], {}, 'view');
    await until('three members', async () => {
      const { groups } = await kafka().admin.describeGroups([settings.group]);
      return groups[0]!.members.length === 3;
    });
    await kafka().produce(topic, traffic.records);
    await until('the view has all', async () => (await view.summary()).records['read'] === count);
    for (const service of [...instances, view]) assert.equal(await service.stop(), 0, service.log());
  });
});
