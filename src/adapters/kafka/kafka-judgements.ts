import { connectProducer, type KafkaSettings } from './kafka-client.ts';
import { isOutage, kafkaLink } from './kafka-outage.ts';
import { reconnecting } from './reconnecting.ts';

export interface KafkaJudgementOptions extends KafkaSettings {
  readonly topic: string;
  /** Ends the retries of an outage. */
  readonly signal: AbortSignal;
}

/** Where judgements go. */
export interface Judgements {
  /** Written by all in-sync replicas when resolved; may be there twice after an outage, under one id. */
  write(partition: number, key: string, values: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Writes judgements to a topic, into the partition of the prediction that they are of. */
export function kafkaJudgements(options: KafkaJudgementOptions): Judgements {
  const { topic, signal, silentMs } = options;
  const link = kafkaLink(options, { doing: 'writing judgements', rights: `Write on the topic ${topic}` });
  const producer = reconnecting(() => connectProducer(options), { link, signal, silentMs, isOutage });
  return {
    async write(partition, key, values) {
      const messages = values.map((value) => ({ partition, key, value }));
      await producer.use((client) => client.send({ topic, acks: -1, messages }));
    },
    close: producer.renew,
  };
}
