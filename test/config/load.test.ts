import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Config } from '../../src/config/config.ts';
import { configOf, load, type Written } from '../support/configuration.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const flag = (path: readonly string[], value: unknown) => [{ path, value, place: '--flag' }];

const layers: readonly (readonly [string, Written, (config: Config) => unknown, unknown])[] = [
  ['a default', {}, (c) => c.http.port, 9464],
  ['the file over the default', { yaml: 'http: {port: 1}' }, (c) => c.http.port, 1],
  [
    'the environment over the file',
    { yaml: 'http: {port: 1}', environment: { ASSAY_HTTP__PORT: '2' } },
    (c) => c.http.port,
    2,
  ],
  [
    'a flag over the environment',
    { yaml: 'http: {port: 1}', environment: { ASSAY_HTTP__PORT: '2' }, flags: flag(['http', 'port'], 3) },
    (c) => c.http.port,
    3,
  ],
  [
    'sections of the layers are merged key by key',
    { yaml: 'http: {port: 1, host: h}', environment: { ASSAY_HTTP__SAMPLES: '5' } },
    (c) => c.http,
    { host: 'h', port: 1, samples: 5, metrics: [], redact: [] },
  ],
  [
    'a list is replaced as a whole',
    { yaml: 'kafka: {topics: [a, b]}', environment: { ASSAY_KAFKA__TOPICS: '[c]' } },
    (c) => c.kafka.topics,
    ['c'],
  ],
  [
    'null says nothing',
    { yaml: 'http:\nkafka: {truth_topic: ~, topics: null}' },
    (c) => c.kafka.truth_topic,
    undefined,
  ],
  [
    'null does not unset what a lower layer says',
    { yaml: 'http: {port: 1}', environment: { ASSAY_HTTP__PORT: '~' } },
    (c) => c.http.port,
    1,
  ],
  [
    'an empty variable counts as absent',
    { yaml: 'state: {dir: d}', environment: { ASSAY_STATE__DIR: '' } },
    (c) => c.state.dir,
    'd',
  ],
  ['an empty file is a configuration', { yaml: '# nothing\n' }, (c) => c.grace.text, '25s'],
  [
    'a variable for a text is taken as it is',
    { environment: { ASSAY_KAFKA__GROUP_ID: '123', ASSAY_KAFKA__CLIENT_ID: '[a: *b' } },
    (c) => [c.kafka.group_id, c.kafka.client_id],
    ['123', '[a: *b'],
  ],
  [
    'a variable for anything else is YAML in flow syntax',
    {
      environment: {
        ASSAY_KAFKA__BROKERS: '[a:9092, b:9092]',
        ASSAY_TIME__WINDOWS: '[1h, 5m]',
        ASSAY_TRUTH__WATCH: 'false',
        ASSAY_SLICES__X: '',
      },
    },
    (c) => [c.kafka.brokers, c.time.windows, c.truth.watch],
    [
      ['a:9092', 'b:9092'],
      [
        { text: '5m', ms: 300_000 },
        { text: '1h', ms: 3_600_000 },
      ],
      false,
    ],
  ],
  [
    'a variable reaches any depth',
    { environment: { ASSAY_METRICS__TRAJECTORY__WEIGHTS__NAME: '2' } },
    (c) => c.metrics.trajectory.weights,
    { name: 2, params: 0.4, order: 0.2 },
  ],
  [
    'a variable may give a whole section',
    { environment: { ASSAY_KAFKA__SASL: '{mechanism: plain, username: u, password: p}' } },
    (c) => c.kafka.sasl,
    { mechanism: 'plain', username: 'u', password: 'p' },
  ],
  [
    'names without two underscores are left alone',
    { environment: { ASSAY_PORT: 'tcp://10.0.0.1:9464', ASSAY_GRACE: '1s', OTHER__KEY: 'x' } },
    (c) => c.grace.text,
    '25s',
  ],
  [
    'a list in a variable',
    { environment: { ASSAY_KAFKA__BROKERS: 'a:1,b:2' } },
    (c) => c.kafka.brokers,
    ['a:1', 'b:2'],
  ],
  ['a list of one', { environment: { ASSAY_KAFKA__TOPICS: 'calls' } }, (c) => c.kafka.topics, ['calls']],
  ['a key of ssl switches it on', { yaml: 'kafka: {ssl: {ca: PEM}}' }, (c) => c.kafka.ssl, { ca: 'PEM' }],
  [
    'a key of ssl lies over a plain true',
    { yaml: 'kafka: {ssl: true}', environment: { ASSAY_KAFKA__SSL__CA: 'PEM' } },
    (c) => c.kafka.ssl,
    { ca: 'PEM' },
  ],
  [
    'a starting point may be a time',
    { yaml: 'kafka: {from: 2026-05-01T00:00:00Z}' },
    (c) => c.kafka.from,
    { text: '2026-05-01T00:00:00Z', ms: Date.UTC(2026, 4, 1) },
  ],
  ['windows may be none', { yaml: 'time: {windows: []}' }, (c) => c.time.windows, []],
  [
    'a family has the mode of metrics',
    { yaml: 'metrics: {mode: upstream, schema: {mode: spec}}' },
    (c) => [c.metrics.schema.mode, c.metrics.trajectory.mode],
    ['spec', 'upstream'],
  ],
  [
    'invalid_as follows the mode',
    { yaml: 'metrics: {decision: {mode: upstream}}' },
    (c) => c.metrics.decision.invalid_as,
    'cannot_answer',
  ],
  [
    'invalid_as that is given stays',
    { yaml: 'metrics: {mode: upstream, decision: {invalid_as: wrong}}' },
    (c) => c.metrics.decision.invalid_as,
    'wrong',
  ],
  [
    'weights of trajectory that are given keep the default of the others',
    { yaml: 'metrics: {trajectory: {weights: {order: 0}}}' },
    (c) => c.metrics.trajectory.weights,
    { name: 0.4, params: 0.4, order: 0 },
  ],
  [
    'weights of schema that are given make the others 0',
    { yaml: 'metrics: {schema: {weights: {tool_selection: 1}}}' },
    (c) => c.metrics.schema.weights,
    { tool_selection: 1, parameter_accuracy: 0, execution_success: 0, response_quality: 0 },
  ],
  [
    'weights of schema have a default as a whole',
    {},
    (c) => c.metrics.schema.weights,
    { tool_selection: 0.4, parameter_accuracy: 0.35, execution_success: 0.25, response_quality: 0 },
  ],
  [
    'thresholds may be any finite number',
    { yaml: 'metrics: {tool_calls: {threshold: -1.5}}' },
    (c) => c.metrics.tool_calls.threshold,
    -1.5,
  ],
  [
    'a tag may have any name',
    { yaml: 'slices: [[tags.a b, model], [tags.__proto__]]' },
    (c) => c.slices,
    [['tags.a b', 'model'], ['tags.__proto__']],
  ],
];

