import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { stringify } from 'yaml';
import { hasLogin, readWebConfig, type WebConfig } from '../../src/config/web-config.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder({ after });

const certificates = join(process.cwd(), 'test', 'fixtures', 'tls');
const files = { cert_file: join(certificates, 'server.pem'), key_file: join(certificates, 'server.key') };
const hash = '$2y$10$qRTBuFoULoYNA7AQ/F3ck.trZBPyjV64.oA4ZsSBCIWvXuvQlQTuu';
const pem = (name: string): string => readFileSync(join(certificates, name), 'utf8');

/** Reads a document as a file. */
function read(document: unknown): WebConfig {
  const file = join(folder, 'web.yml');
  writeFileSync(file, typeof document === 'string' ? document : stringify(document));
  return readWebConfig(file);
}

test('an empty file asks for nothing', () => {
  const config = read('');
  assert.deepEqual(config, { tls: undefined, users: new Map(), headers: {}, rateLimit: undefined });
  assert.equal(hasLogin(config), false);
});

test('logins, TLS, headers and a rate', () => {
  const config = read({
    tls_server_config: { ...files, min_version: 'TLS13', cipher_suites: ['TLS_AES_128_GCM_SHA256'] },
    basic_auth_users: { carol: hash },
    http_server_config: { http2: false, headers: { 'X-Frame-Options': 'deny', 'X-XSS-Protection': 1 } },
    rate_limit: { interval: '1s', burst: 20 },
  });
  assert.ok(hasLogin(config));
  assert.equal(config.tls!.context.minVersion, 'TLSv1.3');
  assert.equal(config.tls!.context.cert, pem('server.pem'));
  assert.deepEqual(config.headers, { 'x-frame-options': 'deny', 'x-xss-protection': '1' });
  assert.deepEqual(config.rateLimit, { intervalMs: 1000, burst: 20 });
});

test('certificates may stand in the file itself, and paths are relative to its folder', () => {
  assert.ok(read({ tls_server_config: { cert: pem('server.pem'), key: pem('server.key') } }).tls);
  for (const name of ['server.pem', 'server.key']) writeFileSync(join(folder, name), pem(name));
  const file = join(folder, 'web.yml');
  writeFileSync(file, 'tls_server_config: {cert_file: server.pem, key_file: server.key}');
  assert.ok(readWebConfig(file).tls);
});

test('every cipher suite, curve and policy by its name in Go', () => {
  const { context: tls, clientAuth } = read({
    tls_server_config: {
      ...files,
      client_auth_type: 'RequireClientCert',
      cipher_suites: [
        ...['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'],
        ...['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'TLS_CHACHA20_POLY1305_SHA256'],
        ...['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'TLS_RSA_WITH_AES_256_CBC_SHA', 'TLS_RSA_WITH_AES_128_GCM_SHA256'],
      ],
      curve_preferences: ['CurveP256', 'CurveP384', 'CurveP521', 'X25519'],
    },
  }).tls!;
  assert.equal(clientAuth, 'RequireAnyClientCert');
  assert.equal(
    tls.ciphers,
    'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:' +
      'TLS_CHACHA20_POLY1305_SHA256:ECDHE-RSA-AES128-SHA:AES256-SHA:AES128-GCM-SHA256',
  );
  assert.equal(tls.ecdhCurve, 'P-256:P-384:P-521:X25519');
});

const refused: Readonly<Record<string, readonly [document: unknown, message: RegExp]>> = {
  'an unknown key': [{ tls: {} }, /unknown key tls/],
  'what is no YAML': ['a: [', /is not YAML/],
  'a password that is no hash': [{ basic_auth_users: { a: 'hunter2' } }, /basic_auth_users: a: is no bcrypt hash/],
  'no certificate': [{ tls_server_config: { key_file: files.key_file } }, /cert_file is missing/],
  'no key': [{ tls_server_config: { cert_file: files.cert_file, key: '' } }, /key_file is missing/],
  'a file that is not there': [{ tls_server_config: { ...files, key_file: 'nowhere' } }, /key_file cannot be read/],
  'a key of another certificate': [
    { tls_server_config: { ...files, key_file: join(certificates, 'scraper.key') } },
    /certificate and key cannot be used/,
  ],
  'a cipher suite that nobody has': [
    { tls_server_config: { ...files, cipher_suites: ['TLS_X'] } },
    /TLS_X is no cipher/,
  ],
  'a curve that nobody has': [{ tls_server_config: { ...files, curve_preferences: ['P1'] } }, /is none of CurveP256/],
  'a version that nobody has': [{ tls_server_config: { ...files, min_version: 'TLS111' } }, /is none of TLS10/],
  'authorities without a policy': [
    { tls_server_config: { ...files, client_ca_file: files.cert_file } },
    /needs client_auth_type/,
  ],
  'a header of another name': [{ http_server_config: { headers: { 'X-Other': '1' } } }, /unknown key X-Other/],
  'a header of another value': [{ http_server_config: { headers: { 'X-Frame-Options': 'no' } } }, /is none of deny/],
};

for (const [what, [document, message]] of Object.entries(refused)) {
  test(`refused: ${what}`, () => {
    assert.throws(
      () => read(document),
      (error: Error) => {
        assert.match(error.message, message);
        assert.match(error.message, /web\.yml: /);
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      },
    );
  });
}
