import { type Config, configSchema } from './config.ts';

/** Returns whether a service reads a log of its own, and not Kafka. */
export function hasLogInside({ kafka: { brokers, topics } }: Pick<Config, 'kafka'>): boolean {
  return brokers.length === 0 && topics.length === 0;
}

/** The configuration of a service: with the topic of the log inside, whose records may have any form, where it reads that. */
export function serviceConfig(config: Config): Config {
  if (!hasLogInside(config)) return config;
  const { kafka, input } = config;
  return {
    ...config,
    kafka: { ...kafka, topics: [logInsideTopic], feedback_topic: 'feedback' },
    input: { ...input, format: input.format ?? 'auto' },
  };
}

/** The topic of the log inside: part of the names of its partitions. */
export const logInsideTopic = 'events';

/** Keys under `kafka` that hold for the log inside as well: its group, where to begin, and what a gap means. */
const shared = ['brokers', 'group_id', 'from', 'on_gap'];

/** Reasons to refuse a configuration without brokers; empty where there are none. */
export function refusalsWithoutBrokers({ kafka, state }: Config): readonly string[] {
  const byDefault: Readonly<Record<string, unknown>> = configSchema.parse({}).kafka;
  const set = Object.entries(kafka)
    .filter(([key, value]) => !shared.includes(key) && JSON.stringify(value) !== JSON.stringify(byDefault[key]))
    .map(([key]) => `kafka.${key}`);
  if (set.length > 0)
    return [
      `kafka.brokers: is empty, but ${set.join(', ')} ${set.length === 1 ? 'is' : 'are'} set; name a broker, such as [localhost:9092], or leave the section kafka out to read from a log of its own`,
    ];
  return state.dir.startsWith('s3://')
    ? ['state.dir: is an object store, and the log inside needs a folder; name one, or kafka.brokers']
    : [];
}
