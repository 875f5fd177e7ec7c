import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { kafkaDeadLetters } from '../../../src/adapters/kafka/kafka-dead-letters.ts';
import { kafkaSource } from '../../../src/adapters/kafka/kafka-source.ts';
import type { DeadLetter, Log, Source } from '../../../src/ports.ts';
import {
  type OwnKafka,
  startKafka,
  type TestKafka,
  testKafka,
  testLog,
  sourceOptions,
  whyNoKafka,
} from '../../support/kafka.ts';
import { recordingConsumer, valuesOf } from '../../support/recording-consumer.ts';
import { patience, until } from '../../support/until.ts';

// A broker of its own, to be killed: it ignores ASSAY_TEST_KAFKA.
const missing = whyNoKafka({ toStart: true });
if (missing !== undefined && process.env['CI'] !== 'true') console.warn(`SKIPPED: kafka outages: ${missing}`);

test('Kafka outages', { skip: process.env['CI'] === 'true' ? false : (missing ?? false) }, async (suite) => {
  const own = await startKafka();
  try {
    const kafka = await testKafka(own.address.split(','));
    const topic = await kafka.freshTopic(2);
    await kafka.admin.disconnect();
    await suite.test('absent at the start: says so once, waits, and begins when it comes', () =>
      absentAtStart(own, kafka, topic),
    );
    await suite.test('killed while reading: goes on where it was', () => killedWhileReading(own, kafka, topic));
    await suite.test('killed while writing dead letters: all are written', () => killedWhileWriting(own, kafka));
    await suite.test('a topic that does not exist yet', () => missingTopic(kafka));
    await suite.test('a batch that cannot be read: its partition pauses, the others go on; it is tried again', () =>
      unreadableBatch(own),
    );
    await own.kill();
    await suite.test('stops at once while nothing answers', () => stopsWithoutKafka(kafka));
  } finally {
    await own.stop();
  }
});

/** The warning of a use whose broker refuses connections, or closes them. */
const away = (doing: string): RegExp =>
  new RegExp(
    `^warn: Kafka at [\\d.:]+ cannot be reached(: connections are closed; if it stays so, its listener wants a login \\(see kafka\\.sasl\\))?: ${doing} waits and retries$`,
  );

async function absentAtStart(own: OwnKafka, kafka: TestKafka, topic: string): Promise<void> {
  await own.kill();
  const log = testLog();
  const consumer = recordingConsumer();
  const source = open(kafka, topic, log);
  const cluster = source.cluster();
  const running = source.run(consumer);
  await until('it says that Kafka is away', () => log.lines.length > 0);
  assert.equal(source.joined(), false);
  await own.restart();
  await until('it has joined', () => source.joined() && consumer.next.size === 2);
  assert.equal((await cluster).partitions.get(topic), 2);
  await source.stop();
  await running;
  const warnings = log.lines.filter((line) => line.startsWith('warn'));
  assert.match(warnings[0]!, away('reading'));
  assert.ok(warnings[0]!.includes(own.address));
  // A broker that comes up slowly may be reached before its coordinator is.
  assert.deepEqual(warnings, [...new Set(warnings)]);
  assert.equal(log.lines.filter((line) => line.includes('answers again')).length, 1);
}

async function killedWhileReading(own: OwnKafka, kafka: TestKafka, topic: string): Promise<void> {
  const log = testLog();
  const saved = new Map<string, number>();
  const consumer = recordingConsumer({
    start: ({ partition }) => saved.get(`${topic}/${partition}`) ?? 0,
    // Durable at each batch, as a checkpoint would be.
    onRecords: () =>
      queueMicrotask(() => {
        for (const [name, next] of consumer.next) saved.set(name, next);
      }) as undefined,
  });
  const source = open(kafka, topic, log);
  const running = source.run(consumer);
  const values = (from: number) =>
    Array.from({ length: 1000 }, (_, index) => ({ value: `${from + index}`, partition: index % 2 }));
  await kafka.produce(topic, values(0));
  await until('the first are read', () => consumer.count() === 1000);
  await own.kill();
  await until('it has noticed', () => !source.joined());
  await own.restart();
  await kafka.produce(topic, values(1000));
  await until('the others are read', () => consumer.count() === 2000);
  await until(
    'it commits again',
    async () => (await source.commit([{ topic, partition: 0, nextOffset: 1000 }])).length === 1,
  );
  await source.stop();
  await running;
  const seen = [...consumer.seen.values()].flat().map(({ value }) => Number(value));
  assert.deepEqual(
    seen.sort((a, b) => a - b),
    Array.from({ length: 2000 }, (_, index) => index),
  );
  assert.deepEqual(
    consumer.events.filter((event) => event.startsWith('revoked')),
    [],
    'its state stays while Kafka is away',
  );
  assert.deepEqual(
    log.lines.filter((line) => /error|stack/i.test(line)),
    [],
  );
}

