#!/usr/bin/env node
// npm run demo:kafka [-- --rate 60]: what npm start shows, over a real broker: generated traffic, `assay run`, its page, until Ctrl-C.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { build, installPackages, say, succeed } from './lib/setup.mjs';

const program = join('dist', 'bin', 'assay.js');
const { values } = parseArgs({ options: { rate: { type: 'string', default: '60' } } });

const stopping = new AbortController();
// Ctrl-C at a terminal reaches every process of it, npm too: only this one acts on it, and once.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stopping.abort());
/** What has to be undone, the last first. */
const undo = [];

try {
  await main();
} catch (error) {
  if (!stopping.signal.aborted) {
    say(error.message);
    process.exitCode = 1;
  }
} finally {
  for (const step of undo.reverse()) {
    await step().catch((error) => {
      say(error.message);
      process.exitCode = 1;
    });
  }
}

async function main() {
  await installPackages();
  await build();
  const folder = await mkdtemp(join(tmpdir(), 'assay-demo-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const brokers = await startBroker();
  const topics = await createTopics(brokers);
  const { spike, lateAfterMs, addLate } = await writeTruth(folder);
  const service = startPart('assay run', [program, 'run', '-c', await writeConfig(folder, brokers, topics)]);
  const url = await addressOf(service);
  say(`Assay demo over Kafka at ${brokers}: open ${url}/ (metrics: ${url}/metrics). Ctrl-C stops it.`);
  const traffic = startPart('the traffic', [
    ...[join('deploy', 'compose', 'traffic.mjs'), 'send', '--brokers', brokers, '--topic', topics.predictions],
    ...['--rate', values.rate, '--calm', String(spike.afterMs / 1000), '--spike', String(spike.forMs / 1000)],
  ]);
  const late = setTimeout(() => addLate().catch((error) => say(error.message)), lateAfterMs);
  try {
    await Promise.race([service.failed, traffic.failed, told()]);
  } finally {
    clearTimeout(late);
  }
  say('Stopping ...');
}

/** Resolves with Ctrl-C. */
function told() {
  return new Promise((resolve) => {
    stopping.signal.addEventListener('abort', resolve);
    if (stopping.signal.aborted) resolve();
  });
}

/** KAFKA_BROKERS, or a broker of our own that goes with us. */
async function startBroker() {
  if (process.env.KAFKA_BROKERS) return process.env.KAFKA_BROKERS;
  const { startKafka } = await import('./lib/kafka-broker.mjs');
  const kafka = await startKafka({ say });
  undo.push(() => kafka.stop());
  return kafka.address;
}

/** Topics of their own, which go again: the broker may be one that others use. */
async function createTopics(brokers) {
  const { Kafka, logLevel } = await import('kafkajs');
  const predictions = `assay-demo-${Date.now().toString(36)}`;
  const dead = `${predictions}.dead`;
  const admin = new Kafka({ brokers: brokers.split(','), clientId: 'assay-demo', logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  undo.push(() => admin.disconnect());
  await admin.createTopics({
    topics: [
      { topic: predictions, numPartitions: 4 },
      { topic: dead, numPartitions: 1 },
    ],
  });
  undo.push(() => admin.deleteTopics({ topics: [predictions, dead] }));
  return { predictions, dead };
}

/** The truth as Arrow tables: most of it now, the rest when it is asked for. */
async function writeTruth(folder) {
  const { demoSpike, demoTraffic, isTruthLate, lateTruthAfterMs } = await import('#demo/scenario.js');
  const { createTraffic } = await import('#demo/traffic.js');
  const { examples } = createTraffic(demoTraffic);
  await mkdir(join(folder, 'truth'));
  const add = async (name, isWanted) => {
    const lines = examples.filter((_, index) => isWanted(index)).map(({ record }) => `${JSON.stringify(record)}\n`);
    const file = join(folder, `${name}.ndjson`);
    await writeFile(file, lines.join(''));
    const table = join(folder, 'truth', `${name}.arrow`);
    await succeed(process.execPath, [program, 'truth', 'build', file, '-o', table], 'The truth cannot be built');
  };
  await add('early', (index) => !isTruthLate(index));
  return { spike: demoSpike, lateAfterMs: lateTruthAfterMs, addLate: () => add('late', isTruthLate) };
}

/** A configuration for `assay run`; JSON is YAML. The port comes from ASSAY_HTTP__PORT, as for every command. */
async function writeConfig(folder, brokers, { predictions, dead }) {
  const config = {
    kafka: { brokers: brokers.split(','), topics: [predictions], dead_letter_topic: dead, group_id: predictions },
    truth: { paths: [join(folder, 'truth')] },
    state: { dir: join(folder, 'state') },
    snapshots: { dir: join(folder, 'snapshots') },
  };
  const file = join(folder, 'assay.yaml');
  await writeFile(file, JSON.stringify(config, null, 2));
  return file;
}

/** Starts a process that ends, in its turn, when everything is undone. In a group of its own, so that Ctrl-C does not end all at once. */
function startPart(name, args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'pipe'], detached: true });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise((resolve) => {
    child.on('close', (status) => {
      process.off('exit', kill);
      resolve(status);
    });
  });
  const lines = createInterface({ input: child.stderr });
  lines.on('line', (line) => {
    if (!line.includes('"level":"info"')) say(line);
  });
  undo.push(async () => {
    child.kill('SIGTERM');
    const status = await ended;
    if (status !== 0) throw new Error(`${name} ended with status ${status}`);
  });
  const failed = ended.then((status) => {
    if (!stopping.signal.aborted) throw new Error(`${name} ended by itself, with status ${status}`);
  });
  failed.catch(() => {});
  return { lines, failed };
}

/** The service logs where it serves. */
async function addressOf({ lines, failed }) {
  const address = new Promise((resolve) => {
    lines.on('line', (line) => {
      const [, url] = /"url":"([^"]+)"/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  return await Promise.race([address, failed]);
}
