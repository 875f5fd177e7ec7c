import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tokenHolds } from '../../../../src/adapters/http/access.ts';
import type { Security, SecuritySource, Token } from '../../../../src/adapters/http/security.ts';
import { readTokens } from '../../../../src/config/ingest.ts';
import { withDoor } from '../../../support/door.ts';
import { ask, hello, serving } from '../../../support/http.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const event = '{"example_id": "a", "tool_calls": []}';
const json = { 'content-type': 'application/json' };
const bearer = (token: string) => ({ ...json, authorization: `Bearer ${token}` });
const basic = (login: string) => ({ ...json, authorization: `Basic ${Buffer.from(login).toString('base64')}` });
const token = (text: string, ...rights: Token['rights']): Token => ({
  sha256: createHash('sha256').update(text).digest('hex'),
  rights,
});
const carol = new Map([['carol', '$2y$10$qRTBuFoULoYNA7AQ/F3ck.trZBPyjV64.oA4ZsSBCIWvXuvQlQTuu']]);
const [writer, looker] = [token('a-token-that-writes', 'write'), token('a-token-that-reads', 'read')];

function secured(security: Partial<Security>): SecuritySource {
  const current = { tls: undefined, users: new Map(), tokens: [], headers: {}, rateLimit: undefined, ...security };
  return { current, onChange: () => {}, stop: () => {} };
}

type Statuses = readonly [read: number, write: number];
const cases: readonly (readonly [
  why: string,
  security: Partial<Security>,
  openToWrite: boolean,
  asked: readonly (readonly [object, Statuses])[],
])[] = [
  ['a loopback address', {}, true, [[json, [200, 200]]]],
  ['any other address', {}, false, [[json, [200, 403]]]],
  [
    'users',
    { users: carol },
    false,
    [
      [json, [401, 401]],
      [basic('carol:carol123'), [200, 200]],
      [basic('carol:wrong'), [401, 401]],
      [bearer('a-token-that-writes'), [401, 401]],
    ],
  ],
  [
    'a token that writes',
    { tokens: [writer] },
    true,
    [
      [json, [200, 401]],
      [bearer('a-token-that-writes'), [200, 200]],
      [bearer('a-token-that-write'), [200, 401]],
      [bearer(''), [200, 401]],
    ],
  ],
  [
    'users, a token that writes, and one that reads',
    { users: carol, tokens: [writer, looker] },
    false,
    [
      [json, [401, 401]],
      [basic('carol:carol123'), [200, 401]],
      [bearer('a-token-that-writes'), [401, 200]],
      [bearer('a-token-that-reads'), [200, 401]],
    ],
  ],
  [
    'only a token that reads, on any address',
    { tokens: [looker] },
    false,
    [
      [json, [401, 403]],
      [bearer('a-token-that-reads'), [200, 403]],
    ],
  ],
];

for (const [why, security, openToWrite, asked] of cases)
  test(`who may read, and who may write: ${why}`, (context) =>
    withDoor(
      context,
      async ({ server, post, intake }) => {
        for (const [headers, [readStatus, writeStatus]] of asked) {
          intake.appended.length = 0;
          const given = headers as Record<string, string>;
          assert.equal((await ask(server, '/hello', { headers: given })).status, readStatus, JSON.stringify(given));
          assert.equal((await post('/v1/events', event, given)).status, writeStatus, JSON.stringify(given));
          assert.equal(intake.appended.length, writeStatus === 200 ? 1 : 0);
        }
      },
      {
        ...{ openToWrite, security: secured(security), reads: [hello] },
        timeouts: { requestMs: 10_000, replyMs: 10_000, wrongLoginMs: 10 },
      },
    ));

test('a page of another site sends nothing', async (context) => {
  await withDoor(
    context,
    async ({ server, post, intake }) => {
      const own = `127.0.0.1:${server.port}`;
      const text = { 'content-type': 'text/plain' };
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const requests: readonly (readonly [why: string, headers: Readonly<Record<string, string>>, status: number])[] = [
        ['another site', { ...json, origin: 'https://evil.example' }, 403],
        ['a sandboxed frame', { ...json, origin: 'null' }, 403],
        ['another port of this machine', { ...json, origin: 'http://127.0.0.1:1' }, 403],
        ['a name that only begins alike', { ...json, origin: `http://${own}.evil.example` }, 403],
        ['another site, as the browser says', { ...json, 'sec-fetch-site': 'cross-site' }, 403],
        ['a name that leads to this machine', { ...json, host: `evil.example:${server.port}` }, 421],
        ['a form of a page', { ...form, referer: 'https://evil.example/' }, 415],
        ['a form of our own page', { ...text, origin: `http://${own}` }, 415],
        ['our own page', { ...json, origin: `http://${own}` }, 200],
        ['curl -d', form, 200],
        ['a client without a type', {}, 200],
        ['a file of a form', { 'content-type': 'multipart/form-data; boundary=x' }, 415],
      ];
      for (const [why, headers, status] of requests) {
        const { appended } = intake;
        appended.length = 0;
        const answer = await post('/v1/events', event, headers);
        assert.equal(answer.status, status, why);
        assert.equal(answer.headers['access-control-allow-origin'], undefined, why);
        assert.equal(appended.length, status === 200 ? 1 : 0, why);
      }
      const preflight = { origin: 'https://evil.example', 'access-control-request-method': 'DELETE' };
      const asked = await ask(server, '/v1/truth/a', { method: 'OPTIONS', headers: preflight });
      assert.deepEqual([asked.status, asked.headers['access-control-allow-origin']], [405, undefined]);
      assert.equal((await ask(server, '/v1/truth/a', { method: 'DELETE', headers: { origin: 'null' } })).status, 403);
    },
    { allowedHosts: ['localhost', '127.0.0.1'] },
  );
});

test('every token is compared, however early one fits', () => {
  const tokens = [writer, looker];
  assert.equal(tokenHolds('Bearer a-token-that-writes', tokens, 'write'), true);
  assert.equal(tokenHolds('bearer  a-token-that-reads ', tokens, 'read'), true);
  assert.equal(tokenHolds('Bearer a-token-that-writes', tokens, 'read'), false);
  assert.equal(tokenHolds('Bearer a-token-that-writes', [], 'write'), false);
  assert.equal(tokenHolds(undefined, tokens, 'write'), undefined);
  assert.equal(tokenHolds('Basic YTpi', tokens, 'write'), undefined);
});

test('files of tokens', (context) => {
  const file = join(temporaryFolder(context), 'tokens');
  const read = (text: string): number => {
    writeFileSync(file, text);
    return readTokens([{ file, rights: ['write'] }]).length;
  };
  assert.equal(read('0123456789abcdef\n\n  fedcba9876543210\r\n'), 2);
  assert.throws(() => read('\n'), /tokens: holds no token; write one a line/);
  assert.throws(
    () => read('0123456789abcdef\nshort'),
    /token 2 has less than 16 characters; make one with openssl rand/,
  );
  assert.throws(
    () => read('0123456789 abcdef'),
    (error: Error) => {
      assert.match(error.message, /token 1 has white space/);
      assert.doesNotMatch(error.message, /abcdef/);
      return true;
    },
  );
  assert.throws(() => readTokens([{ file: `${file}.none`, rights: ['write'] }]), /cannot be read: ENOENT/);
});

test('a server without a path that takes records says so', () =>
  serving([hello], async (server) => {
    assert.equal((await ask(server, '/v1/events', { method: 'POST', body: event, headers: json })).status, 404);
  }));