async function killedWhileWriting(own: OwnKafka, kafka: TestKafka): Promise<void> {
  const topic = await kafka.freshTopic();
  const log = testLog();
  const options = { brokers: kafka.brokers, clientId: 'test', topic, log, signal: new AbortController().signal };
  const letters = kafkaDeadLetters(options);
  const letter = (offset: number, value = Buffer.from('{}')): DeadLetter => ({
    ...{ reason: 'schema', detail: 'no label', key: Buffer.from(String(offset)), value },
    source: { topic: 'predictions', partition: 0, offset },
  });
  // More than one request takes, and between them one that is too large: its request is split after the outage.
  const many = Array.from({ length: 1_200 }, (_, at) =>
    letter(at + 1, at === 600 ? Buffer.alloc(2_000_000) : undefined),
  );
  const outages = new Set<boolean>();
  const onOutage = (outage: boolean): void => void outages.add(outage);
  await letters.write([letter(0)], onOutage);
  assert.equal(outages.size, 0);
  await own.kill();
  const writing = letters.write(many, onOutage);
  await until('it says that Kafka is away', () => log.lines.length > 0);
  await own.restart();
  await writing;
  assert.deepEqual([...outages], [true, false]);
  await letters.close();
  const consumer = recordingConsumer();
  await kafkaSource(sourceOptions(kafka, [topic], { untilEnd: true })).run(consumer);
  const written = new Map([...consumer.seen.values()].flat().map(({ key, value }) => [Number(key), value!.length]));
  assert.deepEqual(
    [...written].sort(([a], [b]) => a - b),
    [letter(0), ...many].map(({ value }, at) => [at, at === 601 ? 65_536 : value!.length]),
  );
  assert.match(log.lines[0]!, away('writing dead letters'));
  const aborting = new AbortController();
  const given = kafkaDeadLetters({ ...options, brokers: ['127.0.0.1:1'], signal: aborting.signal });
  const rejected = assert.rejects(given.write([letter(3)], onOutage), { name: 'AbortError' });
  aborting.abort();
  await rejected;
}

async function missingTopic(kafka: TestKafka): Promise<void> {
  await kafka.admin.connect();
  const topic = `${await kafka.freshTopic()}-later`;
  const log = testLog();
  const consumer = recordingConsumer();
  const source = open(kafka, topic, log);
  const running = source.run(consumer);
  await until('it names the remedy', () =>
    log.lines.some((line) => line.includes('does not have the topic (create it')),
  );
  await kafka.admin.createTopics({ topics: [{ topic }], waitForLeaders: false });
  await until('it reads the topic', () => consumer.next.size === 1);
  await source.stop();
  await running;
  await kafka.admin.disconnect();
}

async function unreadableBatch(own: OwnKafka): Promise<void> {
  const kafka = await testKafka(own.address.split(','));
  const topic = await kafka.freshTopic(2);
  const send = (partition: number, value: string): Promise<void> => kafka.produce(topic, [{ value, partition }]);
  await send(0, 'bad');
  await send(1, 'good');
  const segment = join(own.data, 'broker-1', 'log', `${topic}-0`, '00000000000000000000.log');
  const at = readFileSync(segment).indexOf('bad');
  overwrite(segment, at, 'B');
  const consumer = recordingConsumer();
  const source = open(kafka, topic, testLog());
  const running = source.run(consumer);
  const problem = `unreadable ${topic}/0: Kafka sends what cannot be read, the batch at offset 0: its bytes do not match their CRC-32C`;
  await until('it is told', () => consumer.events.includes(problem));
  await send(1, 'more');
  await until('the other partition goes on', () => consumer.next.get(`${topic}/1`) === 2);
  overwrite(segment, at, 'b');
  await until('it is read after all', () => consumer.next.get(`${topic}/0`) === 1);
  assert.deepEqual(valuesOf(consumer, `${topic}/0`), ['bad']);
  await source.stop();
  await running;
  await kafka.admin.disconnect();
}

function overwrite(path: string, at: number, text: string): void {
  const file = openSync(path, 'r+');
  writeSync(file, text, at);
  closeSync(file);
}

async function stopsWithoutKafka(kafka: TestKafka): Promise<void> {
  const log = testLog();
  const consumer = recordingConsumer();
  const source = open(kafka, 'any', log);
  const running = source.run(consumer);
  const asked = assert.rejects(source.bounds({ topic: 'any', partition: 0 }), { name: 'AbortError' });
  await until('it says that Kafka is away', () => log.lines.length > 0);
  const begun = Date.now();
  await source.stop();
  await running;
  await asked;
  assert.ok(Date.now() - begun < patience * 8000, `${Date.now() - begun} ms`);
  assert.deepEqual(consumer.events, ['beforeStop']);
}

function open(kafka: TestKafka, topic: string, log: Log): Source {
  return kafkaSource(sourceOptions(kafka, [topic], { log }));
}
