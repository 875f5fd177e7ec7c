import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testTraffic } from '../support/e2e-traffic.ts';
import { withKafka } from '../support/kafka.ts';
import { serviceConfig, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

withKafka('a stop that hangs', (kafka) => {
  test('is given up after grace, with status 1', async (context) => {
    const folder = temporaryFolder(context);
    const { records, truth } = testTraffic(folder, 200);
    const [topic, group] = [await kafka().freshTopic(), kafka().freshGroup()];
    await kafka().produce(topic, records);
    const dir = join(folder, 'state');
    const more = { state: { dir, checkpoint_every: '1h' }, grace: '700ms' };
    const { brokers } = kafka();
    const service = startService(serviceConfig({ brokers, topics: [topic], group, truth: [truth], folder, more }));
    const summary = `${await service.url()}/api/v1/summary`;
    await until('all is read', async () => {
      const { records: counts } = (await (await fetch(summary)).json()) as { records: { read: number } };
      return counts.read === records.length;
    });
    // The checkpoint of the end can never be written.
    rmSync(dir, { recursive: true, force: true });
    writeFileSync(dir, '');
    assert.equal(await service.stop(), 1, service.log());
    assert.match(service.log(), /not stopped within the grace period/);
  });
});
