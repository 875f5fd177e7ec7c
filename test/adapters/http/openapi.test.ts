import { createReviewed } from '../../../src/service/review.ts';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openApiRoute } from '../../../src/adapters/http/page-routes.ts';
import { openApiFile } from '../../../src/documents/package-folder.ts';
import { doorOf } from '../../../src/service/door.ts';
import { createIngestCounts } from '../../../src/telemetry.ts';
import { configOf } from '../../support/configuration.ts';
import { memoryIntake } from '../../support/door.ts';
import { ask, serving } from '../../support/http.ts';

const source = readFileSync(openApiFile, 'utf8');
const document = JSON.parse(source) as { readonly paths: Readonly<Record<string, object>> };

const problemsOf = async (text: string): Promise<string[]> => {
  const config = await createConfig({
    extends: ['recommended-strict'],
    // Forms of calls are told by a key that must be there, whatever it holds.
    rules: { 'no-required-schema-properties-undefined': 'off' },
  });
  const found = await lintFromString({ source: text, config });
  return found
    .filter(({ ignored }) => !ignored)
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`);
};

test('the document keeps the rules of OpenAPI 3.1', async () => {
  assert.deepEqual(await problemsOf(source), []);
  const [first] = await problemsOf(source.replace('"operationId": "truth"', '"operationId": "events"'));
  assert.match(String(first), /operation-operationId-unique/, 'a planted problem is found');
});

test('the document has the paths that take records, and no others', (context) => {
  const door = { intake: memoryIntake(), signal: new AbortController().signal };
  const routes = doorOf(configOf(context, {}), door, createIngestCounts(), createReviewed());
  const served = routes.map(({ path, method }) => `${method.toLowerCase()} ${path.replace(/\/$/, '/{example_id}')}`);
  const named = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => method !== 'get')
      .map((method) => `${method} ${path}`),
  );
  assert.deepEqual(named.sort(), served.sort());
});

test('the document is served', () =>
  serving([openApiRoute(openApiFile)], async (server) => {
    const answer = await ask(server, '/api/openapi.json');
    assert.deepEqual([answer.status, answer.headers['content-type']], [200, 'application/json; charset=utf-8']);
    assert.deepEqual(JSON.parse(answer.bytes.toString()), document);
  }));
