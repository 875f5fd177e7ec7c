import { once } from 'node:events';
import { Kafka, logLevel } from 'kafkajs';
import { type LoadEvent, sendRequests, writeRequests } from './load-requests.ts';
import { loadTraffic } from './load-traffic.ts';

/**
 * Writes the load into a topic: first, as fast as it can, a day of event time in which each group of runs has its first and 100,000
 * predictions have no truth; then, told to go, so many events a second, whose time goes on as the clock does.
 */
const [, , brokers, topic, rate, seconds, scratch] = process.argv as unknown as [
  ...[string, string, string, string, string, string, string],
];
const dayMs = 86_400_000;
const pending = 100_000;
const batch = 2_000;
const slotMs = 100;
const partitions = 4;

const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.ERROR });
const producer = kafka.producer();
await producer.connect();
const traffic = loadTraffic();
const { groups } = traffic;
await writeDay();
const requests = await lastingRequests();
process.stdout.write(`filled ${groups + pending}\n`);
await once(process.stdin, 'data');
await sendRequests(brokers.split(',')[0]!, requests, slotMs);

async function writeDay(): Promise<void> {
  const startMs = Date.now() - dayMs - 60_000;
  for (let from = 0; from < groups; from += batch)
    await send(batch, (at) => eventOf(from + at, 0, startMs + Math.floor((dayMs * (from + at)) / groups)));
  for (let from = groups; from < groups + pending; from += batch)
    await send(batch, (at) => eventOf(from + at, 0, Date.now()));
}

async function send(count: number, event: (at: number) => LoadEvent): Promise<void> {
  const messages = Array.from({ length: count }, (_, at) => event(at));
  const timestamp = String(Date.now());
  await producer.send({ topic, acks: 1, messages: messages.map((message) => ({ ...message, timestamp })) });
}

function lastingRequests(): ReturnType<typeof writeRequests> {
  const startMs = Date.now();
  const events = (Number(rate) * slotMs) / 1_000;
  return writeRequests(scratch, topic, (1_000 * Number(seconds)) / slotMs, (slot) =>
    Array.from({ length: events }, (_, at) => {
      const number = slot * events + at;
      const tsMs = startMs + Math.floor((1_000 * number) / Number(rate));
      return eventOf((number * 7_919) % groups, 1 + (Math.floor(number / groups) % 4), tsMs);
    }),
  );
}

function eventOf(group: number, run: number, tsMs: number): LoadEvent {
  return { ...traffic.event(group, run, tsMs), partition: group % partitions, tsMs };
}
