import { createRequire } from 'node:module';
import type { ConnectionOptions } from 'node:tls';
import { Kafka, type LogEntry, logLevel, Partitioners, type Producer } from 'kafkajs';
import type { Log } from '../../ports.ts';
import { type KafkaLogin, saslOptions } from './kafka-login.ts';
import { patchKafkaJs } from './kafka-patches.ts';

/** Addresses and login of a Kafka. */
export interface KafkaSettings {
  /** `host:port` of some brokers; the others are found through them. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  readonly ssl?: boolean | ConnectionOptions | undefined;
  readonly sasl?: KafkaLogin | undefined;
  /** Time without an answer from which a broker counts as silent, in ms. */
  readonly silentMs?: number | undefined;
  readonly log: Log;
  /** The outages of Kafka at present are kept here, as the log has them. */
  readonly outages?: Set<string> | undefined;
}

/** The version that `kafka-patches.ts` was written against. */
const kafkaJsVersion = '2.2.4';

/**
 * The only maker of kafkajs clients: checks the version of the library, adds the fixes that it lacks and sends its log lines to `log`.
 *
 * @param retries how often kafkajs retries by itself, with backoff to 2 s, before it reports a failure
 */
export function kafkaClient(settings: KafkaSettings, retries: number): Kafka {
  assertVersion();
  patchKafkaJs();
  const { ssl, sasl } = settings;
  return new Kafka({
    clientId: settings.clientId,
    brokers: [...settings.brokers],
    ...(ssl === undefined ? {} : { ssl }),
    ...(sasl === undefined ? {} : { sasl: saslOptions(sasl) }),
    connectionTimeout: 3000,
    authenticationTimeout: 10_000,
    requestTimeout: 30_000,
    // Never restarted by kafkajs: a consumer that failed is replaced, see kafka-source.ts.
    retry: { initialRetryTime: 100, maxRetryTime: 2000, retries, restartOnFailure: async () => false },
    logLevel: logLevel.INFO,
    logCreator: () => (entry) => passOn(settings.log, entry),
  });
}

/** A connected producer. */
export async function connectProducer(settings: KafkaSettings): Promise<Producer> {
  const createPartitioner = Partitioners.DefaultPartitioner;
  const producer = kafkaClient(settings, 2).producer({ createPartitioner, allowAutoTopicCreation: false });
  await producer.connect();
  return producer;
}

function assertVersion(): void {
  const found = (createRequire(import.meta.url)('kafkajs/package.json') as { version: string }).version;
  if (found === kafkaJsVersion) return;
  throw new Error(`kafkajs ${found} is installed, but the fixes for it are for ${kafkaJsVersion}: run npm install`);
}

/**
 * Lines that kafkajs logs as errors or warnings although they belong to an ordinary start or rebalance, or that the adapters
 * report themselves, once, in their own words.
 */
const ordinary: RegExp = new RegExp(
  [
    'rebalanc',
    'coordinator',
    'leader',
    'does not host this topic-partition',
    'has been updated, resync',
    'not aware of all assigned partitions',
    'authoriz',
    'see kafka\\.sasl',
    'SASL',
    'invalid_token',
    '^Response Fetch',
    'connection',
    'connect to',
    'connecting',
    'disconnected',
    'lock',
    'timed out',
    '^Crash',
    'Error when calling eachBatch',
    'out of range',
    'Failed to send messages',
    'max message size|message batch larger',
  ].join('|'),
  'i',
);

function passOn(
  log: Log,
  { level, namespace, log: { message, timestamp: _, logger: __, stack: ___, ...fields } }: LogEntry,
): void {
  const text = `kafkajs: ${message}`;
  const about = { ...fields, part: namespace };
  const quiet = level > logLevel.WARN || ordinary.test(message) || ordinary.test(String(fields['error'] ?? ''));
  if (quiet) log.debug(about, text);
  else log.warn(about, text);
}
