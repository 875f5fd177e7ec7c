import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { type Security, type SecuritySource, type Tls, watchSecurity } from '../../../src/adapters/http/security.ts';
import type { HttpServer } from '../../../src/adapters/http/server.ts';
import { ask, hello, serving } from '../../support/http.ts';
import { until } from '../../support/until.ts';

const pem = (name: string): string => readFileSync(join('test', 'fixtures', 'tls', name), 'utf8');
const server = { cert: pem('server.pem'), key: pem('server.key') };
const scraper = { cert: pem('scraper.pem'), key: pem('scraper.key') };
const carol = new Map([['carol', '$2y$10$qRTBuFoULoYNA7AQ/F3ck.trZBPyjV64.oA4ZsSBCIWvXuvQlQTuu']]);
const timeouts = { requestMs: 10_000, replyMs: 10_000, wrongLoginMs: 50 };

const open: Security = { tls: undefined, users: new Map(), tokens: [], headers: {}, rateLimit: undefined };
const basic = (login: string) => ({ headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` } });

/** A security that a test changes. */
function changeable(first: Partial<Security>): SecuritySource & { change(next: Partial<Security>): void } {
  const source = {
    current: { ...open, ...first },
    onChange: (_: Security) => {},
    stop: () => {},
    change(next: Partial<Security>) {
      source.current = { ...open, ...next };
      source.onChange(source.current);
    },
  };
  return source;
}

test('who has no login is asked for one, and what is wrong is counted and answered late', async () => {
  const wrong = { count: 0 };
  await serving(
    [hello],
    async (served) => {
      const none = await ask(served, '/hello');
      assert.equal(none.status, 401);
      assert.match(none.headers['www-authenticate']!, /^Basic /);
      assert.equal((await ask(served, '/nowhere')).status, 401, 'strangers do not learn which pages there are');
      for (const login of ['carol:wrong', 'nobody:carol123', 'carol', ':']) {
        const startedMs = performance.now();
        assert.equal((await ask(served, '/hello', basic(login))).status, 401, login);
        if (login.includes(':')) assert.ok(performance.now() - startedMs >= 50, `${login} is answered at once`);
      }
      assert.equal(wrong.count, 3, 'what holds no password is no attempt');
      assert.equal((await ask(served, '/hello', basic('carol:carol123'))).status, 200);
    },
    { timeouts, security: changeable({ users: carol }), onWrongLogin: () => wrong.count++ },
  );
});

test('few wrong attempts of an address wait, the others are refused', () =>
  serving(
    [hello],
    async (served) => {
      assert.equal((await ask(served, '/hello', basic('carol:carol123'))).status, 200);
      const attempts = Array.from({ length: 20 }, (_, at) => ask(served, '/hello', basic(`carol:${at}`)));
      const known = await Promise.all(Array.from({ length: 20 }, () => ask(served, '/hello', basic('carol:carol123'))));
      assert.ok(
        known.every(({ status }) => status === 200),
        'who logged in before does not wait',
      );
      const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort();
      assert.deepEqual(statuses, [...Array.from({ length: 8 }, () => 401), ...Array.from({ length: 12 }, () => 429)]);
    },
    { timeouts, security: changeable({ users: carol }) },
  ));

test('a right password gets in while a wrong one comes from the same address again and again', () =>
  serving(
    [hello],
    async (served) => {
      const attack = { over: false };
      const attackers = Array.from({ length: 3 }, async (_, of) => {
        for (let at = 0; !attack.over; at++) await ask(served, '/hello', basic(`carol:${of === 0 ? 'same' : at}`));
      });
      await ask(served, '/hello', basic('carol:wrong'));
      assert.equal((await ask(served, '/hello', basic('carol:carol123'))).status, 200);
      attack.over = true;
      await Promise.all(attackers);
    },
    { timeouts: { ...timeouts, wrongLoginMs: 200 }, security: changeable({ users: carol }) },
  ));

test('users that change count at once', () => {
  const security = changeable({ users: carol });
  return serving(
    [hello],
    async (served) => {
      assert.equal((await ask(served, '/hello', basic('carol:carol123'))).status, 200);
      security.change({ users: new Map([['dave', carol.get('carol')!]]) });
      assert.equal((await ask(served, '/hello', basic('carol:carol123'))).status, 401);
      assert.equal((await ask(served, '/hello', basic('dave:carol123'))).status, 200);
    },
    { timeouts, security },
  );
});

test('more requests than the rate allows are refused', () =>
  serving(
    [hello],
    async (served) => {
      const statuses = [];
      for (let at = 0; at < 5; at++) statuses.push((await ask(served, '/hello')).status);
      assert.deepEqual(statuses, [200, 200, 200, 429, 429]);
    },
    { security: changeable({ rateLimit: { intervalMs: 60_000, burst: 3 } }) },
  ));

test('headers of the file are over the standard ones', () =>
  serving(
    [hello],
    async (served) => assert.equal((await ask(served, '/hello')).headers['x-frame-options'], 'sameorigin'),
    { security: changeable({ headers: { 'x-frame-options': 'sameorigin' } }) },
  ));

const withTls = (clientAuth: Tls['clientAuth'], more: Partial<Tls> = {}): Tls => ({
  context: { ...server, ca: scraper.cert },
  clientAuth,
  allowedSans: undefined,
  ...more,
});

const other = { cert: pem('broker.pem'), key: pem('broker.key') };
/** Whether a client is answered: without a certificate, with one that nobody signed, with a good one. */
const policies: readonly (readonly [tls: Tls, answered: readonly [boolean, boolean, boolean]])[] = [
  [withTls('NoClientCert'), [true, true, true]],
  [withTls('RequestClientCert'), [true, true, true]],
  [withTls('RequireAnyClientCert'), [false, true, true]],
  [withTls('VerifyClientCertIfGiven'), [true, false, true]],
  [withTls('RequireAndVerifyClientCert'), [false, false, true]],
  [withTls('RequireAndVerifyClientCert', { allowedSans: ['scraper.example'] }), [false, false, true]],
  [withTls('RequireAndVerifyClientCert', { allowedSans: ['other.example'] }), [false, false, false]],
];

for (const [tls, answered] of policies) {
  test(`client certificates: ${tls.clientAuth} ${tls.allowedSans ?? ''}`, () =>
    serving(
      [hello],
      async (served) => {
        assert.match(served.url, /^https:/);
        const statuses = [];
        for (const client of [{}, other, scraper]) statuses.push((await statusOf(served, client)) === 200);
        assert.deepEqual(statuses, answered);
      },
      { security: changeable({ tls }) },
    ));
}

test('a renewed certificate is shown to the next client', () => {
  const security = changeable({ tls: withTls('NoClientCert') });
  return serving(
    [hello],
    async (served) => {
      assert.equal(await shownName(served), 'localhost');
      security.change({ tls: withTls('NoClientCert', { context: other }) });
      assert.equal(await shownName(served), 'kafka.example.com');
    },
    { security },
  );
});

test('what cannot be read any more is told once, and the last good one stays', async () => {
  const file = { broken: false, headers: { a: '1' } };
  const told: string[] = [];
  const read = (): Security => {
    if (file.broken) throw new Error('cannot be read');
    return { ...open, headers: { ...file.headers } };
  };
  const changes: Security[] = [];
  const source = watchSecurity(read, 1, (error) => told.push(error.message));
  source.onChange = (next) => changes.push(next);
  file.broken = true;
  await until('it is told', () => told.length > 0);
  file.broken = false;
  file.headers = { a: '2' };
  await until('the change is seen', () => changes.length > 0);
  source.stop();
  assert.deepEqual(told, ['cannot be read']);
  assert.deepEqual(source.current.headers, { a: '2' });
});

/** Undefined where the connection is ended without an answer. */
function statusOf({ host, port }: HttpServer, client: ConnectionOptions): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asking = request({
      host,
      port,
      path: '/hello',
      ca: server.cert,
      servername: 'localhost',
      agent: false,
      ...client,
    });
    asking.on('response', (response) => resolve(response.resume().statusCode));
    asking.on('error', () => resolve(undefined));
    asking.end();
  });
}

async function shownName({ host, port }: HttpServer): Promise<string> {
  const socket: TLSSocket = connect({ host, port, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return String(CN);
}
