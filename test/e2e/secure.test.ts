import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { kafkaSource } from '../../src/adapters/kafka/kafka-source.ts';
import {
  type OwnKafka,
  startKafka,
  type TestKafka,
  testKafka,
  testLog,
  sourceOptions,
  whyNoKafka,
} from '../support/kafka.ts';
import { runProgram } from '../support/program.ts';
import { recordingConsumer, valuesOf } from '../support/recording-consumer.ts';
import { serviceConfig } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testTraffic } from '../support/e2e-traffic.ts';
import { until } from '../support/until.ts';

// A broker of its own, with a listener that speaks TLS and asks for passwords: it ignores ASSAY_TEST_KAFKA.
const missing = whyNoKafka({ toStart: true });
if (missing !== undefined && process.env['CI'] !== 'true') console.warn(`SKIPPED: TLS and passwords: ${missing}`);

test('TLS and passwords', { skip: process.env['CI'] === 'true' ? false : (missing ?? false) }, async (suite) => {
  const own = await startKafka({ secure: true });
  try {
    const kafka = await testKafka(own.address.split(','));
    for (const mechanism of ['plain', 'scram-sha-256', 'scram-sha-512'] as const)
      await suite.test(`records are read with ${mechanism}`, () => reads(own, kafka, mechanism));
    await suite.test('a wrong password ends the program, which says so', (context) =>
      refused(own, kafka, temporaryFolder(context)),
    );
    await suite.test('a certificate that is not trusted is told, and waited out', () => untrusted(own, kafka));
    await kafka.admin.disconnect();
  } finally {
    await own.stop();
  }
});

async function reads(
  own: OwnKafka,
  kafka: TestKafka,
  mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512',
): Promise<void> {
  const { address, ca, username, password } = own.secure!;
  const topic = await kafka.freshTopic();
  await kafka.produce(topic, [{ value: 'one' }, { value: 'two' }]);
  const consumer = recordingConsumer();
  const sasl = { mechanism, username, password };
  const options = sourceOptions(kafka, [topic], { untilEnd: true });
  await kafkaSource({ ...options, brokers: [address], ssl: { ca }, sasl }).run(consumer);
  assert.deepEqual(valuesOf(consumer, `${topic}/0`), ['one', 'two']);
}

async function refused(own: OwnKafka, kafka: TestKafka, folder: string): Promise<void> {
  const { address, ca, username } = own.secure!;
  const config = serviceConfig({
    brokers: [address],
    topics: [await kafka.freshTopic()],
    group: kafka.freshGroup(),
    truth: [testTraffic(folder, 1).truth],
    folder,
    more: {
      kafka: { ssl: { ca }, sasl: { mechanism: 'scram-sha-512', username, password: 'another' } },
      state: { dir: join(folder, 'state') },
    },
  });
  const { status, stderr } = await runProgram(['run', '-c', config]);
  assert.equal(status, 1, stderr);
  assert.match(stderr, /uthentication failed/);
  assert.ok(!stderr.includes('another'), 'the password is not shown');
}

async function untrusted(own: OwnKafka, kafka: TestKafka): Promise<void> {
  const { address, username, password } = own.secure!;
  const log = testLog();
  const options = sourceOptions(kafka, [await kafka.freshTopic()], { log });
  const source = kafkaSource({
    ...options,
    brokers: [address],
    ssl: true,
    sasl: { mechanism: 'plain', username, password },
  });
  const running = source.run(recordingConsumer());
  await until('it says why', () => log.lines.some((line) => /certificate/.test(line)));
  await source.stop();
  await running;
}
