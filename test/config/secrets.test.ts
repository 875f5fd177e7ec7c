import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal, type Written } from '../support/configuration.ts';

const secrets: readonly (readonly [string, Written])[] = [
  ['a value of the wrong type', { yaml: 'kafka: {sasl: {mechanism: plain, username: u, password: [hunter2]}}' }],
  ['a section of the wrong type', { yaml: 'kafka: {sasl: hunter2}' }],
  ['a private key of the wrong type', { yaml: 'kafka: {ssl: {key: {hunter2: hunter2}}}' }],
  ['an alias', { yaml: 'kafka: {sasl: {password: *hunter2}}' }],
  ['a tag', { yaml: 'kafka: {sasl: {password: !hunter2 x}}' }],
  ['broken YAML', { yaml: 'kafka:\n  sasl:\n    password: "hunter2' }],
  ['a reserved character', { yaml: 'kafka:\n  sasl:\n    password: @hunter2' }],
  ['broken YAML in a variable', { environment: { ASSAY_KAFKA__SASL: '{password: hunter2' } }],
  ['a login in a broker', { yaml: 'kafka: {brokers: ["u:hunter2@a:9092"]}' }],
  ['a login in a variable', { environment: { ASSAY_KAFKA__BROKERS: 'u:hunter2@a:9092' } }],
  ['a wrong variable', { environment: { ASSAY_KAFKA__SASL: '[hunter2]' } }],
];

for (const [name, written] of secrets) {
  test(`no message holds a secret: ${name}`, (context) => {
    const lines = refusal(context, written);
    assert.ok(lines.length > 0);
    assert.doesNotMatch(lines.join('\n'), /hunter2/);
  });
}
