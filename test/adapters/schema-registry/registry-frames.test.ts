import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { registryFrames } from '../../../src/adapters/schema-registry/registry-frames.ts';
import type { Frames } from '../../../src/ports.ts';
import type { Opened } from '../../../src/stream/event.ts';
import { recordOf } from '../../support/event-reader.ts';
import { framed, frameLimits, recordedFrames, registryServer } from '../../support/schema-registry.ts';

const clock = { ms: 0 };

function framesOf(url: string, login?: { readonly username: string; readonly password: string }): Frames {
  const now = { monotonicMs: () => clock.ms };
  return registryFrames({ url, login, tls: () => ({}), recordBytes: 1_000, limits: frameLimits, clock: now });
}

/** What a frame holds, its schema fetched where it is not there. */
async function opened(frames: Frames, value: Uint8Array): Promise<Opened> {
  const record = recordOf(value);
  const known = frames.open(record);
  if (known !== undefined) return known;
  await frames.fetchSchema(record);
  return frames.open(record)!;
}

const text = { schema: '"string"' };
const hello = Buffer.from('\nhello');

/** A registry with one schema, and its frames. */
async function world(context: TestContext, answers: Readonly<Record<string, object>> = { 'schemas/ids/7': text }) {
  const registry = await registryServer(context, answers);
  return { registry, frames: framesOf(registry.url) };
}

test('a schema is asked for once, also by several at a time', async (context) => {
  const { registry, frames } = await world(context);
  const value = framed(7, hello);
  assert.deepEqual(await Promise.all([opened(frames, value), opened(frames, value)]), ['"hello"', '"hello"']);
  assert.equal(await opened(frames, value), '"hello"');
  assert.deepEqual(registry.asked, ['schemas/ids/7']);
});

test('schemas are fetched with those that they refer to, once each, and in a circle', async (context) => {
  const recorded = recordedFrames();
  const { registry, frames } = await world(context, recorded.answers);
  for (const form of Object.values(recorded.values))
    for (const value of form) assert.equal(typeof (await opened(frames, Buffer.from(value, 'base64'))), 'string');
  assert.deepEqual(registry.asked.length, Object.keys(recorded.answers).length);

  const references = [{ name: 'a.B', subject: 'b', version: 1 }];
  const type = (name: string) => JSON.stringify({ type: 'record', name, namespace: 'a', fields: [] });
  const circle = await world(context, {
    'schemas/ids/1': { schema: type('A'), references },
    'subjects/b/versions/1': { schema: type('B'), references },
  });
  assert.equal(await opened(circle.frames, framed(1, Buffer.alloc(0))), '{}');
});

test('what the registry does not have is refused, and asked for again after a minute', async (context) => {
  const { registry, frames } = await world(context, {
    'schemas/ids/8': { schema: '"x.Y"', references: [{ name: 'x.Y', subject: 'x/y', version: 2 }] },
    'schemas/ids/9': { schema: '{}', schemaType: 'THRIFT' },
  });
  for (const [id, says] of [
    [
      7,
      /^the value was written with schema 7, which the registry cannot give: is not there; .*kafka\.schema_registry\.url/,
    ],
    [8, /schema 8, .*: it refers to version 2 of x\/y, which is not there/],
    [9, /schema 9 of the registry \(THRIFT\), which cannot be used: its type is none of AVRO, PROTOBUF and JSON/],
  ] as const) {
    const refused = await opened(frames, framed(id, hello));
    assert.ok(typeof refused === 'object' && refused.code === 'schema');
    assert.match(refused.detail, says);
  }
  const { length } = registry.asked;
  await opened(frames, framed(7, hello));
  assert.equal(registry.asked.length, length);
  clock.ms += 60_000;
  await opened(frames, framed(7, hello));
  assert.equal(registry.asked.length, length + 1);
});

test('whatever is no answer of a registry is an outage', async (context) => {
  const { registry, frames } = await world(context);
  const value = framed(7, hello);
  for (const [answer, says] of [
    [
      (response) => response.writeHead(500).end(),
      /schemas\/ids\/7: status 500, which is no answer .*see kafka\.schema_registry/,
    ],
    [(response) => response.writeHead(404).end('<html>'), /status 404/],
    [(response) => response.writeHead(301, { location: '/' }).end(), /status 301/],
    [(response) => response.end('{"schema": 1}'), /status 200/],
    [(response) => response.end('[null]'), /status 200/],
    [(response) => response.end('null'), /status 200/],
    [(response) => response.end('x'.repeat(5_000_000)), /the answer has more than 4194304 bytes/],
    [(response) => response.socket!.destroy(), /socket hang up/],
  ] as readonly (readonly [NonNullable<typeof registry.instead>, RegExp])[]) {
    registry.instead = answer;
    await assert.rejects(opened(frames, value), says);
  }
  registry.instead = undefined;
  assert.equal(await opened(frames, value), '"hello"');
  await registry.close();
  await assert.rejects(opened(frames, framed(8, hello)), /ECONNREFUSED/);
});

test('a login is sent, and one that is not taken is an outage', async (context) => {
  const authorization = `Basic ${Buffer.from('carol:a:b').toString('base64')}`;
  const { url } = await registryServer(context, { 'schemas/ids/7': text }, { authorization });
  assert.equal(await opened(framesOf(`${url}/`, { username: 'carol', password: 'a:b' }), framed(7, hello)), '"hello"');
  await assert.rejects(opened(framesOf(url, { username: 'carol', password: 'no' }), framed(7, hello)), /status 401/);
});

test('values that are no frames, or too large for a record, are not asked about', async (context) => {
  const { registry, frames } = await world(context);
  assert.deepEqual(await opened(frames, Buffer.from([0, 0, 0, 7])), {
    code: 'not_json',
    detail: 'the value begins with a byte 0 and is no frame of a schema registry',
  });
  assert.deepEqual(await opened(frames, framed(7, Buffer.alloc(1_000))), { code: 'too_large', detail: '' });
  assert.deepEqual(registry.asked, []);
});

test('schemas that are large give way to others', async (context) => {
  const large = (id: number) => ({ schema: JSON.stringify({ type: 'string', doc: 'x'.repeat(4_000_000 - id) }) });
  const ids = [1, 2, 3, 4, 5];
  const { registry, frames } = await world(
    context,
    Object.fromEntries(ids.map((id) => [`schemas/ids/${id}`, large(id)])),
  );
  for (const id of ids) assert.equal(await opened(frames, framed(id, hello)), '"hello"');
  for (const id of [5, 4, 3, 2])
    assert.equal(frames.open(recordOf(framed(id, hello))) !== undefined, id > 2, String(id));
  assert.equal(registry.asked.length, ids.length);
});
