import assert from 'node:assert/strict';
import { test } from 'node:test';
import { livenessChecks, watchLiveness } from '../../../src/adapters/http/liveness.ts';
import { type Reply, textReply } from '../../../src/adapters/http/reply.ts';
import {
  type Check,
  checksRoute,
  escapeHtml,
  indexRoute,
  metricsRoute,
  jsonRoute,
  namingUser,
  summaryRoute,
} from '../../../src/adapters/http/routes.ts';
import type { ReadRoute as Route } from '../../../src/adapters/http/answering.ts';
import { sharedReplies } from '../../../src/adapters/http/shared-replies.ts';
import { contentTypes } from '../../../src/adapters/prometheus/text.ts';
import { ask, serving } from '../../support/http.ts';
import { until } from '../../support/until.ts';

async function reply(route: Route, query = '', method: 'GET' | 'HEAD' = 'GET'): Promise<Reply> {
  return route.handler({ method, query: new URLSearchParams(query) });
}

test('scrapes that arrive while one is rendered share it', async () => {
  const renders: ((page: string) => void)[] = [];
  const page = metricsRoute(contentTypes, () => new Promise((resolve) => renders.push(resolve)));
  const arrived = { count: 0 };
  const counted: Route = {
    path: page.path,
    handler: (request) => {
      arrived.count++;
      return page.handler(request);
    },
  };
  await serving([counted], async (server) => {
    const scrapes = Array.from({ length: 8 }, () => fetch(`${server.url}/metrics`));
    await until('all have arrived and one is rendered', () => arrived.count === 8 && renders.length > 0);
    assert.equal(renders.length, 1);
    renders[0]!('one 1\n');
    for (const scrape of scrapes) {
      const response = await scrape;
      assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
      assert.equal(response.headers.get('content-encoding'), 'gzip');
      assert.equal(await response.text(), 'one 1\n');
    }
  });
});

test('a reply is one for all who ask for the same within 250 ms, and no older', async (context) => {
  const clock = context.mock.method(performance, 'now', () => 1_000);
  const at = (ms: number) => clock.mock.mockImplementation(() => ms);
  const made: string[] = [];
  const shared = sharedReplies(async (key) => textReply(200, `${key} ${made.push(key)}`));
  const first = await shared('a');
  at(1_249);
  assert.equal(await shared('a'), first);
  assert.notEqual(await shared('b'), first);
  at(1_250);
  assert.notEqual(await shared('a'), first);
  assert.deepEqual(made, ['a', 'b', 'a']);
});

