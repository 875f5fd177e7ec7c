import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { acceptsGzip, prefersOpenMetrics } from '../../../src/adapters/http/accept.ts';
import { textReply } from '../../../src/adapters/http/reply.ts';
import type { Route } from '../../../src/adapters/http/answering.ts';
import { serveHttp } from '../../../src/adapters/http/server.ts';
import { type Asked, ask, hello, long, raw, serving, unexpected } from '../../support/http.ts';

test('a route is answered on a free port, with headers that keep the page to itself', () =>
  serving([hello], async (server) => {
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const { status, headers, bytes } = await ask(server, '/hello?x=%00');
    assert.equal(status, 200);
    assert.equal(bytes.toString(), 'hello\n');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(headers['content-length'], '6');
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'no-store');
    assert.match(String(headers['content-security-policy']), /^default-src 'none'/);
    assert.equal(headers['access-control-allow-origin'], undefined);
  }));

test('status by method, path and body', () =>
  serving([hello], async (server) => {
    const cases: readonly [why: string, path: string, asked: Asked, status: number][] = [
      ['HEAD', '/hello', { method: 'HEAD' }, 200],
      ['whole address, as a proxy sends it', `${server.url}/hello?a=b`, {}, 200],
      ['unknown path', '/hell', {}, 404],
      ['no path is decoded', '/%68ello', {}, 404],
      ['no path is cleaned', '//hello', {}, 404],
      ['a name of Object.prototype', '/__proto__', {}, 404],
      ['POST', '/hello', { method: 'POST', body: 'x' }, 405],
      [
        'POST that waits for leave',
        '/hello',
        { method: 'POST', headers: { expect: '100-continue', 'content-length': '9' } },
        405,
      ],
      ['POST to an unknown path', '/x', { method: 'POST' }, 404],
      ['OPTIONS', '/hello', { method: 'OPTIONS' }, 405],
      ['DELETE', '/hello', { method: 'DELETE' }, 405],
      ['GET with a body', '/hello', { body: 'x', headers: { 'content-length': '1' } }, 413],
      ['GET with an empty body', '/hello', { headers: { 'content-length': '0' } }, 200],
      ['GET in chunks', '/hello', { headers: { 'transfer-encoding': 'chunked' } }, 413],
      ['a long address', `/hello?${'x'.repeat(3000)}`, {}, 414],
      ['an address longer than all headers may be', `/hello?${'x'.repeat(20_000)}`, {}, 431],
      ['large headers', '/hello', { headers: { cookie: 'x'.repeat(20_000) } }, 431],
    ];
    for (const [why, path, asked, status] of cases) assert.equal((await ask(server, path, asked)).status, status, why);
    const refused = await ask(server, '/hello', { method: 'PUT', body: 'x' });
    assert.equal(refused.headers.allow, 'GET, HEAD');
    assert.equal(refused.headers.connection, 'close');
    assert.match((await ask(server, '/<script>')).bytes.toString(), /^not found; there are: \/hello\n$/);
  }));

test('a body is not read: the reply comes before it', () =>
  serving([hello], async (server) => {
    const heard = await raw(server, 'POST /hello HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000\r\n\r\nbegin');
    assert.match(heard, /^HTTP\/1\.1 405 /);
    const asking = 'POST /hello HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 9\r\n\r\n';
    assert.match(await raw(server, asking), /^HTTP\/1\.1 405 /, 'not told to go on');
  }));

test('what is no HTTP is refused', () =>
  serving([hello], async (server) => {
    assert.match(await raw(server, 'what?\r\n\r\n'), /^HTTP\/1\.1 400 /);
    assert.match(await raw(server, 'GET /hello HTTP/1.1\r\n\r\n'), /^HTTP\/1\.1 400 /, 'no host');
  }));

test('gzip where accepted, the same text else; HEAD has the same headers', () =>
  serving([hello, long], async (server) => {
    const gzip = { headers: { 'accept-encoding': 'deflate, gzip;q=0.5' } };
    const zipped = await ask(server, '/long', gzip);
    const plain = await ask(server, '/long');
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    assert.equal(zipped.headers['vary'], 'accept-encoding');
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers['vary'], 'accept-encoding');
    assert.equal(plain.bytes.length, 100_000);
    assert.ok(zipped.bytes.length < 1000);
    assert.deepEqual(gunzipSync(zipped.bytes), plain.bytes);
    const head = await ask(server, '/long', { ...gzip, method: 'HEAD' });
    assert.equal(head.bytes.length, 0);
    assert.equal(head.headers['content-length'], String(zipped.bytes.length));
    assert.equal((await ask(server, '/hello', gzip)).headers['content-encoding'], undefined);
  }));

