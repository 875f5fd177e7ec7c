import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import kafkajs, { type Admin, Kafka, logLevel, Partitioners, type Producer } from 'kafkajs';
import type { KafkaSourceOptions } from '../../src/adapters/kafka/kafka-source.ts';
import type { Log } from '../../src/ports.ts';
import { registerCodecs } from './codecs.ts';
import { suite } from './suite.ts';
import { until } from './until.ts';

/** A broker for tests: topics and groups of their own, so that test files can share one. */
export interface TestKafka {
  readonly brokers: readonly string[];
  readonly admin: Admin;
  /** A kafkajs client without our fixes, which logs nothing. */
  client(): Kafka;
  /** Creates a topic and waits until it can be written to. */
  freshTopic(partitions?: number, settings?: Readonly<Record<string, string>>): Promise<string>;
  freshGroup(): string;
  produce(
    topic: string,
    records: readonly TestRecord[],
    compression?: 'gzip' | 'snappy' | 'lz4' | 'zstd',
  ): Promise<void>;
}

export interface TestRecord {
  readonly value: Buffer | string | null;
  readonly key?: Buffer | string | null;
  readonly partition?: number;
  readonly timestamp?: number;
}

/** A broker that a test starts for itself, to kill it. */
export interface OwnKafka {
  readonly address: string;
  /** Folder with a folder for each broker, whose logs lie in `log`. */
  readonly data: string;
  /** With the option `secure`: where it asks for TLS and a password. */
  readonly secure?: {
    readonly address: string;
    readonly ca: string;
    readonly username: string;
    readonly password: string;
  };
  kill(broker?: number): Promise<void>;
  /** It keeps its connections and answers nothing. */
  freeze(broker?: number): void;
  thaw(broker?: number): void;
  restart(broker?: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A suite of tests with a real broker: that of ASSAY_TEST_KAFKA or KAFKA_BROKERS (host:port), otherwise one that is started for it.
 */
export function withKafka(name: string, body: (kafka: () => TestKafka) => void, limitMs?: number): void {
  const tests = (): void => {
    let kafka: TestKafka | undefined;
    let stop: () => Promise<void> = async () => undefined;
    before(async () => {
      const running = sharedAddress();
      const own = running === undefined ? await startKafka() : undefined;
      kafka = await testKafka((running ?? own!.address).split(','));
      stop = async () => {
        await kafka?.admin.disconnect();
        await own?.stop();
      };
    });
    after(() => stop());
    body(() => kafka!);
  };
  suite(name, whyNoKafka(), tests, limitMs);
}

/** Starts brokers with scripts/lib/kafka-broker.mjs. */
export async function startKafka(
  options: { readonly brokers?: 1 | 3; readonly port?: number; readonly secure?: boolean } = {},
): Promise<OwnKafka> {
  const script = pathToFileURL(resolve('scripts', 'lib', 'kafka-broker.mjs')).href;
  const { startKafka: start } = (await import(script)) as { startKafka(options: object): Promise<OwnKafka> };
  return await start(options);
}

/** Helpers around running brokers. */
export async function testKafka(brokers: readonly string[]): Promise<TestKafka> {
  registerCodecs();
  const client = (): Kafka => new Kafka({ brokers: [...brokers], clientId: 'assay-test', logLevel: logLevel.NOTHING });
  const admin = client().admin();
  await admin.connect();
  const run = `${process.pid}-${Date.now().toString(36)}`;
  let count = 0;
  return {
    brokers,
    admin,
    client,
    freshGroup: () => `group-${run}-${count++}`,
    async freshTopic(partitions = 1, settings = {}) {
      const topic = `topic-${run}-${count++}`;
      const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
      await admin.createTopics({
        topics: [{ topic, numPartitions: partitions, configEntries }],
        waitForLeaders: false,
      });
      await topicReady(admin, topic);
      return topic;
    },
    async produce(topic, records, compression) {
      // One that is not idempotent writes a request twice where the answer is late.
      const producer = testProducer(client(), { idempotent: true });
      await producer.connect();
      const type = codecs[compression ?? 'none'];
      for (let from = 0; from < records.length; from += 2000) {
        const messages = records.slice(from, from + 2000).map(({ timestamp, ...record }) => ({
          ...record,
          ...(timestamp === undefined ? {} : { timestamp: String(timestamp) }),
        }));
        await producer.send({ topic, messages, compression: type });
      }
      await producer.disconnect();
    },
  };
}

/**
 * Waits until every partition is served, and there are so many. Before that, kafkajs's producer may write some records twice: it sends a request again as a
 * whole when one of its partitions is refused.
 */
export async function topicReady(admin: Admin, topic: string, count = 1): Promise<void> {
  const served = (): Promise<boolean> =>
    admin.fetchTopicOffsets(topic).then(
      (partitions) => partitions.length >= count,
      () => false,
    );
  await until(`topic ${topic} is served`, served);
}

/** A producer that is quiet about partitioners. */
export function testProducer(
  client: Kafka,
  settings: { readonly transactionalId?: string; readonly idempotent?: true } = {},
): Producer {
  const { transactionalId, idempotent } = settings;
  return client.producer({
    createPartitioner: Partitioners.DefaultPartitioner,
    allowAutoTopicCreation: false,
    ...(transactionalId === undefined ? {} : { transactionalId }),
    ...(transactionalId === undefined && idempotent === undefined ? {} : { maxInFlightRequests: 1, idempotent: true }),
  });
}

/** Settings of a source in a group of its own. */
export function sourceOptions(
  on: TestKafka,
  topics: readonly string[],
  more: Partial<KafkaSourceOptions> = {},
): KafkaSourceOptions {
  const identity = { brokers: on.brokers, clientId: 'test', groupId: more.groupId ?? on.freshGroup(), topics };
  return {
    ...identity,
    sessionTimeoutMs: 6000,
    batchBytes: 1 << 26,
    log: testLog(),
    signal: new AbortController().signal,
    ...more,
  };
}

/** Records that differ. */
export function numbered(count: number, partition = 0): (TestRecord & { value: string })[] {
  return Array.from({ length: count }, (_, index) => ({
    value: `record ${index} ${'of some length '.repeat(4)}`,
    partition,
  }));
}

/** A log that keeps its lines. */
export function testLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const at = (level: string) => (_fields: object, message: string) => {
    if (process.env['ASSAY_TEST_LOG']) console.error(level, message, JSON.stringify(_fields).slice(0, 500));
    if (level !== 'debug') lines.push(`${level}: ${message}`);
  };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const codecs = {
  none: kafkajs.CompressionTypes.None,
  gzip: kafkajs.CompressionTypes.GZIP,
  snappy: kafkajs.CompressionTypes.Snappy,
  lz4: kafkajs.CompressionTypes.LZ4,
  zstd: kafkajs.CompressionTypes.ZSTD,
} as const;

function sharedAddress(): string | undefined {
  return process.env['ASSAY_TEST_KAFKA'] || process.env['KAFKA_BROKERS'] || undefined;
}

/** Why no broker can be had here, undefined where one can. `toStart`: one of the test's own, not one that runs. */
export function whyNoKafka({ toStart = false }: { readonly toStart?: boolean } = {}): string | undefined {
  if (!toStart && sharedAddress() !== undefined) return undefined;
  const runs = (command: string, argument: string): boolean => spawnSync(command, [argument]).status === 0;
  const remedy = 'install it, or set KAFKA_BROKERS=host:port';
  if (!runs('java', '-version')) return `no Kafka to test with: Java is not installed (${remedy})`;
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'assay');
  if (existsSync(cache) || runs('mvn', '-v')) return undefined;
  return `no Kafka to test with: Maven, which fetches it, is not installed (${remedy})`;
}

/** Creates a topic that was deleted, as often as it takes: its deletion is not done at once. */
export async function recreated({ admin }: TestKafka, topic: string): Promise<void> {
  const create = (): Promise<boolean> =>
    admin
      .createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: false })
      .then(() => true)
      .catch(() => false);
  await until(`topic ${topic} is there again`, create);
  await topicReady(admin, topic);
}
