import { type Assignment, byTopic } from './kafka-assignment.ts';
import { type Looking, lookEvery } from './looking.ts';
import type { AskedEnds, AskedTopic, TopicPartitions } from './kafkajs-parts.ts';

/**
 * Gives the consumer the ends of partitions that pause, every two seconds: nothing is fetched of them, and their lag would stand still.
 */
export function watchPausedEnds(cluster: () => AskedEnds | undefined, assignment: Assignment): Looking {
  return lookEvery(everyMs, async () => {
    const paused = [...assignment.partitions.values()].filter(({ ready }) => !ready);
    const asked = cluster();
    if (paused.length === 0 || asked === undefined || assignment.stopping) return;
    const topics = byTopic(paused.map(({ partition }) => partition));
    for (const { topic, partitions } of await asked.fetchTopicsOffset(topics.map(question)))
      for (const { partition, offset } of partitions)
        assignment.consumer.highWatermark({ topic, partition }, Number(offset));
  });
}

const everyMs = 2_000;

function question({ topic, partitions }: TopicPartitions): AskedTopic {
  return { topic, partitions: partitions.map((partition) => ({ partition })), fromBeginning: false };
}
