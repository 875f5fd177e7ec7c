import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createServer } from 'node:tls';
import { kafkaClient } from '../../src/adapters/kafka/kafka-client.ts';
import { kafkaConnection } from '../../src/service/kafka-connection.ts';
import { loadConfig } from '../../src/config/load.ts';
import { testLog } from '../support/kafka.ts';

/** What a client of the program asks a TLS server for by name (SNI), undefined where by none. */
async function nameAskedFor(host: string, ssl: unknown): Promise<string | undefined> {
  let name: string | undefined;
  const server = createServer({
    SNICallback(asked, done) {
      name = asked;
      done(new Error('that is all'));
    },
  });
  server.on('tlsClientError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const flag = (path: string[], value: unknown) => ({ path, value, place: `--${path.join('.')}` });
  const { config } = loadConfig({
    flags: [flag(['kafka', 'brokers'], [`${host}:${port}`]), flag(['kafka', 'ssl'], ssl)],
  });
  const admin = kafkaClient(kafkaConnection(config, testLog()), 0).admin();
  await assert.rejects(admin.connect());
  await admin.disconnect();
  server.close();
  return name;
}

for (const { ssl, host, name } of [
  { ssl: true, host: 'localhost', name: 'localhost' },
  { ssl: {}, host: 'localhost', name: 'localhost' },
  { ssl: { passphrase: 'any' }, host: 'localhost', name: 'localhost' },
  { ssl: { server_name: 'broker.example' }, host: 'localhost', name: 'broker.example' },
  { ssl: { server_name: 'broker.example' }, host: '127.0.0.1', name: 'broker.example' },
  { ssl: {}, host: '127.0.0.1', name: undefined },
])
  test(`${JSON.stringify(ssl)} asks ${host} for ${name}`, async () => {
    assert.equal(await nameAskedFor(host, ssl), name);
  });
