import type { Message } from 'kafkajs';
import { type Intake, IntakeError, type IntakeRecord } from '../../ports.ts';
import { connectProducer, type KafkaSettings } from './kafka-client.ts';
import { isOutage, kafkaLink, rootCause } from './kafka-outage.ts';
import { inRequests } from './kafka-requests.ts';
import { reconnecting } from './reconnecting.ts';

export interface KafkaIntakeOptions extends KafkaSettings {
  /** Topic of events, and those of truth and feedback where there are any. */
  readonly topics: {
    readonly events: string;
    readonly truth: string | undefined;
    readonly feedback: string | undefined;
  };
  readonly signal: AbortSignal;
}

/** An intake that closes its connection. */
export interface KafkaIntake extends Intake {
  close(): Promise<void>;
}

/**
 * Produces records into topics. Resolved means written by all in-sync replicas. An outage is not waited out: the sender is asked to come
 * again, and may then send records twice that were written before.
 */
export function kafkaIntake(options: KafkaIntakeOptions): KafkaIntake {
  const { topics, signal, silentMs } = options;
  const link = kafkaLink(options, {
    doing: 'writing what is sent over HTTP',
    rights: `Write on the topics ${Object.values(topics).filter(Boolean).join(', ')}`,
  });
  const producer = reconnecting(() => connectProducer(options), { link, signal, silentMs, isOutage: () => false });
  return {
    async append(kind, records) {
      const topic = topics[kind];
      if (topic === undefined) throw new Error(`no topic for ${kind}`);
      try {
        for (const messages of inRequests(records.map(message)))
          await producer.use((client) => client.send({ topic, acks: -1, messages: [...messages] }));
      } catch (error) {
        if (!isOutage(error)) throw error;
        link.down(error);
        throw new IntakeError({
          status: 503,
          reason: `Kafka does not take it (${rootCause(error).message}); send it again`,
          retryAfter,
        });
      }
    },
    refusal: () => undefined,
    close: producer.renew,
  };
}

/** Seconds: a broker that ends is replaced in some. */
const retryAfter = 5;

function message({ key, value, partition }: IntakeRecord): Message {
  const content = value === null ? null : buffer(value);
  if (key === undefined && partition === 0) return { key: null, value: content, partition };
  // In a topic an id that stands for the example is the key: nothing else chooses a partition for all producers.
  const id = key ?? (partition === 0 ? undefined : partition);
  return { key: id === undefined ? null : buffer(id), value: content };
}

function buffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
