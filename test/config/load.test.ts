import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Environment } from '../../src/config/environment.ts';
import { configOf, load } from '../support/configuration.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What a file says, the values of keys that come of it, and of variables. */
const layers: readonly (readonly [what: string, yaml: string, values: object, environment?: Environment])[] = [
  ['a default', '', { 'http.port': 9464 }],
  ['the file over the default', 'http: {port: 1}', { 'http.port': 1 }],
  ['the environment over the file', 'http: {port: 1}', { 'http.port': 2 }, { ASSAY_HTTP__PORT: '2' }],
  [
    'sections of the layers are merged key by key',
    'http: {port: 1, host: h}',
    { http: { host: 'h', port: 1, samples: 5, metrics: [], redact: [] } },
    { ASSAY_HTTP__SAMPLES: '5' },
  ],
  [
    'a list is replaced as a whole',
    'kafka: {topics: [a, b]}',
    { 'kafka.topics': ['c'] },
    { ASSAY_KAFKA__TOPICS: '[c]' },
  ],
  ['null says nothing', 'http:\nkafka: {truth_topic: ~, topics: null}', { 'kafka.truth_topic': undefined }],
  ['null does not unset what a lower layer says', 'http: {port: 1}', { 'http.port': 1 }, { ASSAY_HTTP__PORT: '~' }],
  ['an empty variable counts as absent', 'state: {dir: d}', { 'state.dir': 'd' }, { ASSAY_STATE__DIR: '' }],
  ['an empty file is a configuration', '# nothing\n', { 'grace.text': '25s' }],
  [
    'a variable for a text is taken as it is',
    '',
    { 'kafka.group_id': '123', 'kafka.client_id': '[a: *b' },
    { ASSAY_KAFKA__GROUP_ID: '123', ASSAY_KAFKA__CLIENT_ID: '[a: *b' },
  ],
  [
    'a variable for anything else is YAML in flow syntax',
    '',
    {
      'kafka.brokers': ['a:9092', 'b:9092'],
      'time.windows': [
        { text: '5m', ms: 300_000 },
        { text: '1h', ms: 3_600_000 },
      ],
      'truth.watch': false,
    },
    {
      ASSAY_KAFKA__BROKERS: '[a:9092, b:9092]',
      ASSAY_TIME__WINDOWS: '[1h, 5m]',
      ASSAY_TRUTH__WATCH: 'false',
      ASSAY_SLICES__X: '',
    },
  ],
  [
    'a variable reaches any depth',
    '',
    { 'metrics.trajectory.weights': { name: 2, params: 0.4, order: 0.2 } },
    { ASSAY_METRICS__TRAJECTORY__WEIGHTS__NAME: '2' },
  ],
  [
    'a variable may give a whole section',
    '',
    { 'kafka.sasl': { mechanism: 'plain', username: 'u', password: 'p' } },
    { ASSAY_KAFKA__SASL: '{mechanism: plain, username: u, password: p}' },
  ],
  [
    'names without two underscores are left alone',
    '',
    { 'grace.text': '25s' },
    { ASSAY_PORT: 'tcp://10.0.0.1:9464', ASSAY_GRACE: '1s', OTHER__KEY: 'x' },
  ],
  ['a list in a variable', '', { 'kafka.brokers': ['a:1', 'b:2'] }, { ASSAY_KAFKA__BROKERS: 'a:1,b:2' }],
  ['a list of one', '', { 'kafka.topics': ['calls'] }, { ASSAY_KAFKA__TOPICS: 'calls' }],
  ['a key of ssl switches it on', 'kafka: {ssl: {ca: PEM}}', { 'kafka.ssl': { ca: 'PEM' } }],
  [
    'a key of ssl lies over a plain true',
    'kafka: {ssl: true}',
    { 'kafka.ssl': { ca: 'PEM' } },
    { ASSAY_KAFKA__SSL__CA: 'PEM' },
  ],
  [
    'a starting point may be a time',
    'kafka: {from: 2026-05-01T00:00:00Z}',
    { 'kafka.from': { text: '2026-05-01T00:00:00Z', ms: Date.UTC(2026, 4, 1) } },
  ],
  ['windows may be none', 'time: {windows: []}', { 'time.windows': [] }],
  [
    'a family has the mode of metrics',
    'metrics: {mode: upstream, schema: {mode: spec}}',
    { 'metrics.schema.mode': 'spec', 'metrics.trajectory.mode': 'upstream' },
  ],
  [
    'invalid_as follows the mode',
    'metrics: {decision: {mode: upstream}}',
    { 'metrics.decision.invalid_as': 'cannot_answer' },
  ],
  [
    'invalid_as that is given stays',
    'metrics: {mode: upstream, decision: {invalid_as: wrong}}',
    { 'metrics.decision.invalid_as': 'wrong' },
  ],
  [
    'weights of trajectory that are given keep the default of the others',
    'metrics: {trajectory: {weights: {order: 0}}}',
    { 'metrics.trajectory.weights': { name: 0.4, params: 0.4, order: 0 } },
  ],
  [
    'weights of schema that are given make the others 0',
    'metrics: {schema: {weights: {tool_selection: 1}}}',
    {
      'metrics.schema.weights': { tool_selection: 1, parameter_accuracy: 0, execution_success: 0, response_quality: 0 },
    },
  ],
  [
    'weights of schema have a default as a whole',
    '',
    {
      'metrics.schema.weights': {
        tool_selection: 0.4,
        parameter_accuracy: 0.35,
        execution_success: 0.25,
        response_quality: 0,
      },
    },
  ],
  [
    'thresholds may be any finite number',
    'metrics: {tool_calls: {threshold: -1.5}}',
    { 'metrics.tool_calls.threshold': -1.5 },
  ],
  [
    'a tag may have any name',
    'slices: [[tags.a b, model], [tags.__proto__]]',
    { slices: [['tags.a b', 'model'], ['tags.__proto__']] },
  ],
];

for (const [name, yaml, values, environment = {}] of layers) {
  test(name, (context) => {
    const config: unknown = configOf(context, { yaml, environment });
    for (const [key, value] of Object.entries(values))
      assert.deepEqual(
        key.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], config),
        value,
      );
  });
}

test('a flag over the environment', (context) => {
  const flags = [{ path: ['http', 'port'], value: 3, place: '--flag' }];
  const written = { yaml: 'http: {port: 1}', environment: { ASSAY_HTTP__PORT: '2' }, flags };
  assert.equal(configOf(context, written).http.port, 3);
});

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
