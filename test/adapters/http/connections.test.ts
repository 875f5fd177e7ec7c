import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { Route } from '../../../src/adapters/http/answering.ts';
import { ask, hello, long, raw, serving } from '../../support/http.ts';
import { until } from '../../support/until.ts';

test('a client that asks without reading costs a few replies, not one a request', async () => {
  const asked = { count: 0 };
  const large: Route = {
    path: '/large',
    handler: () => {
      asked.count++;
      return { status: 200, contentType: 'text/plain', body: 'x'.repeat(4_000_000) };
    },
  };
  await serving([large, hello], async (server) => {
    const socket = connect(server.port, server.host);
    socket.pause();
    socket.on('error', () => {});
    const ended = new Promise((resolve) => server.url && socket.on('close', resolve));
    await new Promise((resolve) => socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(1_700), resolve));
    // The connection is over: it asked more often than it may.
    socket.resume();
    await ended;
    assert.ok(asked.count <= 16, `${asked.count} replies were made`);
    assert.equal((await ask(server, '/hello')).status, 200);
  });
});

test('requests of one connection are answered in their order', () =>
  serving([hello, long], async (server) => {
    const heard = await raw(
      server,
      'GET /hello HTTP/1.1\r\nhost: x\r\n\r\nGET /long HTTP/1.1\r\nhost: x\r\n\r\nGET /nowhere HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    );
    assert.deepEqual(heard.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404']);
  }));

test('a client that holds all connections keeps no other out: the longest idle one goes', () =>
  serving([hello], async (server) => {
    const held = await Promise.all(
      Array.from(
        { length: 300 },
        () =>
          new Promise<ReturnType<typeof connect>>((resolve) => {
            const socket = connect(server.port, server.host, () => resolve(socket));
            socket.on('error', () => {});
          }),
      ),
    );
    for (let probe = 0; probe < 20; probe++) assert.equal((await ask(server, '/hello')).status, 200);
    for (const socket of held) socket.destroy();
  }));

test('a name that is not allowed is not served', () =>
  serving(
    [hello],
    async (server) => {
      const status = async (host: string) => (await ask(server, '/hello', { headers: { host } })).status;
      assert.equal(await status('evil.example'), 421);
      assert.equal(await status('evil.example:9464'), 421);
      assert.equal(await status('LocalHost:9464'), 200);
      assert.equal(await status('[::1]:80'), 200);
    },
    { allowedHosts: ['localhost', '[::1]'] },
  ));

test('clients that take nothing hold a bounded number of bytes: the one that waits for longest goes', async () => {
  const bytes = 8 * 2 ** 20;
  const large: Route = {
    path: '/large',
    handler: () => ({ status: 200, contentType: 'text/plain', body: 'x'.repeat(bytes) }),
  };
  await serving([large, hello], async (server) => {
    const gone: number[] = [];
    const sockets = [];
    for (let at = 0; at < 12; at++) {
      const socket = connect(server.port, server.host).pause();
      socket.on('error', () => {});
      socket.on('close', () => gone.push(at));
      socket.write('GET /large HTTP/1.1\r\nhost: x\r\n\r\n');
      // The beginning of the answer is there before the next one asks.
      await once(socket, 'readable');
      sockets.push(socket);
    }
    assert.equal((await ask(server, '/large')).bytes.length, bytes);
    for (const socket of sockets) socket.resume();
    // The kernel may have taken the whole reply of one of them.
    await until('the first ones are gone', () => gone.length >= 7);
    assert.ok(Math.max(...gone) < 9, `gone: ${gone}`);
    for (const socket of sockets) socket.destroy();
  });
});
