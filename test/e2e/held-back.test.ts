import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicReady, withKafka } from '../support/kafka.ts';
import { sceneOf } from '../support/scene.ts';
import { serviceConfig, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

withKafka('records that wait for a dead letter', (kafka) => {
  test('are lag and no idle input: T stands, the lag grows, and both go on with the letter', async (context) => {
    const scene = await sceneOf(context, kafka(), 60);
    const letters = `${scene.topic}-letters`;
    const more = { kafka: { dead_letter_topic: letters }, time: { idle_after: '200ms' } };
    const service = startService(serviceConfig({ ...scene.settings, more }));
    const { records } = scene.traffic;
    const readOf = async (): Promise<number> => Number((await service.summary()).records['read']);
    const asOf = async (): Promise<string> => (await service.summary()).as_of!;
    const lagOf = async (): Promise<number> =>
      Number(/^assay_consumer_lag_records\{.*\} (\d+)$/m.exec(await service.text('/metrics'))?.[1]);
    await kafka().produce(scene.topic, records.slice(0, 20));
    await until('it has read them', async () => (await readOf()) === 20);
    await kafka().produce(scene.topic, [{ value: 'no json' }, ...records.slice(20, 40)]);
    await until('it waits', () => /writing dead letters waits/.test(service.log()));
    const [stands, fromMs] = [await asOf(), Date.now()];
    await until('an idle input would have moved T', () => Date.now() - fromMs > 2_000);
    assert.equal(await asOf(), stands);
    await kafka().produce(scene.topic, records.slice(40));
    await until('the lag is told of what is not even fetched', async () => (await lagOf()) >= 20);
    assert.equal(await asOf(), stands);
    assert.equal(await readOf(), 20);
    await kafka().admin.createTopics({ topics: [{ topic: letters, numPartitions: 1 }], waitForLeaders: false });
    await topicReady(kafka().admin, letters);
    await until('all is read', async () => (await readOf()) === 61 && (await lagOf()) === 0);
    await until('an idle input moves T', async () => (await asOf()) > stands);
    assert.match(await service.text('/metrics'), /^assay_rebalances_total 1$/m);
    assert.equal(await service.stop(), 0, service.log());
  });
});
