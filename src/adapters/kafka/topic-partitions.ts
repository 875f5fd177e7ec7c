import type { Admin } from 'kafkajs';
import { type KafkaSettings, kafkaClient } from './kafka-client.ts';
import { isOutage, kafkaLink } from './kafka-outage.ts';
import { reconnecting } from './reconnecting.ts';

/**
 * Counts the partitions of topics, by topic; one that Kafka lacks, or hides from us, is absent. Waits until Kafka can be asked; rejects when
 * `signal` aborts.
 */
export async function topicPartitions(
  settings: KafkaSettings,
  topics: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  const rights = `Describe on the topics ${topics.join(' and ')}`;
  const link = kafkaLink(settings, { doing: 'looking for topics', rights });
  const admin = reconnecting(() => connect(settings), { link, signal, silentMs: settings.silentMs, isOutage });
  try {
    // Asked for by name, a topic would be created by a broker that is set up so.
    const all = await admin.use((client) => client.fetchTopicMetadata());
    const known = all.topics.map(({ name, partitions }) => [name, partitions.length] as const);
    return new Map(known.filter(([name]) => topics.includes(name)));
  } finally {
    await admin.renew();
  }
}

async function connect(settings: KafkaSettings): Promise<Admin> {
  const admin = kafkaClient(settings, 2).admin();
  await admin.connect();
  return admin;
}
