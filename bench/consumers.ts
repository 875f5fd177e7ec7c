import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serviceConfig, startService, type TestService } from '../test/support/service.ts';
import type { TestKafka, TestRecord } from '../test/support/kafka.ts';
import { until } from '../test/support/until.ts';
import type { Build } from './builds.ts';

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

/** Time between two scrapes, ms. */
export const scrapeEveryMs = 5_000;
const lookEveryMs = 250;
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
  next: (made: number) => readonly TestRecord[],
  atOnce = produceAtOnce,
): Promise<string> {
  // A request of the producer holds megabytes of long records.
  const name = await freshTopic(4, { 'max.message.bytes': '8000000' });
  for (let made = 0; made < count; ) {
    const records = [];
    while (records.length < atOnce && made + records.length < count)
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
  build?: Build,
): Promise<number> {
  const cpuOf = async (topic: string, isDone: (progress: Progress) => boolean): Promise<Progress> => {
    const service = start(bench, topic, truth, { metrics }, build);
    const last = await progressOf(service, scrapeEveryMs, isDone);
    await service.stop();
    return last;
  };
  const full = await cpuOf(name, ({ read }) => read >= messages);
  const idle = await cpuOf(bench.empty, ({ seconds }) => seconds >= full.seconds);
  return (1e6 * (full.cpu - idle.cpu)) / messages;
}

/** Wall time an event in µs, all families, of a service of so many threads, from its first messages to its last. */
export async function serviceWall(
  bench: BenchKafka,
  { name, messages, truth }: FilledTopic,
  threads: number,
): Promise<number> {
  const service = start(bench, name, truth, { run: { threads } });
  const first = await progressOf(service, lookEveryMs, ({ read }) => read > 0);
  const last = await progressOf(service, lookEveryMs, ({ read }) => read >= messages);
  await service.stop();
  return (1e6 * last.seconds) / (last.read - first.read);
}

/** How far a service has come since it served: records read, and seconds of CPU. */
export interface Progress {
  readonly read: number;
  readonly seconds: number;
  readonly cpu: number;
}

function start({ kafka, folder }: BenchKafka, topic: string, truth: string, more: object, build?: Build): TestService {
  const group = kafka.freshGroup();
  const state = { dir: join(folder, group), checkpoint_every: '5s' };
  const { brokers } = kafka;
  const config = serviceConfig({ brokers, topics: [topic], group, truth: [truth], folder, more: { state, ...more } });
  return startService(config, [], {}, 'run', build?.program);
}

/** What the page says as soon as it is enough, looked at from time to time. */
export async function progressOf(
  service: TestService,
  everyMs: number,
  isEnough: (progress: Progress) => boolean,
): Promise<Progress> {
  const url = await service.url();
  const startMs = performance.now();
  let progress: Progress = { read: 0, seconds: 0, cpu: 0 };
  await until(
    'the service has read enough',
    async () => {
      await new Promise((resolve) => setTimeout(resolve, everyMs));
      const page = await (await fetch(`${url}/metrics`)).text();
      const read = sumOf(page, 'assay_records_consumed_total');
      const cpu = sumOf(page, 'process_cpu_seconds_total');
      progress = { read, cpu, seconds: (performance.now() - startMs) / 1_000 };
      return isEnough(progress);
    },
    600_000,
  );
  return progress;
}

/** The sum of the series of a metric on a page. */
export function sumOf(page: string, name: string): number {
  const series = page.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'gm'));
  return [...series].reduce((total, [, value]) => total + Number(value), 0);
}
