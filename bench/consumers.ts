import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceConfig, startService } from '../test/support/service.ts';
import type { TestKafka } from '../test/support/kafka.ts';
import { until } from '../test/support/until.ts';

/** A prefilled topic of four partitions, and the truth of its events. */
export interface FilledTopic {
  readonly name: string;
  readonly messages: number;
  readonly truth: string;
}

/** Where services of a bench keep their configuration and state, and a topic without records. */
export interface BenchKafka {
  readonly kafka: TestKafka;
  readonly folder: string;
  readonly empty: string;
}

const scrapeEveryMs = 5_000;
const produceAtOnce = 20_000;

/** The configuration of `decision` alone. */
export const decisionOnly: Readonly<Record<string, unknown>> = Object.fromEntries(
  ['stability', 'tool_calls', 'trajectory', 'schema', 'arguments', 'structured', 'match'].map((name) => [
    name,
    { enabled: false },
  ]),
);

/** Makes a topic of the first `count` records that `next` gives, some at a time. */
export async function fillTopic(
  { freshTopic, produce }: TestKafka,
  count: number,
  next: (made: number) => readonly { readonly key: string; readonly value: string }[],
): Promise<string> {
  // A request of the producer holds megabytes of long records.
  const name = await freshTopic(4, { 'max.message.bytes': '8000000' });
  for (let made = 0; made < count; ) {
    const records = [];
    while (records.length < produceAtOnce && made + records.length < count)
      records.push(...next(made + records.length).slice(0, count - made - records.length));
    await produce(name, records);
    made += records.length;
  }
  return name;
}

/** CPU a message of a stock kafkajs consumer that parses each, in µs, from its first batch to its last. */
export function stockCpu({ kafka }: BenchKafka, { name, messages }: FilledTopic): Promise<number> {
  const script = fileURLToPath(new URL('./stock-consumer.js', import.meta.url));
  return printedBy(process.execPath, [script, kafka.brokers.join(), name, kafka.freshGroup(), String(messages)]);
}

/** The number that a process prints. */
export async function printedBy(command: string, args: readonly string[]): Promise<number> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  await once(child, 'close');
  if (!(Number(printed) > 0)) throw new Error(`${command} ${args[0]} printed ${JSON.stringify(printed)}`);
  return Number(printed);
}

/**
 * CPU a message of the whole service in µs (checkpoints, dead letters, a scrape every 5 s), less what it takes to start on an empty topic
 * and wait as long.
 */
export async function serviceCpu(
  bench: BenchKafka,
  { name, messages, truth }: FilledTopic,
  metrics: Readonly<Record<string, unknown>>,
): Promise<number> {
  const full = await cpuOf(bench, name, truth, metrics, ({ read }) => read >= messages);
  const idle = await cpuOf(bench, bench.empty, truth, metrics, ({ seconds }) => seconds >= full.seconds);
  return (1e6 * (full.cpu - idle.cpu)) / messages;
}

interface Progress {
  readonly read: number;
  readonly seconds: number;
  readonly cpu: number;
}

async function cpuOf(
  { kafka, folder }: BenchKafka,
  topic: string,
  truth: string,
  metrics: Readonly<Record<string, unknown>>,
  isDone: (progress: Progress) => boolean,
): Promise<Progress> {
  const state = { dir: join(folder, kafka.freshGroup()), checkpoint_every: '5s' };
  const group = kafka.freshGroup();
  const more = { metrics, state };
  const config = serviceConfig({ brokers: kafka.brokers, topics: [topic], group, truth: [truth], folder, more });
  const running = startService(config);
  const url = await running.url();
  const start = performance.now();
  let progress: Progress = { read: 0, seconds: 0, cpu: 0 };
  await until(
    'all is read',
    async () => {
      await new Promise((resolve) => setTimeout(resolve, scrapeEveryMs));
      const page = await (await fetch(`${url}/metrics`)).text();
      const read = sum(page, /^assay_records_consumed_total\{.*\} (.*)$/gm);
      const cpu = sum(page, /^process_cpu_seconds_total (.*)$/gm);
      progress = { read, cpu, seconds: (performance.now() - start) / 1_000 };
      return isDone(progress);
    },
    600_000,
  );
  await running.stop();
  return progress;
}

function sum(page: string, pattern: RegExp): number {
  return [...page.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
}
