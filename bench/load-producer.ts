import { once } from 'node:events';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { groups, loadTraffic } from './load-traffic.ts';

/**
 * Writes the load into a topic: first, as fast as it can, a day of event time in which each group of runs has its first and 100,000
 * predictions have no truth; then, told to go, so many events a second with the time of the clock.
 */
const [, , brokers, topic, rate] = process.argv as [string, string, string, string, string];
const dayMs = 86_400_000;
const pending = 100_000;
const batch = 2_000;

const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.ERROR });
const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
await producer.connect();
const traffic = loadTraffic();
await writeDay();
await once(process.stdin, 'data');
await writeLasting();

async function writeDay(): Promise<void> {
  const startMs = Date.now() - dayMs - 60_000;
  for (let from = 0; from < groups; from += batch)
    await send(batch, (at) => traffic.event(from + at, 0, startMs + Math.floor((dayMs * (from + at)) / groups)));
  for (let from = groups; from < groups + pending; from += batch)
    await send(batch, (at) => traffic.event(from + at, 0, Date.now()));
  process.stdout.write(`filled ${groups + pending}\n`);
}

async function writeLasting(): Promise<void> {
  const start = performance.now();
  for (let sent = 0; ; sent += batch) {
    const due = (1_000 * sent) / Number(rate) - (performance.now() - start);
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due));
    await send(batch, (at) => {
      const number = sent + at;
      return traffic.event((number * 7_919) % groups, 1 + (Math.floor(number / groups) % 4), Date.now());
    });
  }
}

async function send(
  count: number,
  eventOf: (at: number) => { readonly key: string; readonly value: string },
): Promise<void> {
  await producer.send({
    topic,
    acks: 1,
    messages: Array.from({ length: count }, (_, at) => ({ ...eventOf(at), timestamp: String(Date.now()) })),
  });
}
