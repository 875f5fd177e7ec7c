import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../ports.ts';

/** True if a Kafka is reachable, as last seen; logs each change once. */
export interface Link {
  isUp(): boolean;
  /** The outage, as the log names it; undefined where there is none. */
  problem(): string | undefined;
  /** A broker has answered. */
  up(): void;
  down(error: unknown): void;
  /** The error; where rights are missing, with a message that names them. */
  explained(error: unknown): unknown;
}

/** An operation on Kafka, as the log names it, and the rights (ACLs) that it needs. */
export interface KafkaUse {
  /** "reading", "writing dead letters" */
  readonly doing: string;
  /** "Read on the topics predictions and on the group assay" */
  readonly rights: string;
}

/** The way to a Kafka for one use of it. */
export function kafkaLink(log: Log, brokers: readonly string[], { doing, rights }: KafkaUse): Link {
  const where = brokers.join(', ');
  let problem: string | undefined;
  let up = false;
  return {
    isUp: () => up,
    problem: () => (problem === undefined ? undefined : `Kafka at ${where} ${problem}`),
    up() {
      if (!up && problem !== undefined)
        log.info({ brokers: where }, `Kafka at ${where} answers again: ${doing} goes on`);
      up = true;
      problem = undefined;
    },
    down(error) {
      const now = outageText(error, rights);
      // Requests that were silent end one after the other: that is no news.
      if (now === unreachable && problem?.startsWith(silent)) return;
      if (now !== problem)
        log.warn(
          { brokers: where, error: rootCause(error).message },
          `Kafka at ${where} ${now}: ${doing} waits and retries`,
        );
      up = false;
      problem = now;
    },
    explained(error) {
      if (!causes(error).some(isRefusal)) return error;
      return new Error(`Kafka at ${where} ${outageText(error, rights)}`, { cause: error });
    },
  };
}

/** Returns whether an error is an outage, which is retried; other errors are of the configuration or of the code. */
export function isOutage(error: unknown): boolean {
  const chain = causes(error);
  if (chain.some(({ name }) => name === 'KafkaJSSASLAuthenticationError')) return false;
  if (chain.some(({ name, type }) => outageNames.has(name) || outageTypes.has(type ?? ''))) return true;
  return chain[chain.length - 1]!.retriable === true;
}

/** Brokers keep their connections and answer nothing. */
export class SilentError extends Error {
  override readonly name = 'SilentError';

  constructor(limitMs: number) {
    super(`${silent} for ${limitMs / 1000} s (kafka.session_timeout; see the broker and the network)`);
  }
}

const silent = 'has not answered';
const unreachable = 'cannot be reached';

/** Returns whether the group is changing or has changed: this member has to join again. */
export function isRebalance(error: unknown): boolean {
  return rebalanceTypes.has((error as KafkaError | undefined)?.type ?? '');
}

/** Waits 100 ms, 200 ms ... 5 s. Rejects when `signal` aborts. */
export async function backOff(attempt: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(5000, 100 * 2 ** Math.min(attempt, 10)), undefined, { signal });
}

/** The error below all wrappers. */
export function rootCause(error: unknown): Error {
  const chain = causes(error);
  return chain[chain.length - 1]!;
}

interface KafkaError extends Error {
  readonly type?: string;
  readonly retriable?: boolean;
}

const outageNames: ReadonlySet<string> = new Set([
  'KafkaJSNumberOfRetriesExceeded',
  'KafkaJSConnectionError',
  'KafkaJSConnectionClosedError',
  'KafkaJSRequestTimeoutError',
  'KafkaJSGroupCoordinatorNotFound',
  'KafkaJSBrokerNotFound',
  'KafkaJSNoBrokerAvailableError',
  'KafkaJSTimeout',
  'KafkaJSLockTimeout',
  'KafkaJSMetadataNotLoaded',
  'KafkaJSTopicMetadataNotLoaded',
  'TokenError',
]);

const missingTopic = 'UNKNOWN_TOPIC_OR_PARTITION';
const outageTypes: ReadonlySet<string> = new Set([missingTopic, 'LEADER_NOT_AVAILABLE', 'NOT_LEADER_FOR_PARTITION']);

const rebalanceTypes: ReadonlySet<string> = new Set([
  'REBALANCE_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
]);

function causes(error: unknown): KafkaError[] {
  const chain: KafkaError[] = [];
  let next: unknown = error;
  while (next instanceof Error && !chain.includes(next)) {
    chain.push(next);
    next = next.cause;
  }
  return chain.length > 0 ? chain : [new Error(String(error))];
}

function isRefusal({ type }: KafkaError): boolean {
  return type?.endsWith('_AUTHORIZATION_FAILED') === true;
}

function outageText(error: unknown, rights: string): string {
  const chain = causes(error);
  const { message } = rootCause(error);
  if (chain.some(isRefusal)) return `refuses us (${message}); give us the rights: ${rights}`;
  // The library does not say why: without a right on the group it finds none either.
  if (chain.some(({ name }) => name === 'KafkaJSGroupCoordinatorNotFound'))
    return `has no coordinator for us; if it stays so, give us the rights: ${rights}`;
  if (chain.some(({ name }) => name === 'TokenError'))
    return `cannot be asked: ${chain.find(({ name }) => name === 'TokenError')!.message}`;
  if (chain.some(({ type }) => type === missingTopic))
    return 'does not have the topic (create it, or correct its name)';
  if (/certificate|altname/i.test(message))
    return `shows a certificate that is not trusted (${message}; see kafka.ssl.ca and kafka.ssl.server_name)`;
  if (/wrong version number|packet length too long/i.test(message)) return 'does not speak TLS (see kafka.ssl)';
  if (chain.some(({ name }) => name === 'SilentError')) return message;
  if (chain.some(({ name }) => /Connection|NoBroker|BrokerNotFound|Timeout/.test(name))) return unreachable;
  return `has trouble (${message})`;
}
