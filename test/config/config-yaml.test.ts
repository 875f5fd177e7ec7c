import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configYaml } from '../../src/config/config-yaml.ts';
import { configOf } from '../support/configuration.ts';

const full = `
kafka:
  brokers: [a:9092, b:9092]
  topics: [predictions]
  from: 2026-05-01
  ssl: {ca: "CA\\nPEM", key: hunter2, passphrase: hunter2}
  sasl: {mechanism: scram-sha-512, username: u, password: hunter2}
time: {pane: 1m, windows: [7d, 60m]}
slices: [[model, tags.region]]
metrics: {mode: upstream, schema: {weights: {tool_selection: 1}}}
`;

test('the defaults, printed and loaded again, are the defaults', (context) => {
  const config = configOf(context, {});
  assert.deepEqual(configOf(context, { yaml: configYaml(config) }), config);
});

test('a configuration, printed and loaded again, is the same but for its secrets', (context) => {
  const config = configOf(context, { yaml: full });
  const again = configOf(context, { yaml: configYaml(config) });
  const mask = '********';
  assert.deepEqual(again, {
    ...config,
    kafka: {
      ...config.kafka,
      ssl: { ca: 'CA\nPEM', key: mask, passphrase: mask },
      sasl: { mechanism: 'scram-sha-512', username: 'u', password: mask },
    },
  });
});

test('what is printed is what was written, defaults filled in', (context) => {
  const printed = configYaml(configOf(context, { yaml: full }));
  assert.match(printed, /^ {2}from: 2026-05-01$/m);
  assert.match(printed, /^ {2}windows: \[60m, 7d\]$/m);
  assert.match(printed, /^slices: \[\[model, tags\.region\]\]$/m);
  assert.match(printed, /^ {2}schema:\n {4}enabled: true\n {4}mode: upstream\n/m);
  assert.match(printed, /^grace: 25s$/m);
  assert.doesNotMatch(printed, /hunter2/);
});
