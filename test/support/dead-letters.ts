import type { TestKafka, TestRecord } from './kafka.ts';
import { until } from './until.ts';

/** Where dead letters say that their records lie: `partition/offset reason`, sorted, each once. */
export async function deadLetters(kafka: TestKafka, topic: string): Promise<{ readonly places: readonly string[] }> {
  const [bounds] = await kafka.admin.fetchTopicOffsets(topic);
  const high = Number(bounds!.high);
  const places = new Set<string>();
  let read = 0;
  const consumer = kafka.client().consumer({ groupId: kafka.freshGroup() });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      const header = (name: string): string => String(message.headers?.[name]);
      const unread = message.headers?.['assay-unread'] === undefined ? '' : ' unread';
      places.add(`${header('assay-partition')}/${header('assay-offset')} ${header('assay-reason')}${unread}`);
      read = Number(message.offset) + 1;
    },
  });
  await until(`${high} dead letters are read`, () => read >= high);
  await consumer.disconnect();
  return { places: [...places].sort() };
}

/** Where the malformed records of a topic lie, by reading it with plain JSON checks of its own. */
export async function rejectedPlaces(
  kafka: TestKafka,
  topic: string,
  records: readonly TestRecord[],
): Promise<readonly string[]> {
  const places = new Set<string>();
  let read = 0;
  const consumer = kafka.client().consumer({ groupId: kafka.freshGroup() });
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ partition, message }) => {
      const reason = reasonOf(String(message.value));
      if (reason !== undefined) places.add(`${partition}/${message.offset} ${reason}`);
      read++;
    },
  });
  await until(`${records.length} records are read`, () => read >= records.length, 60_000);
  await consumer.disconnect();
  return [...places].sort();
}

/** What is wrong with a record of the generated traffic. */
function reasonOf(value: string): string | undefined {
  try {
    const event = JSON.parse(value) as { run?: unknown; ts?: unknown };
    if (typeof event.run !== 'number') return 'schema';
    return Number.isNaN(Date.parse(String(event.ts))) ? 'bad_timestamp' : undefined;
  } catch {
    return 'not_json';
  }
}
