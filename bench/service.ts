import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTraffic } from '../src/commands/demo/traffic.ts';
import { testKafka } from '../test/support/kafka.ts';
import { testTraffic } from '../test/support/e2e-traffic.ts';
import { decisionOnly, fillTopic, serviceCpu, stockCpu } from './consumers.ts';
import { benchEvent } from './events.ts';
import { table } from './measure.ts';

/**
 * CPU a message of the whole service (checkpoints, dead letters, a scrape every 5 s) against a stock kafkajs eachBatch + JSON.parse
 * consumer on the same prefilled topic of 0.9 KB events, in turn. Some records are malformed, and some come twice.
 */

const messages = Number(process.env['BENCH_MESSAGES'] ?? 400_000);
const rounds = 3;
const kafka = await testKafka((process.env['ASSAY_TEST_KAFKA'] ?? '').split(','));
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const traffic = createTraffic({ seed: 11, examples: 2_000, runs: 5, duplicates: 0.005, malformed: 0.002 });
const name = await fillTopic(kafka, messages, (made) =>
  traffic
    .next(Date.now() - 10 * (messages - made), undefined)
    .map(({ key, value }, at) => ({ key, value: benchEvent(value, made + at) })),
);
const topic = { name, messages, truth: testTraffic(folder, 1).truth };
const bench = { kafka, folder, empty: await kafka.freshTopic(4) };

const micros = { stock: [] as number[], service: [] as number[], decision: [] as number[] };
for (let round = 0; round < rounds; round++) {
  micros.stock.push(await stockCpu(bench, topic));
  micros.decision.push(await serviceCpu(bench, topic, decisionOnly));
  micros.service.push(await serviceCpu(bench, topic, {}));
}
const measured = [
  { name: 'stock kafkajs eachBatch + JSON.parse', micros: micros.stock },
  { name: 'assay run, decision only', micros: micros.decision },
  { name: 'assay run, all families', micros: micros.service },
];
process.stdout.write(`${table(`Service: CPU a message, ${messages} events of 0.9 KB`, measured, measured[0]!.name)}\n`);
await kafka.admin.disconnect();
rmSync(folder, { recursive: true });
