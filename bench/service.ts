import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { testKafka } from '../test/support/kafka.ts';
import { builds } from './builds.ts';
import { decisionOnly, type FilledTopic, serviceCpu, stockCpu } from './consumers.ts';
import { doorCpu } from './door.ts';
import { table } from './measure.ts';
import { repeatingTopic, uniqueTopic } from './topics.ts';

/**
 * CPU a message of the whole service (checkpoints, dead letters, a scrape every 5 s) against a stock kafkajs eachBatch + JSON.parse
 * consumer on the same prefilled topic, in turn. Unique traffic is what production looks like. BENCH_PROGRAM=/path/to/dist measures
 * another build in turn. Beside it the same traffic over HTTP, 10,000 events a second in batches of 100, into the log inside.
 */
const messages = Number(process.env['BENCH_MESSAGES'] ?? 200_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const kafka = await testKafka((process.env['ASSAY_TEST_KAFKA'] ?? '').split(','));
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const bench = { kafka, folder, empty: await kafka.freshTopic(4) };

const unique = await uniqueTopic(bench, messages);
await report('each example and content once', unique, {
  name: 'all families, over HTTP, log inside',
  run: () => doorCpu({ folder, messages, truth: unique.truth }),
});
await report('contents repeat, 2,000 examples', await repeatingTopic(bench, messages));
await kafka.admin.disconnect();
rmSync(folder, { recursive: true });

interface Timed {
  readonly name: string;
  /** µs a message. */
  readonly run: () => Promise<number>;
}

async function report(title: string, topic: FilledTopic, ...more: readonly Timed[]): Promise<void> {
  const stock = { name: 'stock kafkajs eachBatch + JSON.parse', run: () => stockCpu(bench, topic) };
  const ours = builds.flatMap((build) => [
    { name: `decision${build.suffix}`, run: () => serviceCpu(bench, topic, decisionOnly, build) },
    { name: `all families${build.suffix}`, run: () => serviceCpu(bench, topic, {}, build) },
  ]);
  const cases = [stock, ...ours, ...more].map((each) => ({ ...each, micros: [] as number[] }));
  for (let round = 0; round < rounds; round++) for (const { run, micros } of cases) micros.push(await run());
  const heading = `Service: CPU a message, ${messages} events of 0.9 KB, ${title}`;
  process.stdout.write(`${table(heading, cases, stock.name)}\n`);
}
