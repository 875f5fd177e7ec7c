import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { jsonOf, withDoor, type DoorScene } from '../../../support/door.ts';
import { raw } from '../../../support/http.ts';
import { soak } from '../../../support/soak.ts';
import { patience, until } from '../../../support/until.ts';

const event = '{"example_id": "a", "tool_calls": []}';
const json = { 'content-type': 'application/json' };
const timeouts = { requestMs: 300, replyMs: 10_000, wrongLoginMs: 10 };
const mebibyte = 2 ** 20;

/** The statuses that a raw connection hears. */
const statusesOf = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

const head = (more: string, path = '/v1/events'): string =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${more}\r\n\r\n`;

/** The greatest number of bytes in buffers while work is done. */
async function buffersDuring(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage().arrayBuffers;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }, 1);
  await work();
  clearInterval(timer);
  return most - before;
}

/** A gzip member of zeros, repeated: as many members as bytes are wanted. */
function gzipBomb(bytes: number): Buffer {
  const member = gzipSync(Buffer.alloc(64 * mebibyte), { level: 9 });
  return Buffer.concat(Array.from({ length: bytes / (64 * mebibyte) }, () => member));
}

/** A zstd frame of zeros: blocks that repeat one byte (RFC 8878, 3.1.1.2.2), 128 KiB of 4 bytes each. */
function zstdBomb(bytes: number): Buffer {
  const blocks = bytes / 131_072;
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x38]);
  const body = Buffer.alloc(4 * blocks);
  for (let at = 0; at < blocks; at++)
    body.writeUIntLE((131_072 << 3) | (1 << 1) | (at === blocks - 1 ? 1 : 0), 4 * at, 3);
  return Buffer.concat([header, body]);
}

test('bodies that unpack to a gigabyte end at the bound', async (context) => {
  const bombs = [
    ['gzip', gzipBomb(1_024 * mebibyte)],
    ['zstd', zstdBomb(1_024 * mebibyte)],
  ] as const;
  await withDoor(context, async ({ post, intake }) => {
    for (const path of ['/v1/events', '/v1/traces'])
      for (const [encoding, bomb] of bombs) {
        assert.ok(bomb.length < 2 * mebibyte, `${bomb.length}`);
        const bytes = await buffersDuring(async () => {
          const sent = Array.from({ length: 8 }, () => post(path, bomb, { ...json, 'content-encoding': encoding }));
          for (const answer of await Promise.all(sent)) assert.equal(answer.status, 413, `${answer.bytes}`);
        });
        assert.ok(bytes < 100 * mebibyte, `${encoding}: ${bytes} bytes`);
      }
    assert.deepEqual(intake.appended, []);
  });
});

test('bodies that are compressed are read; what is damaged, or of another encoding, is not', async (context) => {
  const frame = Buffer.from([
    0x28,
    0xb5,
    0x2f,
    0xfd,
    0x20,
    event.length,
    ((event.length << 3) | 1) & 0xff,
    (event.length << 3) >> 8,
    0,
    ...Buffer.from(event),
  ]);
  await withDoor(context, async ({ post }) => {
    const cases: readonly (readonly [encoding: string, body: Buffer, status: number])[] = [
      ['gzip', gzipSync(event), 200],
      ['GZIP', gzipSync(event), 200],
      ['zstd', frame, 200],
      ['identity', Buffer.from(event), 200],
      ['gzip', Buffer.from(event), 400],
      ['gzip', gzipSync(event).subarray(0, -9), 400],
      ['zstd', frame.subarray(0, -3), 400],
      ['br', Buffer.from(event), 415],
      ['gzip, gzip', gzipSync(gzipSync(event)), 415],
    ];
    for (const [encoding, body, status] of cases) {
      const answer = await post('/v1/events', body, { ...json, 'content-encoding': encoding });
      assert.equal(answer.status, status, `${encoding}: ${answer.bytes}`);
    }
  });
});

test('a length that lies', async (context) => {
  await withDoor(
    context,
    async ({ server, intake }) => {
      const cases: readonly (readonly [why: string, text: string, statuses: readonly number[]])[] = [
        ['longer than what comes', `${head('content-length: 100')}${event}`, [408]],
        ['shorter: the rest is no request', `${head('content-length: 5')}${event}`, [400]],
        ['far too long', head('content-length: 99999999999'), [413, 408]],
        ['no number', head('content-length: x'), [400]],
        ['and chunks as well', head('content-length: 5\r\ntransfer-encoding: chunked'), [400]],
        ['a chunk without an end', `${head('transfer-encoding: chunked')}ffffff\r\n${event}`, [408]],
        ['a chunk of a size that is none', `${head('transfer-encoding: chunked')}zz\r\n`, [400]],
        ['told to wait, and too long', head('expect: 100-continue\r\ncontent-length: 99999999'), [413]],
        [
          'told to wait, and of another type',
          head('expect: 100-continue\r\ncontent-length: 9\r\ncontent-encoding: br'),
          [415],
        ],
        ['told to wait, and never sent', head('expect: 100-continue\r\ncontent-length: 9'), [100, 408]],
      ];
      for (const [why, text, statuses] of cases) {
        const heard = statusesOf(await raw(server, text));
        assert.deepEqual(heard, statuses, why);
      }
      assert.deepEqual(intake.appended, []);
    },
    { timeouts },
  );
});

const count = soak ? 10_000 : 400;

test('writers that are slow hold nothing for longer than a request may take, and keep no other out', async (context) => {
  await withDoor(
    context,
    async ({ server, post, intake }) => {
      const slow = hold(server.port, count, `${head('content-length: 1000000')}${'['.repeat(10_000)}`);
      for (let at = 0; at < 20; at++) assert.equal((await post('/v1/events', event)).status, 200);
      assert.equal(intake.appended.length, 20);
      await slow;
    },
    // Those that are not slow have to be in time as well, among ten thousand connections of one process.
    { timeouts: { ...timeouts, requestMs: soak ? 5_000 : timeouts.requestMs } },
  );
});

/** Opens connections that begin a request and say no more; resolves when the server has ended them all. */
async function hold(port: number, count: number, text: string): Promise<void> {
  await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<void>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => socket.write(text));
          socket.on('error', () => {});
          socket.on('close', () => resolve());
          socket.resume();
        }),
    ),
  );
}

test('bodies together hold 64 MiB: beyond, a sender gets status 429', async (context) => {
  await withDoor(context, async ({ server, post }) => {
    const open = await Promise.all(Array.from({ length: 5 }, () => sent(server.port, 15 * mebibyte)));
    const refused = () => open.filter(({ heard }) => /^HTTP\/1.1 429 [\s\S]*\r\nretry-after: 1\r\n/.test(heard()));
    await until('one of them is refused', () => refused().length > 0);
    assert.equal(refused().length, 1);
    for (const { end } of open) await end();
    assert.equal((await post('/v1/events', event)).status, 200);
  });
});

/** Sends the beginning of a body, and waits until all of it is taken. */
async function sent(port: number, bytes: number): Promise<{ heard(): string; end(): Promise<void> }> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString()));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.write(head(`content-length: ${16 * mebibyte}`));
  await new Promise<void>((resolve) => socket.write(Buffer.alloc(bytes, ' '), () => resolve()));
  return {
    heard: () => heard,
    end: () => {
      socket.destroy();
      return closed;
    },
  };
}

const deep: readonly (readonly [why: string, path: string, body: string, status: number])[] = [
  ['brackets', '/v1/events', '['.repeat(8 * mebibyte), 400],
  ['objects', '/v1/events', '{"a":'.repeat(mebibyte), 400],
  [
    'a record',
    '/v1/events',
    `{"example_id":"a","tool_calls":[{"name":"x","arguments":${'['.repeat(1_000)}${']'.repeat(1_000)}}]}`,
    400,
  ],
  ['a document of spans', '/v1/traces', `{"resourceSpans":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
  [
    'a span',
    '/v1/traces',
    `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"aa","attributes":${'['.repeat(100_000)}${']'.repeat(100_000)}}]}]}]}`,
    200,
  ],
  ['a truth record', '/v1/truth', `{"example_id":"a","reference":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
  ['a million records', '/v1/events', '{}\n'.repeat(mebibyte), 413],
  ['millions of values', '/v1/traces', `{"resourceSpans":[${'0,'.repeat(4 * mebibyte)}0]}`, 413],
];

for (const [why, path, body, status] of deep)
  test(`JSON of a shape that costs: ${why}`, (context) =>
    withDoor(context, async ({ post }) => {
      const startedMs = performance.now();
      const answer = await post(path, body);
      assert.equal(answer.status, status, answer.bytes.toString().slice(0, 300));
      assert.ok(answer.bytes.length < mebibyte);
      assert.ok(performance.now() - startedMs < patience * 10_000);
    }));

test('a large resource that many small spans repeat', async (context) => {
  const spans = Array.from({ length: 2_000 }, (_, at) => ({ traceId: at.toString(16).padStart(32, '0'), name: 'x' }));
  const resource = { attributes: [{ key: 'a', value: { stringValue: 'x'.repeat(500_000) } }] };
  await withDoor(context, async (scene: DoorScene) => {
    const answer = await scene.post(
      '/v1/traces',
      JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }),
    );
    assert.equal(answer.status, 413);
    assert.match(String(jsonOf(answer)['message']), /smaller resources/);
    assert.deepEqual(scene.intake.appended, []);
  });
});
