import type { Admin } from 'kafkajs';
import { type KafkaSettings, kafkaClient } from './kafka-client.ts';
import { isOutage, kafkaLink } from './kafka-outage.ts';
import { reconnecting } from './reconnecting.ts';

/** The topics that Kafka lacks, or hides from us. Waits until it can be asked; rejects when `signal` aborts. */
export async function missingTopics(
  settings: KafkaSettings,
  topics: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const rights = `Describe on the topics ${topics.join(' and ')}`;
  const link = kafkaLink(settings, { doing: 'looking for topics', rights });
  const admin = reconnecting(() => connect(settings), { link, signal, isOutage });
  try {
    // Asked for by name, a topic would be created by a broker that is set up so.
    const known = new Set(await admin.use((client) => client.listTopics()));
    return topics.filter((topic) => !known.has(topic));
  } finally {
    await admin.renew();
  }
}

async function connect(settings: KafkaSettings): Promise<Admin> {
  const admin = kafkaClient(settings, 2).admin();
  await admin.connect();
  return admin;
}
