import type { LogRecord } from '../../src/stream/event.ts';
import type { Consumer, Source, TopicPartition } from '../../src/ports.ts';

/** A log of one topic in this process: what tests have in place of Kafka. Records that were delivered are forgotten. */
export interface MemoryLog extends Source {
  append(key: string, value: string, timestampMs: number): void;
  /** Records that were not delivered yet. */
  waiting(): number;
}

const batchRecords = 500;

/** An empty log; records go to the partition that their key hashes to. */
export function memoryLog(topic: string, partitions: number): MemoryLog {
  const logs = Array.from({ length: partitions }, (_, partition) => ({
    at: { topic, partition } satisfies TopicPartition,
    records: [] as LogRecord[],
    next: 0,
  }));
  const state = { running: true, wake: (): void => undefined, stopped: (): void => undefined };
  const stopped = new Promise<void>((resolve) => (state.stopped = resolve));
  return {
    append(key, value, timestamp) {
      const log = logs[hashOf(key) % partitions]!;
      const bytes = Buffer.from(value + key);
      const end = Buffer.byteLength(value);
      const keySpan = { keyStart: end, keyEnd: bytes.length };
      log.records.push({ bytes, start: 0, end, ...keySpan, offset: log.next++, timestamp });
      state.wake();
    },
    waiting: () => logs.reduce((sum, { records }) => sum + records.length, 0),
    async run(consumer) {
      for (const { at } of logs) await consumer.assigned(at, false);
      while (state.running) {
        const delivered = await deliver(logs, consumer);
        if (!delivered && state.running) await new Promise<void>((resolve) => (state.wake = resolve));
      }
      await consumer.beforeStop();
      state.stopped();
    },
    async stop() {
      state.running = false;
      state.wake();
      await stopped;
    },
    joined: () => state.running,
    commit: async (offsets) => offsets,
    bounds: async ({ partition }) => ({ low: 0, high: logs[partition]!.next }),
    committed: async () => undefined,
    cluster: async () => ({ id: 'in-process', partitions: new Map([[topic, partitions]]) }),
    offsetAt: async () => 0,
  };
}

interface Log {
  readonly at: TopicPartition;
  records: LogRecord[];
  next: number;
}

async function deliver(logs: readonly Log[], consumer: Consumer): Promise<boolean> {
  let delivered = false;
  for (const log of logs) {
    const batch = log.records.splice(0, batchRecords);
    if (batch.length === 0) continue;
    delivered = true;
    consumer.highWatermark(log.at, log.next);
    await consumer.records(log.at, batch, 0, batch.length);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return delivered;
}

function hashOf(key: string): number {
  let hash = 2166136261;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 16777619);
  return hash >>> 0;
}
