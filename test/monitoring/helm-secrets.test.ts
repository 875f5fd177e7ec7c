import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';

test('the secrets that the chart refuses are all that the schema of assay.yaml has', () => {
  const schema = JSON.parse(readFileSync('deploy/helm/values.schema.json', 'utf8'));
  const secrets = secretsIn(schema.properties.config.properties.kafka);
  const listed = /"assay\.secretKeys" -}}\n([\s\S]+?)\n\{\{-? end/.exec(
    readFileSync('deploy/helm/templates/_config.tpl', 'utf8'),
  );
  assert.deepEqual(parse(listed![1]!).sort(), secrets.sort());
  assert.equal(secretsIn(schema).length, secrets.length);
});

/** Paths of the keys below a schema that are written and never shown. */
function secretsIn({ properties = {}, anyOf = [], writeOnly }: SchemaNode, path = ''): string[] {
  if (writeOnly === true) return [path];
  const below = Object.entries(properties).flatMap(([key, node]) =>
    secretsIn(node, path === '' ? key : `${path}.${key}`),
  );
  return [...below, ...anyOf.flatMap((node) => secretsIn(node, path))];
}

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
  readonly writeOnly?: boolean;
}
