#!/usr/bin/env node
// Traffic for compose.yaml, made by what `assay demo` is made of. It runs within the image of Assay, or beside a build.
//   traffic.mjs truth                                  prints the truth as NDJSON
//   traffic.mjs send --brokers B --topic T --rate N    sends predictions until it is stopped
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import { createTraffic } from '../dist/src/demo/traffic.js';

const tickMs = 200;
const spike = { model: 'atlas-mini', afterMs: 2 * 60_000, forMs: 15 * 60_000, everyMs: 60 * 60_000 };
/** One example in so many has no truth: its predictions wait, as some always do. */
const withoutTruth = 20;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    brokers: { type: 'string', default: 'localhost:9092' },
    topic: { type: 'string', default: 'predictions' },
    rate: { type: 'string', default: '60' },
    seconds: { type: 'string' },
  },
});
// Truth and predictions are made apart, and fit since they are made from one seed.
const traffic = createTraffic({ seed: 7, examples: 400, runs: 5, duplicates: 0.01, malformed: 0.005 });

if (positionals[0] === 'truth') printTruth();
else if (positionals[0] === 'send') await send();
else throw new Error('Say what to do: truth, or send');

function printTruth() {
  const known = traffic.examples.filter((_, index) => index % withoutTruth !== 0);
  process.stdout.write(known.map(({ record }) => `${JSON.stringify(record)}\n`).join(''));
}

async function send() {
  const kafka = new Kafka({ clientId: 'assay-traffic', brokers: values.brokers.split(','), logLevel: logLevel.WARN });
  const producer = kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
  const startMs = Date.now();
  const endMs = values.seconds === undefined ? Number.POSITIVE_INFINITY : startMs + 1000 * Number(values.seconds);
  let sent = 0;
  while (!stopping.signal.aborted && Date.now() < endMs) {
    const elapsedMs = Date.now() - startMs;
    const messages = [];
    for (; sent < (Number(values.rate) * elapsedMs) / 1000; sent++) {
      messages.push(...traffic.next(Date.now(), spiking(elapsedMs)));
    }
    if (messages.length > 0) await producer.send({ topic: values.topic, messages });
    await new Promise((resolve) => setTimeout(resolve, tickMs));
  }
  await producer.disconnect();
}

/** The model that is going wrong now. */
function spiking(elapsedMs) {
  const since = (elapsedMs - spike.afterMs) % spike.everyMs;
  return elapsedMs >= spike.afterMs && since < spike.forMs ? spike.model : undefined;
}
