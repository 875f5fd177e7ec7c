import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { configYaml } from '../../src/config/config-yaml.ts';
import { configJsonSchema, holdsSecret, pathsOf, schemaAt } from '../../src/config/json-schema.ts';
import { configOf } from '../support/configuration.ts';

const schema = configJsonSchema();

test('every key has a description, an example, and a default unless it is optional', () => {
  const optional: string[] = [];
  for (const path of pathsOf(schema)) {
    const node = schemaAt(schema, path)!;
    assert.ok(node.description, `${path.join('.')} has no description`);
    if (node.type !== 'object') assert.equal(node.examples?.length, 1, `${path.join('.')} has no example`);
    if (!('default' in node)) optional.push(path.join('.'));
  }
  assert.deepEqual(
    optional.filter((key) => !/^kafka\.(ssl|sasl|schema_registry)\.|^judge\.\w+\.|^metrics\.\w+\.mode$/.test(key)),
    [
      ...[
        'kafka.truth_topic',
        'kafka.feedback_topic',
        'kafka.judgements_topic',
        'kafka.dead_letter_topic',
        'kafka.sasl',
        'kafka.schema_registry',
        'ingest.to',
      ],
      ...[
        'input.format',
        'input.response',
        'input.request',
        'runs.by',
        'runs.number',
        'runs.split',
        'decision.rules',
        'metrics.decision.invalid_as',
        'metrics.match.profile',
        'metrics.match.overrides',
        'watches',
        'judge.semantic',
        'judge.judge',
        'state.cache',
        's3.endpoint',
        's3.region',
        's3.path_style',
        'snapshots.dir',
      ],
      ...['http.show_content', 'http.web_config', 'http.expose', 'http.allowed_hosts'],
      'page.marks',
      ...['links.trace', 'links.page', 'links.dashboard', 'links.runbooks'],
    ],
  );
});

test('every example is accepted, and differs from the default', (context) => {
  const endpoint = { endpoint: 'https://judge.example.com/v1', model: 'm' };
  const needed = {
    'kafka.sasl': { mechanism: 'plain', username: 'u', password: 'p' },
    'kafka.schema_registry': { url: 'https://registry', username: 'u', password: 'p' },
    'judge.semantic': endpoint,
    'judge.judge': endpoint,
  };
  for (const path of pathsOf(schema)) {
    const { type, default: byDefault, examples } = schemaAt(schema, path)!;
    if (type === 'object') continue;
    const [value] = examples!;
    assert.notDeepEqual(value, byDefault, path.join('.'));
    const beside = Object.entries(needed).find(([section]) => path.join('.').startsWith(section));
    const flags = [
      ...(path.join('.') === 'page.marks' ? [{ path: ['slices'], value: [[value]] }] : []),
      ...(path.join('.') === 'ingest.to' ? [{ path: ['kafka', 'topics'], value: ['predictions'] }] : []),
      ...(beside === undefined ? [] : [{ path: beside[0].split('.'), value: beside[1] }]),
      { path, value },
    ];
    assert.ok(configOf(context, { flags: flags.map((one) => ({ ...one, place: 'example' })) }), path.join('.'));
  }
});

test('the secrets are known', () => {
  const secrets = pathsOf(schema).filter((path) => {
    const node = schemaAt(schema, path)!;
    return node.type === 'string' && holdsSecret(node);
  });
  assert.deepEqual(
    secrets.map((path) => path.join('.')),
    ['ssl.key', 'ssl.passphrase', 'sasl.password', 'sasl.client_secret', 'schema_registry.password'].map(
      (name) => `kafka.${name}`,
    ),
  );
});

test('an editor agrees with what is printed, and sees a typo', (context) => {
  const valid = new Ajv({ strict: false }).compile(schema);
  const printed = parse(configYaml(configOf(context, { yaml: 'kafka: {ssl: {ca: x}}' }))) as { time: object };
  assert.ok(valid(printed), JSON.stringify(valid.errors));
  assert.ok(!valid({ ...printed, time: { ...printed.time, pane: 10 } }));
  assert.ok(!valid({ ...printed, tiem: {} }));
});
