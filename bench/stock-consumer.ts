import { Kafka, logLevel } from 'kafkajs';

/**
 * A stock kafkajs consumer at its best settings that parses each message, and prints its CPU a message in µs, from its first batch to its
 * last.
 */
const [brokers = '', topic = '', groupId = '', count = '0'] = process.argv.slice(2);
const client = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
const consumer = client.consumer({ groupId, maxBytesPerPartition: 4 << 20 });
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consume(Number(count));

async function consume(messages: number): Promise<void> {
  let read = 0;
  let start: NodeJS.CpuUsage | undefined;
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }) => {
      start ??= process.cpuUsage();
      for (const { value } of batch.messages) {
        try {
          JSON.parse(String(value));
        } catch {
          // Malformed records are part of the traffic.
        }
      }
      read += batch.messages.length;
      if (read < messages) return;
      const { user, system } = process.cpuUsage(start);
      process.stdout.write(`${(user + system) / read}`, () => process.exit(0));
    },
  });
}
