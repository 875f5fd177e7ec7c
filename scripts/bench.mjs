#!/usr/bin/env node
// npm run bench [-- core | match | forms | worst | scrape | truth | checkpoint | service | load | peers]: what things cost, as ratios measured side by side. Reports; asserts nothing.
import { build, installPackages, run, say } from './lib/setup.mjs';

const wanted = process.argv.slice(2);
const benches = ['core', 'match', 'forms', 'worst', 'scrape', 'truth', 'checkpoint', 'service', 'load', 'peers'].filter(
  (name) => wanted.includes(name) || (wanted.length === 0 && name !== 'load' && name !== 'peers'),
);
await installPackages();
await build();
for (const name of benches) process.exitCode ||= await bench(name);

async function bench(name) {
  if (!['service', 'load', 'peers'].includes(name))
    return await run(process.execPath, [`dist/bench/${name}.js`], process.env);
  const { startKafka } = await import('./lib/kafka-broker.mjs');
  const kafka = process.env.KAFKA_BROKERS ? undefined : await startKafka({ say });
  const address = process.env.KAFKA_BROKERS ?? kafka.address;
  try {
    return await run(process.execPath, [`dist/bench/${name}.js`], { ...process.env, ASSAY_TEST_KAFKA: address });
  } finally {
    await kafka?.stop();
  }
}
