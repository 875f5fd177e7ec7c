import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryRoute } from '../../../../src/adapters/http/routes.ts';
import { shutRoutes } from '../../../../src/adapters/http/ingest/door.ts';
import { besideKafka } from '../../../../src/service/door.ts';
import { jsonOf, withDoor } from '../../../support/door.ts';
import { type Asked, ask, hello, serving } from '../../../support/http.ts';

const summary = summaryRoute({ slices: [''], windows: ['all'], summary: () => '{}' });
const reads = [hello, summary];
const json = { 'content-type': 'application/json' };
const event = '{"example_id": "a", "tool_calls": []}';
const post = (body: string, headers: Readonly<Record<string, string>> = json): Asked => ({
  ...{ method: 'POST', body, headers },
});

const cases: readonly (readonly [why: string, path: string, asked: Asked, status: number])[] = [
  ['an unknown path', '/v1/metrics', post('{}'), 404],
  ['an unknown path of the API', '/api/v2', {}, 404],
  ['a whole address, as a proxy sends it', 'http://localhost/v1/x', {}, 404],
  ['a method', '/v1/events', {}, 405],
  ['a method of the API', '/api/v1/summary', { method: 'POST' }, 405],
  ['a path that is no percent-encoding', '/v1/truth/%ZZ', { method: 'DELETE' }, 400],
  ['an id of an example', `/v1/truth/${'x'.repeat(513)}`, { method: 'DELETE' }, 400],
  ['a query', '/v1/events?x=1', post(event), 400],
  ['a query of the API', '/api/v1/summary?window=5m', {}, 400],
  ['a content type', '/v1/events', post(event, { 'content-type': 'text/csv' }), 415],
  ['a content type of OTLP', '/v1/traces', post('x', { 'content-type': 'text/plain' }), 415],
  ['an encoding', '/v1/events', post(event, { ...json, 'content-encoding': 'br' }), 415],
  ['a body', '/v1/events', post('hello'), 400],
  ['a body of OTLP', '/v1/traces', post('hello'), 400],
  ['a document that is no OTLP', '/v1/logs', post(event), 400],
  ['records, all of them', '/v1/events', post('{"example_id": 7}'), 400],
  ['rows of truth, all of them', '/v1/truth', post('{"example_id": 7}'), 400],
  [
    'a body where none is taken',
    '/v1/truth/a',
    { method: 'DELETE', body: 'x', headers: { 'content-length': '1' } },
    413,
  ],
  ['a long address', `/v1/events?${'x'.repeat(3_000)}`, post(event), 414],
  ['another site', '/v1/events', post(event, { ...json, origin: 'https://other.example' }), 403],
  ['a name', '/v1/events', post(event, { ...json, host: 'other.example' }), 421],
];

test('every refusal of the API is JSON with what is wrong and what to do', (context) =>
  withDoor(
    context,
    async ({ server, intake }) => {
      for (const [why, path, asked, status] of cases) {
        const answer = await ask(server, path, asked);
        assert.equal(answer.status, status, `${why}: ${answer.bytes}`);
        assert.match(String(answer.headers['content-type']), /^application\/json/, why);
        const { error, remedy } = jsonOf(answer);
        assert.ok(typeof error === 'string' && error.length > 5, `${why}: ${answer.bytes}`);
        assert.ok(typeof remedy === 'string' && remedy.length > 3, `${why}: ${answer.bytes}`);
      }
      assert.deepEqual(intake.appended, []);
      const page = await ask(server, '/nowhere');
      assert.deepEqual([page.status, page.headers['content-type']], [404, 'text/plain; charset=utf-8']);
    },
    { reads, allowedHosts: ['localhost', '127.0.0.1'] },
  ));

test('a handler that fails, and a door that is shut', async () => {
  const failing = { path: '/v1/failing', method: 'POST', handler: () => Promise.reject(new Error('bug')) } as const;
  await serving(
    [failing, ...shutRoutes(besideKafka)],
    async (server) => {
      for (const [path, status, remedy] of [
        ['/v1/failing', 500, /^see the log$/],
        ['/v1/events', 404, /^set ingest.to: kafka/],
      ] as const) {
        const answer = await ask(server, path, post(event));
        assert.equal(answer.status, status);
        assert.match(String(jsonOf(answer)['remedy']), remedy);
      }
    },
    { onError: () => undefined, openToWrite: true },
  );
});
