import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBucket, storeInBucket, type TestBucket } from '../test/support/bucket.ts';
import { testKafka } from '../test/support/kafka.ts';
import { serviceConfig, startService, type TestService } from '../test/support/service.ts';
import { runProgram } from '../test/support/program.ts';
import { until } from '../test/support/until.ts';
import { sumOf } from './consumers.ts';
import { loadTraffic, pendingId } from './load-traffic.ts';

/**
 * A service under lasting load: 20,000 events/s of 100 slices, with a million rows of truth, a million groups of runs and 100,000 pending
 * predictions, after a day of event time was read; half-way another version of the truth takes its place. Reports what checkpoints write,
 * how long the event loop is held and what others on the host took of the processors meanwhile, memory over time, the cost of a scrape, and
 * how long a restart takes while events go on coming. LOAD_SECONDS and LOAD_RATE change how long and how much; with LOAD_BUCKET=1 the state lies in a bucket, with a
 * cache beside it.
 */

const seconds = Number(process.env['LOAD_SECONDS'] ?? 300);
const rate = Number(process.env['LOAD_RATE'] ?? 20_000);
const reportEverySeconds = 15;
const restartSeconds = 120;
const ticksPerSecond = 100;
const topicPartitions = 4;
const resolvedBySwap = 50_000;
const otherRows = 900_000;
const truthInUse = 'truth.arrow';
const nextTruth = 'next.arrow';

const kafka = await testKafka((process.env['ASSAY_TEST_KAFKA'] ?? '').split(','));
const folder = mkdtempSync(join(tmpdir(), 'assay-load-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const bucket = process.env['LOAD_BUCKET'] === '1' ? await startBucket(join(folder, 'bucket')) : undefined;
const stateDir = bucket === undefined ? join(folder, 'state') : `${bucket.location}/state`;
const cache = join(folder, 'cache');
await main();
await bucket?.stop();
await kafka.admin.disconnect();

async function main(): Promise<void> {
  const topic = await kafka.freshTopic(topicPartitions);
  const config = await writeConfig(topic);
  const running = await start(config);
  const producer = startProducer(topic);
  const filled = Number(await line(producer, 'filled'));
  say(`${filled} events of a day are written; waiting until they are read`);
  const consumed = async (): Promise<number> => (await page(running)).sum('assay_records_consumed_total');
  await until('the day is read', async () => (await afterSeconds(5, consumed)) >= filled, 600_000);
  say(`read; ${rate} events/s for ${seconds} s`);
  producer.stdin!.write('go\n');
  await observe(running);
  await running.service.stop();
  const again = await restart('a clean stop', config);
  again.service.kill('SIGKILL');
  await again.service.ended;
  const last = await restart('kill -9', config);
  await last.service.stop();
  if (bucket !== undefined) await restartWithoutCache(bucket, config);
  producer.kill();
}

async function restartWithoutCache(from: TestBucket, config: string): Promise<void> {
  rmSync(cache, { recursive: true });
  say(await readTime(from));
  const { service } = await restart('a clean stop, without the cache', config);
  await service.stop();
}

/** What the bucket holds, and how long it takes to read that from it over one connection. */
async function readTime(of: TestBucket): Promise<string> {
  const store = await storeInBucket(of, 'state');
  const objects = readdirSync(join(of.folder, 'state'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(of.folder, 'state'), join(entry.parentPath, entry.name)));
  const began = performance.now();
  let bytes = 0;
  for (const path of objects) bytes += (await store.read(path))?.length ?? 0;
  const time = ((performance.now() - began) / 1_000).toFixed(1);
  return `the bucket holds ${(bytes / 1e6).toFixed(0)} MB in ${objects.length} objects; to read them alone takes ${time} s`;
}

interface Running {
  readonly service: TestService;
  readonly url: string;
}

async function start(config: string): Promise<Running> {
  const service = startService(config, [], bucket?.env);
  return { service, url: await service.url() };
}

async function writeConfig(topic: string): Promise<string> {
  await writeTruth(nextTruth, resolvedBySwap);
  return serviceConfig({
    brokers: kafka.brokers,
    topics: [topic],
    group: kafka.freshGroup(),
    truth: [await writeTruth(truthInUse, 0)],
    folder,
    more: {
      kafka: { session_timeout: '10s', dead_letter_topic: await kafka.freshTopic(1) },
      state: { dir: stateDir, checkpoint_every: '5s', ...(bucket && { cache }) },
      ...(bucket && { s3: { endpoint: bucket.endpoint } }),
      snapshots: { dir: join(folder, 'snapshots') },
    },
  });
}

/** A version of the truth that knows so many of the pending predictions as well. */
async function writeTruth(name: string, pending: number): Promise<string> {
  const { truth } = loadTraffic();
  const late = Array.from({ length: pending }, (_, at) => ({ ...truth[0]!, example_id: pendingId(at) }));
  const others = Array.from({ length: otherRows }, (_, at) => ({ example_id: `other-${at}`, label: 'direct' }));
  const lines = join(folder, 'truth.ndjson');
  writeFileSync(lines, [...truth, ...late, ...others].map((record) => JSON.stringify(record)).join('\n'));
  const table = join(folder, name);
  const { status, stderr } = await runProgram(['truth', 'build', lines, '-o', table]);
  if (status !== 0) throw new Error(stderr);
  return table;
}

function startProducer(topic: string): ChildProcess {
  const script = fileURLToPath(new URL('./load-producer.js', import.meta.url));
  const lasting = String(seconds + reportEverySeconds + restartSeconds);
  const args = [script, kafka.brokers.join(), topic, String(rate), lasting, join(folder, 'requests')];
  return spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Resolves with what follows a word on a line of the producer. */
async function line(child: ChildProcess, word: string): Promise<string> {
  let text = '';
  for (;;) {
    const [chunk] = (await once(child.stdout!, 'data')) as [Buffer];
    text += chunk.toString();
    const found = new RegExp(`^${word} (.*)$`, 'm').exec(text);
    if (found) return found[1]!;
  }
}

interface Page {
  readonly milliseconds: number;
  readonly series: number;
  sum(name: string): number;
}

async function page({ url }: Running): Promise<Page> {
  const start = performance.now();
  const text = await (await fetch(`${url}/metrics`)).text();
  const milliseconds = performance.now() - start;
  const series = text.split('\n').filter((row) => row !== '' && !row.startsWith('#')).length;
  return { milliseconds, series, sum: (name) => sumOf(text, name) };
}

/** How long the processors were taken from this machine by others on its host, in seconds, all together; NaN where it does not say. */
function stolenSeconds(): number {
  const ticks = /^cpu(?: +\d+){7} +(\d+)/.exec(readFileSync('/proc/stat', 'utf8'))?.[1];
  return Number(ticks ?? Number.NaN) / ticksPerSecond;
}

/** Bytes that the service's process has had written to disk: checkpoints, snapshots, dead letters. */
function written({ process: { pid } }: TestService): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))![1]);
}

