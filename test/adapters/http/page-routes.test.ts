import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { type LiveRequest, liveRoute, pageRoute } from '../../../src/adapters/http/page-routes.ts';
import { serveHttp } from '../../../src/adapters/http/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const id = '0123456789abcdef0123456789abcdef';

const standard: LiveRequest = {
  ...{ slice: 'model', window: '5m', focus: id },
  ...{ failed: undefined, filter: {}, since: undefined },
};
const at = '2026-05-01T12:00:00.000Z';
const cases: readonly [query: string, status: number, request?: LiveRequest][] = [
  ['', 200, { slice: 'model', window: '5m', focus: id, failed: undefined, filter: {}, since: undefined }],
  ['slice=&window=all', 200, { slice: '', window: 'all', focus: id, failed: undefined, filter: {}, since: undefined }],
  [
    `slice=agent&focus=${'f'.repeat(32)}&since=a-1.42`,
    200,
    { slice: 'agent', window: '5m', focus: 'f'.repeat(32), failed: undefined, filter: {}, since: 'a-1.42' },
  ],
  [
    `failed=decision.tool_hall,${at},`,
    200,
    { ...standard, failed: { watch: 'decision.tool_hall', since: at, until: null } },
  ],
  [`failed=match.correct,${at},${at}`, 200, { ...standard, failed: { watch: 'match.correct', since: at, until: at } }],
  [`failed=,${at},`, 200, { ...standard, failed: { watch: null, since: at, until: null } }],
  [
    'kind=wrong%20value&tool=&argument=%E2%80%AE&value=model%3Da&text=a%26b',
    200,
    { ...standard, filter: { kind: 'wrong value', argument: '\u202e', value: 'model=a', text: 'a&b' } },
  ],
  [`text=${'x'.repeat(301)}`, 400],
  ['text=a%00b', 400],
  ['failed=decision.tool_hall', 400],
  ['focus=../../etc', 400],
  [`focus=${id}0`, 400],
  ['since=1', 400],
  ['since=x.-1', 400],
  ['window=2h', 400],
  ['window=5m&window=5m', 400],
  ['__proto__=1', 400],
];

test('live: defaults, what is asked for, and refusals', async () => {
  const asked: LiveRequest[] = [];
  const route = liveRoute({
    slices: ['model', 'agent', ''],
    windows: ['5m', 'all'],
    focus: id,
    document: (request) => {
      asked.push(request);
      return '{}';
    },
  });
  for (const [query, status, request] of cases) {
    asked.length = 0;
    const reply = await route.handler({ method: 'GET', query: new URLSearchParams(query) });
    assert.equal(reply.status, status, query);
    assert.deepEqual(asked, request === undefined ? [] : [request], query);
  }
});

test('ever other queries make a bounded number of documents: a fifth of the time, whoever asks', async () => {
  const renderMs = 10;
  let renders = 0;
  const route = liveRoute({
    slices: ['model'],
    windows: ['all'],
    focus: id,
    document: () => {
      renders++;
      for (const endMs = performance.now() + renderMs; performance.now() < endMs; );
      return '{}';
    },
  });
  const ask = async (query: string): Promise<number> =>
    (await route.handler({ method: 'GET', query: new URLSearchParams(query) })).status;
  const startMs = performance.now();
  const asked: Promise<number>[] = [];
  while (performance.now() - startMs < 1_000) {
    for (let more = 0; more < 50; more++) asked.push(ask(`since=a.${asked.length}`));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const statuses = await Promise.all(asked);
  const ms = performance.now() - startMs;
  assert.ok(renders * renderMs < ms / 4 + 2 * renderMs, `${renders} renders in ${ms} ms`);
  assert.ok(statuses.filter((status) => status === 429).length > statuses.length / 2);
  assert.equal(statuses.filter((status) => status === 200).length, renders);
  assert.equal(await ask(''), 200);
});

test('the page is sent with its own policy, once and not twice', async (context) => {
  const file = join(temporaryFolder(context), 'index.html');
  writeFileSync(
    file,
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-x'">`,
  );
  const server = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    routes: [pageRoute(pathToFileURL(file), '1')],
    onError: (error) => assert.fail(String(error)),
  });
  const response = await fetch(server.url);
  await response.text();
  assert.equal(
    response.headers.get('content-security-policy'),
    "default-src 'none'; script-src 'sha256-x'; frame-ancestors 'none'",
  );
  await server.close();
});

test('a page without a policy is refused; without a page there are links', async (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'index.html'), '<p>');
  assert.throws(() => pageRoute(pathToFileURL(join(folder, 'index.html')), '1'), /content security policy/);
  const reply = await pageRoute(pathToFileURL(join(folder, 'none.html')), '1').handler({
    method: 'GET',
    query: new URLSearchParams(),
  });
  assert.match(reply.body! as string, /href="\/metrics"/);
});
