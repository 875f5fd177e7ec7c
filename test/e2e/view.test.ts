import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { withKafka } from '../support/kafka.ts';
import { startService, type Summary, stateSummary } from '../support/service.ts';
import { until } from '../support/until.ts';
import { sceneOf } from '../support/scene.ts';

withKafka('assay view shows a whole group', (kafka) => {
  test('the numbers of all instances together, seconds behind; it joins no group and writes nothing', async (context) => {
    const count = 4_000;
    const more = { time: { windows: ['10s', '1m'] }, slices: [['model'], ['agent']] };
    const { config, folder, settings, state, topic, traffic } = await sceneOf(context, kafka(), count, {
      partitions: 4,
      more,
    });
    const { records } = traffic;
    await kafka().produce(topic, records.slice(0, count / 2));
    const instances = [startService(config), startService(config)];
    const covered = async (): Promise<readonly string[]> => {
      const urls = await Promise.all(instances.map((instance) => instance.url()));
      return (await Promise.all(urls.map(summaryOf))).flatMap(({ partitions }) => partitions).sort();
    };
    const all = [0, 1, 2, 3].map((partition) => `${topic}/${partition}`);
    await until('each partition is held once', async () => (await covered()).join() === all.join());

    const views = [startService(config, [], {}, 'view'), startService(config, [], {}, 'view')];
    const urls = await Promise.all(views.map((view) => view.url()));
    await kafka().produce(topic, records.slice(count / 2));
    for (const url of urls) await until('all is shown', async () => (await summaryOf(url)).records['read'] === count);
    const { members } = (await kafka().admin.describeGroups([settings.group])).groups[0]!;
    assert.equal(members.length, 2);
    for (const instance of instances) assert.equal(await instance.stop(), 0);

    const files = filesIn(folder);
    const expected = await stateSummary(state);
    for (const url of urls) {
      await until('the last checkpoints are read', async () => (await summaryOf(url)).as_of === expected.as_of);
      assert.deepEqual((await summaryOf(url)).partitions, all);
      for (const window of ['all', '10s', '1m'])
        for (const slice of ['', 'model', 'agent']) {
          const { groups } = await summaryOf(`${url}/api/v1/summary?slice=${slice}&window=${window}`);
          const wanted = expected.groups.filter(
            (each) => each['window'] === window && Object.keys(each['slice'] as object).join() === slice,
          );
          assert.deepEqual(groups, wanted, `${slice} ${window}`);
        }
      assert.match(
        await (await fetch(`${url}/metrics`)).text(),
        /assay_window_value\{slice="",window="all",metric="accuracy"\}/,
      );
      assert.equal((await fetch(`${url}/readyz`)).status, 200);
      assert.equal((await fetch(`${url}/`)).status, 200);
    }
    for (const view of views) assert.equal(await view.stop(), 0);
    assert.deepEqual(filesIn(folder), files);
  });
});

async function summaryOf(url: string): Promise<Summary & { readonly partitions: readonly string[] }> {
  const address = url.includes('?') ? url : `${url}/api/v1/summary`;
  return (await (await fetch(address)).json()) as Summary & { readonly partitions: readonly string[] };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}
