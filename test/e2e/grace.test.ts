import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { withKafka } from '../support/kafka.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { sceneOf } from '../support/scene.ts';

withKafka('a stop that hangs', (kafka) => {
  test('is given up after grace, with status 1', async (context) => {
    const more = { state: { checkpoint_every: '1h' }, grace: '700ms' };
    const { config, state, topic, traffic } = await sceneOf(context, kafka(), 200, { more });
    await kafka().produce(topic, traffic.records);
    const service = startService(config);
    await until('all is read', async () => (await service.consumed()) === traffic.records.length);
    // The checkpoint of the end can never be written.
    rmSync(state, { recursive: true, force: true });
    writeFileSync(state, '');
    assert.equal(await service.stop(), 1, service.log());
    assert.match(service.log(), /not stopped within the grace period/);
  });
});
