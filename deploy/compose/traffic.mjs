#!/usr/bin/env node
// Traffic for compose.yaml, made by what `assay demo` is made of. It runs within the image of Assay, or beside a build.
//   traffic.mjs truth                                  prints the truth as NDJSON
//   traffic.mjs send --brokers B --topic T --rate N    sends predictions until it is stopped; --calm S, --spike S: seconds until a
//                                                      model goes wrong, and of that, every hour
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { demoSpike, demoTraffic, spikingAt } from '#demo/scenario.js';
import { createTraffic } from '#demo/traffic.js';

const tickMs = 200;
/** One example in so many has no truth: its predictions wait, as some always do. */
const withoutTruth = 20;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    brokers: { type: 'string', default: 'localhost:9092' },
    topic: { type: 'string', default: 'predictions' },
    rate: { type: 'string', default: '60' },
    calm: { type: 'string', default: '120' },
    spike: { type: 'string', default: '900' },
  },
});
const spike = { ...demoSpike, afterMs: 1000 * Number(values.calm), forMs: 1000 * Number(values.spike) };
const traffic = createTraffic(demoTraffic);

if (positionals[0] === 'truth') printTruth();
else if (positionals[0] === 'send') await send();
else throw new Error('Say what to do: truth, or send');

function printTruth() {
  const known = traffic.examples.filter((_, index) => index % withoutTruth !== 0);
  process.stdout.write(known.map(({ record }) => `${JSON.stringify(record)}\n`).join(''));
}

async function send() {
  const kafka = new Kafka({ clientId: 'assay-traffic', brokers: values.brokers.split(','), logLevel: logLevel.WARN });
  const createPartitioner = Partitioners.DefaultPartitioner;
  const producer = kafka.producer({ allowAutoTopicCreation: false, createPartitioner });
  await producer.connect();
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
  const startMs = Date.now();
  let sent = 0;
  while (!stopping.signal.aborted) {
    const elapsedMs = Date.now() - startMs;
    const messages = [];
    for (; sent < (Number(values.rate) * elapsedMs) / 1000; sent++) {
      messages.push(...traffic.next(Date.now(), spikingAt(spike, elapsedMs)));
    }
    if (messages.length > 0) await producer.send({ topic: values.topic, messages });
    await new Promise((resolve) => setTimeout(resolve, tickMs));
  }
  await producer.disconnect();
}