for (const [name, written, read, expected] of layers) {
  test(name, (context) => {
    assert.deepEqual(read(configOf(context, written)), expected);
  });
}

test('a text can come from a file, without its last line end', (context) => {
  const folder = temporaryFolder(context);
  const file = join(folder, 'password');
  for (const [content, expected] of [
    ['hunter2\n', 'hunter2'],
    ['hunter2\r\n', 'hunter2'],
    ['hunter2', 'hunter2'],
    [' a\nb \n\n', ' a\nb \n'],
  ] as const) {
    writeFileSync(file, content);
    const environment = {
      ASSAY_KAFKA__SASL: '{mechanism: plain, username: u}',
      ASSAY_KAFKA__SASL__PASSWORD_FILE: file,
    };
    assert.equal(configOf(context, { environment }).kafka.sasl?.password, expected);
  }
});

const warned: readonly (readonly [string, string, readonly string[]])[] = [
  ['nothing to warn of', '', []],
  [
    'weights of schema that do not add up to 1',
    'metrics: {schema: {weights: {tool_selection: 2, parameter_accuracy: 0.5}}}',
    ['metrics.schema.weights: add up to 2.5, not 1; the overall score is on that scale'],
  ],
  [
    'a window that is no multiple of the pane',
    'time: {windows: [15s, 1m]}',
    ['time.windows: 15s is no multiple of time.pane (10s); it covers 20s'],
  ],
  [
    'a password in the clear',
    'kafka: {sasl: {mechanism: plain, username: u, password: hunter2}}',
    ['kafka.sasl: mechanism plain without kafka.ssl sends the password unencrypted'],
  ],
];

for (const [name, yaml, expected] of warned) {
  test(`warning: ${name}`, (context) => {
    assert.deepEqual(load(context, { yaml }).warnings, expected);
  });
}

test('a variable with one underscore too few gets a hint, what others put there is left alone', (context) => {
  const environment = { ASSAY_KAFKA_BROKERS: 'a:1', ASSAY_PORT: 'tcp://10.0.0.1:80', ASSAY_HTTP_PORT: '' };
  const { config, warnings } = load(context, { environment });
  assert.deepEqual(config.kafka.brokers, []);
  assert.deepEqual(warnings, ['ASSAY_KAFKA_BROKERS sets nothing; did you mean ASSAY_KAFKA__BROKERS?']);
});
