import { randomUUID } from 'node:crypto';
import { kafkaSource } from '../adapters/kafka/kafka-source.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../ports.ts';
import type { FollowTruthOptions } from './follow-truth.ts';
import { kafkaConnection } from './kafka-connection.ts';

/** The truth topic of Kafka; undefined where none is configured. */
export function kafkaTruth(config: Config, log: Log, signal: AbortSignal): FollowTruthOptions['topic'] {
  const { truth_topic: name, group_id: group, session_timeout: timeout } = config.kafka;
  if (name === undefined) return undefined;
  const source = kafkaSource({
    ...kafkaConnection(config, log),
    // A group of one: every instance reads all rows.
    groupId: `${group}-truth-${randomUUID()}`,
    topics: [name],
    sessionTimeoutMs: timeout.ms,
    batchBytes: config.limits.batch_bytes,
    signal,
  });
  return { name, source };
}
