import { randomUUID } from 'node:crypto';
import { kafkaSource } from '../adapters/kafka/kafka-source.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ports.ts';
import type { FollowTruthOptions } from './follow-truth.ts';
import { kafkaConnection } from './kafka-connection.ts';

/** The topics of truth and feedback of Kafka; undefined where none is configured. */
export function kafkaTruth(
  config: Config,
  { log, outages, signal }: { readonly log: Log; readonly outages: Set<string>; readonly signal: AbortSignal },
): FollowTruthOptions['topic'] {
  const { truth_topic: truth, feedback_topic: feedbackTopic, group_id: group, session_timeout: timeout } = config.kafka;
  const topics = [truth, feedbackTopic].filter((topic) => topic !== undefined);
  if (topics.length === 0) return undefined;
  const source = kafkaSource({
    ...kafkaConnection(config, log, outages),
    // A group of one: every instance reads all rows.
    groupId: `${group}-truth-${randomUUID()}`,
    topics,
    sessionTimeoutMs: timeout.ms,
    batchBytes: config.limits.batch_bytes,
    signal,
  });
  return { topics, feedbackTopic, hasTruth: truth !== undefined, source };
}
