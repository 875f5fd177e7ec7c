import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { patchKafkaJs } from '../../../src/adapters/kafka/kafka-patches.ts';

test('a connection that broke within an answer reads the answers of the next one from their beginning', async (context) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const warnings: string[] = [];
  const connection = connectionTo(port, (message) => warnings.push(message));
  const taken = once(server, 'connection');
  await connection.connect();
  const [first] = (await taken) as [Socket];
  const broken = connection.send(exchange);
  await once(first, 'data');
  // Half of what it announces.
  first.end(answer(0, Buffer.alloc(100)).subarray(0, 50));
  await assert.rejects(broken, /Closed connection/);

  const again = once(server, 'connection');
  await connection.connect();
  const [second] = (await again) as [Socket];
  const answered = connection.send(exchange);
  await once(second, 'data');
  second.write(answer(1, Buffer.from('whole, and longer than what the first one still owed'.repeat(4))));
  assert.match(String((await answered) as Buffer), /^whole/);
  await connection.disconnect();
  assert.deepEqual(warnings, []);
});

test('a request on a connection that is left in the same moment ends with the connection', async (context) => {
  const server = createServer((socket) => void socket.once('data', () => socket.end())).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  // The moment between the check for open requests and the end of the socket, some turns of promises long, is among these.
  for (let turns = 0; turns < 12; turns++) {
    const connection = connectionTo(port, () => undefined);
    await connection.connect();
    const doomed = assert.rejects(connection.send(exchange), /Closed connection|Not connected/, `after ${turns} turns`);
    for (let turn = 0; turn < turns; turn++) await undefined;
    const left = connection.disconnect();
    await Promise.all([doomed, left]);
  }
});

const load = createRequire(import.meta.url);
const kafkaJsSocket = load('kafkajs/src/network/socketFactory.js')() as () => Socket;

interface Connection {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  send(exchange: object): Promise<unknown>;
}

/** One of kafkajs, as its clients have them. */
function connectionTo(port: number, warn: (message: string) => void): Connection {
  patchKafkaJs();
  const kafkaJsConnection = load('kafkajs/src/network/connection.js') as new (options: object) => Connection;
  const quiet = (): void => {};
  const logger = { namespace: () => logger, debug: quiet, info: quiet, warn, error: quiet };
  return new kafkaJsConnection({
    host: '127.0.0.1',
    port,
    logger,
    socketFactory: kafkaJsSocket,
    requestTimeout: 2_000,
    connectionTimeout: 3_000,
  });
}

const Encoder = load('kafkajs/src/protocol/encoder.js') as new () => object;

/** A request without content, whose answer is its bytes. */
const exchange = {
  request: { apiKey: 18, apiName: 'ApiVersions', apiVersion: 0, encode: async () => new Encoder() },
  response: { decode: async (bytes: Buffer) => bytes, parse: async (bytes: Buffer) => bytes },
};

/** Length, number of the request, content. */
function answer(request: number, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeInt32BE(4 + content.length, 0);
  head.writeInt32BE(request, 4);
  return Buffer.concat([head, content]);
}