async function observe(running: Running): Promise<void> {
  const start = performance.now();
  let bytes = written(running.service);
  const first = await page(running);
  let events = first.sum('assay_records_consumed_total');
  let cpu = first.sum('process_cpu_seconds_total');
  let stolen = stolenSeconds();
  let at = start;
  say('   s  events/s  cores  stolen     lag  loop p99 ms  loop max ms   MB/s  RSS MB  pending  scrape ms  series');
  let swapped = false;
  while (performance.now() - start < 1_000 * seconds) {
    if (!swapped && performance.now() - start > 500 * seconds) {
      swapped = true;
      renameSync(join(folder, nextTruth), join(folder, truthInUse));
      say(`a version of the truth that knows ${resolvedBySwap} of the pending predictions takes its place`);
    }
    const now = await afterSeconds(reportEverySeconds, () => page(running));
    const passed = (performance.now() - at) / 1_000;
    at = performance.now();
    const consumed = now.sum('assay_records_consumed_total');
    const total = written(running.service);
    const used = now.sum('process_cpu_seconds_total');
    const gone = stolenSeconds();
    say(
      [
        ((at - start) / 1_000).toFixed(0).padStart(4),
        ((consumed - events) / passed).toFixed(0).padStart(9),
        ((used - cpu) / passed).toFixed(2).padStart(6),
        ((gone - stolen) / passed).toFixed(2).padStart(7),
        String(now.sum('assay_consumer_lag_records')).padStart(7),
        (1_000 * now.sum('nodejs_eventloop_lag_p99_seconds')).toFixed(1).padStart(12),
        (1_000 * now.sum('nodejs_eventloop_lag_max_seconds')).toFixed(0).padStart(12),
        ((total - bytes) / passed / 1e6).toFixed(1).padStart(6),
        (now.sum('process_resident_memory_bytes') / 1e6).toFixed(0).padStart(7),
        String(now.sum('assay_pending_predictions')).padStart(8),
        now.milliseconds.toFixed(1).padStart(10),
        String(now.series).padStart(7),
      ].join(' '),
    );
    events = consumed;
    cpu = used;
    stolen = gone;
    bytes = total;
  }
}

async function afterSeconds<T>(wait: number, then: () => Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 1_000 * wait));
  return then();
}

/** Starts the service again and waits until it is ready. */
async function restart(how: string, config: string): Promise<Running> {
  const began = performance.now();
  const running = await start(config);
  const ready = async (): Promise<boolean> => (await fetch(`${running.url}/readyz`)).status === 200;
  // Asked all the time, it would answer instead of getting ready.
  await until('ready', () => afterSeconds(0.05, ready), 120_000);
  say(`restart after ${how}: ready in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  return running;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
