import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withKafka } from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { runToEnd, serviceConfig, startService, type Summary, stateSummary } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { sceneOf } from '../support/scene.ts';

const before = {
  time: { windows: ['1m'] },
  slices: [['model']],
  metrics: { arguments: { enabled: false } },
};
const after = {
  time: { windows: ['10s', '1m', '24h'] },
  slices: [['model'], ['agent']],
  join: { truth_wait: '1h' },
  dedupe: { window: '20m' },
  metrics: { match: { rules: { '*': { '*': { ignore_case: true } } } } },
};

withKafka('a service goes on under other settings', (kafka) => {
  test('a window, a slice, a family, an option and a partition are added without a rebuild', async (context) => {
    const count = 4_000;
    const { settings, state, topic, traffic, ...first } = await sceneOf(context, kafka(), count, { more: before });
    const { records } = traffic;
    await kafka().produce(topic, records.slice(0, count / 2));
    await runToEnd(first.config);
    const { as_of: since } = await stateSummary(state);
    const config = serviceConfig({ ...settings, more: after });
    await kafka().produce(topic, records.slice(count / 2, (count * 3) / 4));
    assert.match(await runToEnd(config), /partition goes on under other settings/);
    assert.doesNotMatch(await runToEnd(config), /goes on under other settings/, 'it went on before');
    await kafka().admin.createPartitions({ topicPartitions: [{ topic, count: 2 }] });
    await kafka().produce(topic, records.slice((count * 3) / 4));

    const whole = { ...settings, folder: temporaryFolder(context), group: kafka().freshGroup(), more: after };
    await compare([config, serviceConfig(whole)], count, since!);

    const refused = serviceConfig({ ...settings, more: { ...after, time: { ...after.time, pane: '5s' } } });
    const { status, stderr } = await runProgram(['run', '-c', refused, '--until-end']);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /time\.pane: the state was made with 10s, the configuration says 5s/);
  });
});

/** Numbers that do not say since when are those of a group that had the settings from the beginning. */
async function compare(configs: readonly string[], count: number, since: string): Promise<void> {
  const services = configs.map((config) => startService(config));
  const [summaryOf, wholeOf] = services.map((service) => service.summary) as [Ask, Ask];
  for (const ask of [summaryOf, wholeOf])
    await until('both partitions are read', async () => (await ask('')).records['read'] === count);
  for (const query of ['slice=&window=all', 'slice=model&window=all', 'slice=model&window=1m']) {
    const [mine, all] = [await summaryOf(query), await wholeOf(query)];
    assert.deepEqual(mine.records, all.records);
    assert.equal(mine.groups.length, all.groups.length);
    for (const [at, group] of mine.groups.entries())
      for (const [family, block] of Object.entries(group))
        if (family !== 'since' && sinceOf(group)[family] === undefined)
          assert.deepEqual(block, all.groups[at]![family], `${query} ${family}`);
  }
  assert.deepEqual((await summaryOf('')).groups.map(sinceOf), [{ arguments: since, match: since }]);
  assert.equal(sinceOf((await summaryOf('slice=agent')).groups[0]!)['decision'], since);
  assert.ok(Date.parse(sinceOf((await summaryOf('window=24h')).groups[0]!)['decision']!) < Date.parse(since));
  const metrics = await services[0]!.text('/metrics');
  const begun = 'assay_window_since_timestamp_seconds{slice="",window="all",family=';
  assert.ok(metrics.includes(`${begun}"match"} ${Date.parse(since) / 1000}`));
  assert.ok(!metrics.includes(`${begun}"decision"}`));
  for (const service of services) assert.equal(await service.stop(), 0);
}

type Ask = (query: string) => Promise<Summary>;

function sinceOf(group: Summary['groups'][number]): Readonly<Record<string, string>> {
  return (group['since'] ?? {}) as Record<string, string>;
}
