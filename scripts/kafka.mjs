#!/usr/bin/env node
// npm run kafka [-- --brokers 3] [-- --version 3.9.1] [-- --port 9092]: a Kafka to try things on, until Ctrl-C.
import { parseArgs } from 'node:util';
import { defaultKafkaVersion } from './lib/kafka-jars.mjs';
import { installPackages } from './lib/setup.mjs';

const help = `Starts a Kafka on this machine, for development; Ctrl-C stops it and removes its data.

  --brokers 1|3    number of brokers (1)
  --version X.Y.Z  Kafka version (${defaultKafkaVersion})
  --port PORT      port of the first broker (a free one)

KAFKA_BROKERS=host:port in the environment says that a Kafka is already running: then nothing is started.`;

try {
  await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function main() {
  const { values } = parseArgs({
    options: {
      brokers: { type: 'string', default: '1' },
      version: { type: 'string', default: defaultKafkaVersion },
      port: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return console.log(help);
  if (process.env.KAFKA_BROKERS)
    return console.log(`KAFKA_BROKERS is set; using the Kafka at ${process.env.KAFKA_BROKERS}`);
  await installPackages();
  const { startKafka } = await import('./lib/kafka-broker.mjs');
  const kafka = await startKafka({
    brokers: Number(values.brokers),
    version: values.version,
    ...(values.port === undefined ? {} : { port: port(values.port) }),
    say: (line) => console.error(line),
  });
  console.log(kafka.address);
  console.error(`Kafka is ready at ${kafka.address}; Ctrl-C stops it.`);
  // The pending timer keeps the process alive until a signal comes.
  const alive = setInterval(() => {}, 1 << 30);
  const stop = async () => {
    clearInterval(alive);
    console.error('Stopping Kafka ...');
    await kafka.stop();
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

function port(text) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 65_000)
    throw new Error(`--port ${text}: give a number from 1 to 65000`);
  return number;
}
