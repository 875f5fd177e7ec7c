import kafkajs, { type Admin } from 'kafkajs';
import { type KafkaSettings, kafkaClient } from './kafka-client.ts';

/** The time stamps that the records of a topic have, and whether all of them are kept. */
export interface TopicStamps {
  readonly topic: string;
  /** True if the broker stamps records when it appends them; else their producers do. */
  readonly isLogAppendTime: boolean;
  /** How far ahead of its clock the broker takes a producer's time stamp, in ms; undefined where it takes any, or is older than Kafka 3.6. */
  readonly afterMaxMs: number | undefined;
  /** True if the broker removes records when newer ones have their key. */
  readonly isCompacted: boolean;
}

/** Reads who stamps the records of topics, and whether they are kept, in one attempt of at most `limitMs`. Rejects where Kafka cannot be asked, or refuses to say. */
export async function topicStamps(
  settings: KafkaSettings,
  topics: readonly string[],
  limitMs: number,
): Promise<readonly TopicStamps[]> {
  const admin = kafkaClient(settings, 0).admin();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([limit, read(admin, topics)]);
  } finally {
    clearTimeout(timer);
    void admin.disconnect().catch(() => undefined);
  }
}

async function read(admin: Admin, topics: readonly string[]): Promise<TopicStamps[]> {
  await admin.connect();
  const resources = topics.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name, configNames }));
  const answer = await admin.describeConfigs({ resources, includeSynonyms: false });
  return answer.resources.map(({ resourceName, configEntries }) => {
    const settingOf = (key: string): string | undefined =>
      configEntries.find(({ configName }) => configName === key)?.configValue;
    const afterMax = Number(settingOf(afterKey));
    return {
      topic: resourceName,
      isLogAppendTime: settingOf(typeKey) === 'LogAppendTime',
      afterMaxMs: Number.isSafeInteger(afterMax) ? afterMax : undefined,
      isCompacted: /\bcompact\b/.test(settingOf(policyKey) ?? ''),
    };
  });
}

const typeKey = 'message.timestamp.type';
const afterKey = 'message.timestamp.after.max.ms';
const policyKey = 'cleanup.policy';
const configNames = [typeKey, afterKey, policyKey];
