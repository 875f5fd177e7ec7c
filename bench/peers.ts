import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { testKafka } from '../test/support/kafka.ts';
import { bookingTraffic } from './booking-traffic.ts';
import {
  decisionOnly,
  type FilledTopic,
  fillTopic,
  printedBy,
  serviceCpu,
  serviceWall,
  stockCpu,
} from './consumers.ts';
import { table } from './measure.ts';
import { methodPackages, methodsBesideReplay } from './methods-peer.ts';
import { replayAgainstPolars } from './replay-peer.ts';
import { repeatingTopic, uniqueTopic, writeLines } from './topics.ts';

/**
 * Assay beside what else one would take, in turn, over the same prefilled topics of a real broker: stock kafkajs + JSON.parse at its best
 * settings; Kafka Streams, exactly once; Python with orjson and prometheus_client, without state that survives it. The last two only where
 * their packages can be had. Threads. Then `replay` of a file beside Polars, and beside the published Python of the methods. BENCH_MESSAGES=20000 BENCH_ROUNDS=1 BENCH_FILE_MB=50 is a look of two
 * minutes; few messages cost more each, since every process begins cold.
 */
const messages = Number(process.env['BENCH_MESSAGES'] ?? 1_000_000);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);
const fileBytes = Number(process.env['BENCH_FILE_MB'] ?? 1_024) * 1e6;
const kafka = await testKafka((process.env['ASSAY_TEST_KAFKA'] ?? '').split(','));
const folder = mkdtempSync(join(tmpdir(), 'assay-peers-'));
const bench = { kafka, folder, empty: await kafka.freshTopic(4) };
/** Each event has a row of truth, which every peer but Assay holds as an object. */
const unique = await uniqueTopic(bench, Math.ceil(messages / 5));
const short = await repeatingTopic(bench, messages);
const long = await longTopic();
const orjson = await python(['confluent-kafka==2.16.1', 'orjson==3.13.0', 'prometheus-client==0.26.0']);
const polars = await python();
const methods = await python(methodPackages);
const streams = await streamsJars();

interface Peer {
  readonly name: string;
  run(): Promise<number>;
}

const ofUnique = peersOf(unique, unique.lines);
const ofShort = peersOf(short, short.truth);
const ofLong: Peer[] = [
  { name: 'stock kafkajs eachBatch + JSON.parse', run: () => stockCpu(bench, long) },
  { name: 'assay run, decision only', run: () => serviceCpu(bench, long, decisionOnly) },
  { name: 'assay run, all families', run: () => serviceCpu(bench, long, {}) },
];
const ofThreads: Peer[] = [1, 2].map((threads) => ({
  name: `assay run, run.threads: ${threads}`,
  run: () => serviceWall(bench, short, threads),
}));
const micros = new Map([...ofUnique, ...ofShort, ...ofLong, ...ofThreads].map((peer): [Peer, number[]] => [peer, []]));
for (let round = 0; round < rounds; round++) for (const [peer, of] of micros) of.push(await peer.run());
report(`Peers: CPU a message, ${unique.messages} events of 0.9 KB, each example and content once`, ofUnique);
report(`Peers: CPU a message, ${messages} events of 0.9 KB, contents repeat`, ofShort);
report(`Peers: CPU a message, ${long.messages} events of calls, 2.7 KB`, ofLong);
report('Threads: wall time an event of 0.9 KB, all families, with the broker on the same machine', ofThreads);
if (polars === undefined) process.stdout.write('Peers: no Polars to compare replay with\n');
else process.stdout.write(`${await replayAgainstPolars({ folder, polars, bytes: fileBytes, rounds })}\n`);
if (methods === undefined) process.stdout.write('Peers: no ragas and agentevals to compare replay with\n');
else process.stdout.write(`${await methodsBesideReplay(folder, methods, rounds)}\n`);
await kafka.admin.disconnect();
rmSync(folder, { recursive: true });

/** `lines` has the truth as NDJSON. */
function peersOf(topic: FilledTopic, lines: string): Peer[] {
  return [
    { name: 'stock kafkajs eachBatch + JSON.parse', run: () => stockCpu(bench, topic) },
    { name: 'assay run, decision only', run: () => serviceCpu(bench, topic, decisionOnly) },
    { name: 'assay run, all families', run: () => serviceCpu(bench, topic, {}) },
    ...(streams === undefined
      ? []
      : [{ name: 'Kafka Streams, exactly once, decision only', run: () => streamsCpu(streams, topic, lines) }]),
    ...(orjson === undefined
      ? []
      : [{ name: 'orjson + prometheus_client', run: () => orjsonCpu(orjson, topic, lines) }]),
  ];
}

function report(title: string, peers: readonly Peer[]): void {
  const measured = peers.map((peer) => ({ name: peer.name, micros: micros.get(peer)! }));
  const load = loadavg().map((each) => each.toFixed(1));
  process.stdout.write(`${table(`${title} (load ${load.join(', ')})`, measured, measured[0]!.name)}\n`);
}

async function longTopic(): Promise<FilledTopic> {
  const traffic = bookingTraffic();
  const count = Math.ceil(messages / 3);
  const name = await fillTopic(kafka, count, (made) => [traffic.next(Date.now() - 10 * (count - made))]);
  return { name, messages: count, truth: writeLines(join(folder, 'bookings.ndjson'), traffic.truth) };
}

function orjsonCpu(interpreter: string, { name, messages: count }: FilledTopic, truth: string): Promise<number> {
  const args = [kafka.brokers.join(), name, kafka.freshGroup(), String(count), truth];
  return printedBy(interpreter, [resolve('bench', 'orjson_consumer.py'), ...args]);
}

function streamsCpu(jars: string, { name, messages: count }: FilledTopic, truth: string): Promise<number> {
  const args = [kafka.brokers.join(), name, kafka.freshGroup(), String(count), truth, join(folder, 'streams')];
  const flags = ['-Dorg.slf4j.simpleLogger.defaultLogLevel=error', '-cp', join(jars, '*')];
  return printedBy('java', [...flags, resolve('bench', 'StreamsPeer.java'), ...args]);
}

/** The folder of the jars of Kafka Streams. */
async function streamsJars(): Promise<string | undefined> {
  const { kafkaJars, defaultKafkaVersion } = await script<{
    defaultKafkaVersion: string;
    kafkaJars(options: object): Promise<string>;
  }>('kafka-jars.mjs');
  return await unlessMissing(
    'Kafka Streams',
    kafkaJars({ version: defaultKafkaVersion, artifact: 'kafka-streams', say }),
  );
}

/** An interpreter with packages (by default those of the tests). */
async function python(packages?: readonly string[]): Promise<string | undefined> {
  const { pythonEnv } = await script<{ pythonEnv(options: object): Promise<string> }>('python-env.mjs');
  return await unlessMissing(packages?.join(', ') ?? 'Polars', pythonEnv({ say, ...(packages && { packages }) }));
}

async function script<Exports>(name: string): Promise<Exports> {
  return (await import(pathToFileURL(resolve('scripts', 'lib', name)).href)) as Exports;
}

/** Where something lies; undefined, with a word, where it cannot be had. */
async function unlessMissing(what: string, place: Promise<string>): Promise<string | undefined> {
  try {
    return await place;
  } catch (error) {
    say(`Peers: without ${what}: ${(error as Error).message}`);
    return undefined;
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
