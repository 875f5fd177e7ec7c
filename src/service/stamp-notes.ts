import { type TopicStamps, topicStamps } from '../adapters/kafka/topic-stamps.ts';
import type { Config } from '../config/config.ts';
import { durationText } from '../config/duration.ts';
import { topicsOf } from '../config/settings.ts';
import type { Log } from '../ports.ts';
import { kafkaConnection } from './kafka-connection.ts';

/** Says for each topic whether `time.max_future` guards event time, or what does, and whether it is compacted; nothing where no broker says so in some seconds. */
export async function stampNotes(config: Config, log: Log): Promise<readonly string[]> {
  const stamps = await topicStamps(kafkaConnection(config, log), topicsOf(config), limitMs).catch(() => []);
  return stamps.flatMap((each) => [stampNote(each, config.time.max_future.ms), ...compactionNotes(each)]);
}

const limitMs = 3_000;

/** The note on a topic of events that is compacted: what compaction takes is not missed. */
export function compactionNotes({ topic, isCompacted }: Pick<TopicStamps, 'topic' | 'isCompacted'>): string[] {
  if (!isCompacted) return [];
  return [
    `topic ${topic} is compacted (cleanup.policy): of records with one key only the last is sure to be read, and none that is removed counts as lost; set cleanup.policy to delete, or give each record a key of its own`,
  ];
}

/** The note on a topic, with the setting that guards its event time. */
export function stampNote(
  { topic, isLogAppendTime, afterMaxMs }: Omit<TopicStamps, 'isCompacted'>,
  maxFutureMs: number,
): string {
  const future = durationText(maxFutureMs);
  if (isLogAppendTime)
    return `topic ${topic}: the broker stamps its records (LogAppendTime): time.max_future (${future}) guards against wrong clocks of producers`;
  const stamped = `topic ${topic}: producers stamp its records (CreateTime)`;
  const guard = 'message.timestamp.after.max.ms';
  if (afterMaxMs !== undefined && afterMaxMs <= maxFutureMs)
    return `${stamped}, and the broker refuses stamps more than ${durationText(afterMaxMs)} ahead (${guard}): with time.max_future (${future}) that guards against wrong clocks`;
  const now = afterMaxMs === undefined ? 'it takes any' : `it takes ${durationText(afterMaxMs)}`;
  return `${stamped}: a wrong clock passes time.max_future; set ${guard} of the topic to ${maxFutureMs} (${now} now), or message.timestamp.type to LogAppendTime`;
}
