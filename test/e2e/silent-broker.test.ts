import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startKafka, testKafka, whyNoKafka } from '../support/kafka.ts';
import { sceneOf } from '../support/scene.ts';
import { startService } from '../support/service.ts';
import { patience, until } from '../support/until.ts';

// A broker of its own, to be frozen: it ignores ASSAY_TEST_KAFKA.
const missing = whyNoKafka({ toStart: true });
if (missing !== undefined && process.env['CI'] !== 'true') console.warn(`SKIPPED: a silent broker: ${missing}`);

test('a broker that is frozen is an outage, and no idle input', {
  skip: process.env['CI'] === 'true' ? false : (missing ?? false),
}, async (context) => {
  const own = await startKafka();
  context.after(() => own.stop());
  const kafka = await testKafka(own.address.split(','));
  const more = { kafka: { session_timeout: '3s' }, time: { idle_after: '1s' } };
  const { topic, traffic, config } = await sceneOf(context, kafka, 40, { more });
  await kafka.produce(topic, traffic.records.slice(0, 20));
  await kafka.admin.disconnect();
  const service = startService(config);
  const ready = async (): Promise<boolean> => (await fetch(`${await service.url()}/readyz`)).ok;
  const asOfMs = async (): Promise<number> => Date.parse((await service.summary()).as_of!);
  const readOf = async (): Promise<unknown> => (await service.summary()).records['read'];
  await until('it has read all', async () => (await readOf()) === 20 && (await ready()));
  const idleFrom = await asOfMs();
  await until('an idle input moves T', async () => (await asOfMs()) > idleFrom);
  const frozenMs = Date.now();
  own.freeze();
  try {
    await until('it is red', async () => !(await ready()), 10_000);
    const checks = await service.text('/readyz?verbose');
    assert.match(checks, /\[-\] outages: .*has not answered for 3 s \(kafka\.session_timeout/);
    // What is shown may be some seconds older than readiness.
    await until('it has been silent for some time', () => Date.now() - frozenMs > 6_000);
    const stands = await asOfMs();
    await until('it has been silent for longer', () => Date.now() - frozenMs > 10_000);
    assert.equal(await asOfMs(), stands, 'T stands while nobody says where the log ends');
    const answered = /^assay_kafka_last_response_timestamp_seconds (.*)$/m.exec(await service.text('/metrics'));
    assert.ok(Math.abs(1000 * Number(answered![1]) - frozenMs) < patience * 2_000, `${answered![1]}`);
    const lines = service.log().match(/Kafka at .* (has not answered|cannot be reached)/g);
    assert.equal(lines?.length, 1, service.log());
  } finally {
    own.thaw();
  }
  await until('it is green again', ready, 60_000);
  const after = await testKafka(own.address.split(','));
  await after.produce(topic, traffic.records.slice(20));
  await after.admin.disconnect();
  await until('it reads on', async () => (await readOf()) === 40);
  assert.equal(await service.stop(), 0, service.log());
});
