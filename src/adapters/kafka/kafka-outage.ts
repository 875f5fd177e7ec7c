import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaSettings } from './kafka-client.ts';
import { loginText } from './kafka-login.ts';
import { type KafkaError, type Meaning, meaningOf, silent, unreachable } from './kafka-texts.ts';

/** True if a Kafka is reachable, as last seen; logs each change once. */
export interface Link {
  isUp(): boolean;
  /** The outage, as the log names it; undefined where there is none. */
  problem(): string | undefined;
  /** A broker has answered. */
  up(): void;
  down(error: unknown): void;
  /** The error; where its cause is known, with a message that names it and the remedy. */
  explained(error: unknown): unknown;
}

/** An operation on Kafka, as the log names it, and the rights (ACLs) that it needs. */
export interface KafkaUse {
  /** "reading", "writing dead letters" */
  readonly doing: string;
  /** "Read on the topics predictions and on the group assay" */
  readonly rights: string;
}

/** The part of the settings of a client that its link needs. */
export interface LinkSettings extends Pick<KafkaSettings, 'log' | 'brokers' | 'sasl'> {
  /** The texts of the outages at present. */
  readonly outages?: Set<string> | undefined;
}

/** The way to a Kafka for one use of it. */
export function kafkaLink(settings: LinkSettings, { doing, rights }: KafkaUse): Link {
  const { log, brokers, sasl, outages } = settings;
  const where = brokers.join(', ');
  const textOf = (problem: string): string => `Kafka at ${where} ${problem}: ${doing} waits and retries`;
  const meaning = (error: unknown): Meaning => meaningOf(causes(error), { rights, login: sasl && loginText(sasl) });
  let problem: string | undefined;
  let up = false;
  return {
    isUp: () => up,
    problem: () => (problem === undefined ? undefined : `Kafka at ${where} ${problem}`),
    up() {
      if (!up && problem !== undefined)
        log.info({ brokers: where }, `Kafka at ${where} answers again: ${doing} goes on`);
      up = true;
      if (problem !== undefined) outages?.delete(textOf(problem));
      problem = undefined;
    },
    down(error) {
      const now = meaning(error).text;
      // Requests that were silent end one after the other, and so do connections: that is no news.
      if (now.startsWith(unreachable) && (problem?.startsWith(silent) || problem?.startsWith(unreachable))) return;
      up = false;
      if (now === problem) return;
      log.warn({ brokers: where, error: rootCause(error).message }, textOf(now));
      if (problem !== undefined) outages?.delete(textOf(problem));
      outages?.add(textOf(now));
      problem = now;
    },
    explained(error) {
      const { fate, known, text } = meaning(error);
      return known && fate === 'fatal' ? new Error(`Kafka at ${where} ${text}`, { cause: error }) : error;
    },
  };
}

/** Returns whether an error is an outage, which is retried; other errors are of the configuration or of the code. */
export function isOutage(error: unknown): boolean {
  return meaningOf(causes(error), { rights: '', login: undefined }).fate === 'outage';
}

/** Brokers keep their connections and answer nothing. */
export class SilentError extends Error {
  override readonly name = 'SilentError';

  constructor(limitMs: number) {
    super(`${silent} for ${limitMs / 1000} s (kafka.session_timeout; see the broker and the network)`);
  }
}

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