test('who reads the metrics: a collector of metrics names a version of their text, a person does not', async () => {
  const page = metricsRoute(contentTypes, async (format, scraped) => `${format} ${scraped}\n`);
  const openMetrics = 'application/openmetrics-text;version=1.0.0';
  const cases: readonly (readonly [accept: string, body: string])[] = [
    // Prometheus, vmagent, Telegraf; curl, a browser.
    [`${openMetrics};q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.2`, 'openmetrics true'],
    ['text/plain;version=0.0.4;q=1,*/*;q=0.1', 'text true'],
    [`text/plain;version=0.0.4;q=0.9,${openMetrics};q=0.5`, 'text true'],
    ['*/*', 'text false'],
    ['', 'text false'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text false'],
  ];
  for (const [accept, body] of cases) {
    const given = await page.handler({ method: 'GET', query: new URLSearchParams(), accept });
    assert.equal(given.body, `${body}\n`, accept);
  }
});

test('HEAD of the metrics renders nothing; a render that fails is not kept', async () => {
  const page = metricsRoute(contentTypes, () => Promise.reject(new Error('bug')));
  const { status, body } = await reply(page, '', 'HEAD');
  assert.deepEqual([status, body], [200, undefined]);
  await assert.rejects(reply(page), /bug/);
  await assert.rejects(reply(page), /bug/);
});

test('checks: 200 if all hold, else 503 and the ones that do not; verbose has a line each', async () => {
  const good: Check = { name: 'state restored', ok: true, detail: '' };
  const bad: Check = { name: 'group', ok: false, detail: 'not joined:\n[+] forged\u2028line' };
  const cases: readonly [checks: Check[], query: string, status: number, body: string][] = [
    [[good], '', 200, 'ok\n'],
    [[], '', 200, 'ok\n'],
    [[good], 'verbose', 200, '[+] state restored\nok\n'],
    [[good, bad], '', 503, '[-] group: not joined: [+] forged line\nnot ok\n'],
    [[good, bad], 'verbose=1', 503, '[+] state restored\n[-] group: not joined: [+] forged line\nnot ok\n'],
  ];
  for (const [checks, query, status, body] of cases) {
    const answer = await reply(
      checksRoute('/readyz', () => checks),
      query,
    );
    assert.deepEqual([answer.status, answer.body], [status, body]);
  }
});

test('liveness: a timer fired within 10 s, no batch in work for a minute', () => {
  const cases: readonly [firedMs: number, work: [string, number][], nowMs: number, ok: [boolean, boolean]][] = [
    [0, [], 9_999, [true, true]],
    [0, [], 10_000, [false, true]],
    [
      100_000,
      [
        ['t/0', 40_001],
        ['t/1', 99_000],
      ],
      100_000,
      [true, true],
    ],
    [
      100_000,
      [
        ['t/0', 40_000],
        ['t/1', 99_000],
      ],
      100_000,
      [true, false],
    ],
  ];
  for (const [firedMs, work, nowMs, ok] of cases) {
    assert.deepEqual(
      livenessChecks(firedMs, new Map(work), nowMs).map((check) => check.ok),
      ok,
    );
  }
  const [, batches] = livenessChecks(0, new Map([['t/0', -60_000]]), 0);
  assert.equal(batches!.detail, 'in work too long: t/0 for 60.0 s');
  const liveness = watchLiveness(new Map());
  assert.ok(liveness.checks().every(({ ok }) => ok));
  liveness.stop();
});

test('summary: the total by default, one set and window as asked, unknown values refused with those known', async () => {
  const route = summaryRoute({
    slices: ['', 'model', 'model,tags.tier'],
    windows: ['all', '5m'],
    summary: (slice, window) => JSON.stringify({ slice, window }),
  });
  const cases: readonly [query: string, status: number, body: object | string][] = [
    ['', 200, { slice: '', window: 'all' }],
    ['slice=&window=all', 200, { slice: '', window: 'all' }],
    ['slice=model', 200, { slice: 'model', window: 'all' }],
    ['slice=model%2Ctags.tier&window=5m', 200, { slice: 'model,tags.tier', window: '5m' }],
    ['slice=agent', 400, 'slice: unknown value "agent"; known: "", "model", "model,tags.tier"\n'],
    ['window=<b>', 400, 'window: unknown value "<b>"; known: "all", "5m"\n'],
    ['window=', 400, 'window: unknown value ""; known: "all", "5m"\n'],
    ['windows=5m', 400, 'unknown parameter "windows"; known: "slice", "window"\n'],
    ['__proto__=1', 400, 'unknown parameter "__proto__"; known: "slice", "window"\n'],
    ['window=5m&window=all', 400, 'window is given 2 times; give it once\n'],
  ];
  for (const [query, status, body] of cases) {
    const answer = await reply(route, query);
    const text = answer.body! as string;
    assert.deepEqual([answer.status, status === 200 ? JSON.parse(text) : text], [status, body], query);
  }
  const long = await reply(route, `slice=${'x'.repeat(2000)}`);
  assert.ok(long.body!.length < 300);
});

test('the first page links the others; text cannot become markup', async () => {
  const { status, contentType: type, body } = await reply(indexRoute('0.1<script>"'));
  assert.deepEqual([status, type], [200, 'text/html; charset=utf-8']);
  for (const path of ['/metrics', '/livez', '/readyz', '/api/v1/summary'])
    assert.ok(body!.includes(`href="${path}`), path);
  assert.ok(!body!.includes('<script'));
  assert.equal(escapeHtml(`<a href="x">'&`), '&#60;a href=&#34;x&#34;&#62;&#39;&#38;');
});

test('a path that names the user says the name of the login, percent-encoded, beside a shared reply', async () => {
  const route = namingUser(jsonRoute('/named', new Map(), () => '{}'));
  await serving([route], async (server) => {
    const headersOf = async (login?: string) => {
      const authorization = login && `Basic ${Buffer.from(login).toString('base64')}`;
      return (await ask(server, '/named', { headers: { ...(authorization && { authorization }) } })).headers;
    };
    const users = ['carol:a:b', 'zoë:x', undefined].map(async (login) => (await headersOf(login))['x-assay-user']);
    assert.deepEqual(await Promise.all(users), ['carol', 'zo%C3%AB', undefined]);
  });
});