test('which Accept-Encoding takes gzip', () => {
  const cases: readonly [string, boolean][] = [
    ['', false],
    ['gzip', true],
    ['GZIP', true],
    ['br, gzip ; q=0.1', true],
    ['gzip;q=0', false],
    ['gzip;q=0.0, *', false],
    ['*', true],
    ['*;q=0', false],
    ['identity', false],
    ['xgzip', false],
    ['gzip;q=nonsense', false],
  ];
  for (const [header, accepted] of cases) assert.equal(acceptsGzip(header), accepted, header);
});

test('OpenMetrics is given to whom it suits at least as well as text', () => {
  const openMetrics = 'application/openmetrics-text';
  const cases: readonly (readonly [header: string, preferred: boolean])[] = [
    // What Prometheus 2.42 and 3 send, curl, a browser.
    [`${openMetrics};version=1.0.0,${openMetrics};version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1`, true],
    [`${openMetrics};version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.2`, true],
    ['*/*', false],
    ['text/html,application/xhtml+xml,*/*;q=0.8', false],
    ['', false],
    [openMetrics, true],
    [`text/plain;version=0.0.4;q=0.9,${openMetrics};version=1.0.0;q=0.5`, false],
    [`${openMetrics};version=0.0.1`, false],
    [`${openMetrics};q=0`, false],
    [`${openMetrics};q=x,text/plain`, false],
  ];
  for (const [header, preferred] of cases) assert.equal(prefersOpenMetrics(header), preferred, header);
});

test('a handler that throws is status 500 and told, and the server goes on', async () => {
  const told: unknown[] = [];
  const bug = new Error('secret detail');
  const failing: Route = {
    path: '/fail',
    handler: () => {
      throw bug;
    },
  };
  const late: Route = { path: '/late', handler: () => Promise.reject(bug) };
  await serving(
    [failing, late, hello],
    async (server) => {
      for (const path of ['/fail', '/late']) {
        const { status, bytes } = await ask(server, path);
        assert.equal(status, 500);
        assert.doesNotMatch(bytes.toString(), /secret/);
      }
      assert.equal((await ask(server, '/hello')).status, 200);
    },
    { onError: (error) => told.push(error) },
  );
  assert.deepEqual(told, [bug, bug]);
});

test('a request that does not arrive in time is ended', () =>
  serving(
    [hello],
    async (server) => {
      assert.match(await raw(server, 'GET /hello HTTP/1.1\r\nhost: x\r\nx-slow: '), /^HTTP\/1\.1 408 /);
    },
    { timeouts: { requestMs: 100, replyMs: 10_000, wrongLoginMs: 10 } },
  ));

test('a client whose reply takes too long is dropped', () => {
  const never: Route = { path: '/never', handler: () => new Promise(() => {}) };
  return serving(
    [never],
    async (server) => {
      await assert.rejects(ask(server, '/never'), { code: 'ECONNRESET' });
    },
    { timeouts: { requestMs: 10_000, replyMs: 100, wrongLoginMs: 10 } },
  );
});

test('a connection is kept for the next request, and ended by close', async () => {
  const server = await serveHttp({ host: '127.0.0.1', port: 0, routes: [hello], onError: unexpected });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const first = await ask(server, '/hello', { agent });
  assert.equal(first.headers.connection, 'keep-alive');
  const idle = connect(server.port, server.host);
  const ended = new Promise((resolve) => idle.on('close', resolve));
  idle.on('error', () => {});
  await new Promise((resolve) => idle.on('connect', resolve));
  await server.close(50);
  await ended;
  await assert.rejects(ask(server, '/hello'), { code: 'ECONNREFUSED' });
  agent.destroy();
});

test('close lets a reply under way finish', async () => {
  const waiting: { arrived?: () => void; finish?: () => void } = {};
  const arrived = new Promise<void>((resolve) => {
    waiting.arrived = resolve;
  });
  const slow: Route = {
    path: '/slow',
    handler: async () => {
      waiting.arrived!();
      await new Promise<void>((resolve) => {
        waiting.finish = resolve;
      });
      return textReply(200, 'done');
    },
  };
  const server = await serveHttp({ host: '127.0.0.1', port: 0, routes: [slow], onError: unexpected });
  const agent = new Agent({ keepAlive: true });
  const asked = ask(server, '/slow', { agent });
  await arrived;
  const closed = server.close(60_000);
  waiting.finish!();
  const { headers, bytes } = await asked;
  assert.equal(bytes.toString(), 'done\n');
  assert.equal(headers.connection, 'close');
  await closed;
  agent.destroy();
});

test('an address that cannot be bound is named with the remedy', () =>
  serving([hello], async ({ host, port }) => {
    const taken = serveHttp({ host, port, routes: [], onError: unexpected });
    await assert.rejects(
      taken,
      new RegExp(`port ${port} of 127.0.0.1 is taken .*EADDRINUSE.* http.port .*ASSAY_HTTP__PORT`),
    );
  }));
