import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTraffic } from '../src/demo/traffic.ts';
import { testKafka, type TestKafka } from '../test/support/kafka.ts';
import { until } from '../test/support/until.ts';
import { serviceConfig, startService } from '../test/support/service.ts';
import { testTraffic } from '../test/support/e2e-traffic.ts';
import { benchEvent } from './events.ts';
import { table } from './measure.ts';

/**
 * CPU a message of the whole service (checkpoints, dead letters, a scrape every 5 s) against a stock kafkajs eachBatch + JSON.parse
 * consumer on the same prefilled topic of 0.9 KB events, in turn.
 */

const messages = Number(process.env['BENCH_MESSAGES'] ?? 400_000);
const rounds = 3;
const scrapeEveryMs = 5_000;
const kafka = await testKafka((process.env['ASSAY_TEST_KAFKA'] ?? '').split(','));
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const topic = await fill(kafka, messages);
const empty = await kafka.freshTopic(4);
const { truth } = testTraffic(folder, 1);

const micros = { stock: [] as number[], service: [] as number[], decision: [] as number[] };
for (let round = 0; round < rounds; round++) {
  micros.stock.push(await stock(topic));
  micros.decision.push(await service(true));
  micros.service.push(await service(false));
}
const measured = [
  { name: 'stock kafkajs eachBatch + JSON.parse', micros: micros.stock },
  { name: 'assay run, decision only', micros: micros.decision },
  { name: 'assay run, all families', micros: micros.service },
];
process.stdout.write(`${table(`Service: CPU a message, ${messages} events of 0.9 KB`, measured, measured[0]!.name)}\n`);
await kafka.admin.disconnect();
rmSync(folder, { recursive: true });

async function fill({ freshTopic, produce }: TestKafka, count: number): Promise<string> {
  const name = await freshTopic(4);
  const traffic = createTraffic({ seed: 11, examples: 2_000, runs: 5, duplicates: 0.005, malformed: 0.002 });
  for (let made = 0; made < count; ) {
    const records = [];
    while (records.length < 20_000 && made < count)
      for (const { key, value } of traffic.next(Date.now() - 10 * (count - made), undefined)) {
        records.push({ key, value: benchEvent(value, made) });
        made++;
      }
    await produce(name, records);
  }
  return name;
}

/** A process of its own that reads the topic to its end and prints its CPU a message, first to last batch. */
async function stock(name: string): Promise<number> {
  const script = fileURLToPath(new URL('./stock-consumer.js', import.meta.url));
  const child = spawn(process.execPath, [script, kafka.brokers.join(), name, kafka.freshGroup(), String(messages)]);
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  await once(child, 'close');
  return Number(printed);
}

/** CPU of the service over the topic, less what it takes to start on an empty one and wait as long. */
async function service(decisionOnly: boolean): Promise<number> {
  const full = await cpuOf(topic, decisionOnly);
  const idle = await cpuOf(empty, decisionOnly, full.seconds);
  return (1e6 * (full.cpu - idle.cpu)) / messages;
}

async function cpuOf(
  name: string,
  decisionOnly: boolean,
  forSeconds?: number,
): Promise<{ cpu: number; seconds: number }> {
  const off = { enabled: false };
  const families = ['stability', 'tool_calls', 'trajectory', 'schema', 'arguments', 'structured'];
  const metrics = decisionOnly ? Object.fromEntries(families.map((family) => [family, off])) : {};
  const state = { dir: join(folder, kafka.freshGroup()), checkpoint_every: '5s' };
  const config = serviceConfig({
    brokers: kafka.brokers,
    topics: [name],
    group: kafka.freshGroup(),
    truth: [truth],
    folder,
    more: { metrics, state },
  });
  const running = startService(config);
  const url = await running.url();
  const start = performance.now();
  let page = '';
  await until(
    'all is read',
    async () => {
      await new Promise((resolve) => setTimeout(resolve, scrapeEveryMs));
      page = await (await fetch(`${url}/metrics`)).text();
      const read = sum(page, /^assay_records_consumed_total\{.*\} (.*)$/gm);
      return forSeconds === undefined ? read >= messages : performance.now() - start >= 1_000 * forSeconds;
    },
    600_000,
  );
  const seconds = (performance.now() - start) / 1_000;
  const cpu = sum(page, /^process_cpu_seconds_total (.*)$/gm);
  await running.stop();
  return { cpu, seconds };
}

function sum(page: string, pattern: RegExp): number {
  return [...page.matchAll(pattern)].reduce((total, [, value]) => total + Number(value), 0);
}
