import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { serviceConfig, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

// What the keys of kafka.ssl do, told by the other side of the connection. Passwords: test/e2e/secure.test.ts.
const pem = (name: string): string => readFileSync(join('test', 'fixtures', 'tls', name), 'utf8');

test('the certificate of a client, the name of a broker, and an authority of our own', async (context) => {
  const server = await brokerDoor(context);
  const ssl = {
    ca: pem('broker.pem'),
    cert: pem('client.pem'),
    key: pem('client.key'),
    passphrase: 'tell-nobody',
    server_name: 'kafka.example.com',
  };
  const service = startService(configOf(context, server, ssl));
  const [socket] = (await once(server, 'secureConnection')) as [TLSSocket];
  assert.equal(socket.getPeerCertificate().subject.CN, 'assay');
  assert.equal((socket as TLSSocket & { servername: string }).servername, 'kafka.example.com');
  service.kill('SIGKILL');
  await service.ended;
});

test('TLS by the authorities of Node: a self-signed certificate is not trusted', async (context) => {
  const service = startService(configOf(context, await brokerDoor(context), true));
  await until('it says so', () => /shows a certificate that is not trusted/.test(service.log()));
  service.kill('SIGKILL');
  await service.ended;
});

test('certificates of files, which are renewed while it runs', async (context) => {
  const server = await brokerDoor(context, ['client.pem', 'scraper.pem']);
  const folder = temporaryFolder(context);
  const [ca_file, cert_file, key_file] = ['ca', 'cert', 'key'].map((name) => join(folder, `${name}.pem`)) as [
    string,
    string,
    string,
  ];
  const use = (cert: string, key: string): void => {
    writeFileSync(cert_file, pem(cert));
    writeFileSync(key_file, pem(key));
  };
  writeFileSync(ca_file, pem('broker.pem'));
  use('client.pem', 'client.key');
  const ssl = { ca_file, cert_file, key_file, passphrase: 'tell-nobody', server_name: 'kafka.example.com' };
  const names: string[] = [];
  server.on('secureConnection', (socket) => {
    names.push(String(socket.getPeerCertificate().subject.CN));
    // It comes again, with what the files hold then.
    use('scraper.pem', 'scraper.key');
    socket.destroy();
  });
  const service = startService(configOf(context, server, ssl));
  await until('the new certificate is shown', () => names.includes('scraper.example'));
  assert.equal(names[0], 'assay');
  service.kill('SIGKILL');
  await service.ended;
});

/** What a broker would listen on: it asks for a certificate, and answers nothing. */
async function brokerDoor(context: TestContext, trusted = ['client.pem']): Promise<Server> {
  const server = createServer({
    cert: pem('broker.pem'),
    key: pem('broker.key'),
    ca: trusted.map(pem),
    requestCert: true,
    rejectUnauthorized: true,
  });
  const sockets = new Set<TLSSocket>();
  server.on('secureConnection', (socket) => void sockets.add(socket.on('error', () => undefined)));
  server.on('tlsClientError', () => undefined);
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function configOf(context: TestContext, server: Server, ssl: object | boolean): string {
  const folder = temporaryFolder(context);
  const truth = join(folder, 'truth.ndjson');
  writeFileSync(truth, '{"example_id":"a","label":"direct"}\n');
  const brokers = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
  return serviceConfig({ brokers, topics: ['t'], group: 'g', truth: [truth], folder, more: { kafka: { ssl } } });
}
