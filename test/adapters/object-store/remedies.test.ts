import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { output } from '../../../src/adapters/files/output.ts';
import { remedyOf } from '../../../src/adapters/object-store/remedies.ts';
import { s3Store } from '../../../src/adapters/object-store/s3-store.ts';
import { storeIn } from '../../support/folder-store.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/* Errors of stores name what was written, the cause and the remedy. Statuses and texts are those that S3, MinIO and R2 answer with. */
const answers: readonly (readonly [status: number, code: string, message: string, remedy: RegExp])[] = [
  [403, 'AccessDenied', 'Access Denied', /allow s3:ListBucket on the bucket/],
  [400, 'ExpiredToken', 'The provided token has expired.', /renew AWS_SESSION_TOKEN/],
  [403, 'InvalidAccessKeyId', 'The AWS Access Key Id you provided does not exist in our records.', /AWS_ACCESS_KEY_ID/],
  [403, 'SignatureDoesNotMatch', 'The request signature does not match.', /AWS_SECRET_ACCESS_KEY/],
  [503, 'SlowDown', 'Please reduce your request rate.', /raise state\.checkpoint_every/],
  [
    ...([501, 'NotImplemented', 'A header you provided implies functionality that is not implemented'] as const),
    /AWS_REQUEST_CHECKSUM_CALCULATION=WHEN_REQUIRED/,
  ],
  [404, 'NoSuchBucket', 'The specified bucket does not exist', /create it, or correct its name/],
  [400, 'AuthorizationHeaderMalformed', "the region 'us-east-1' is wrong; expecting 'eu-west-1'", /set s3\.region/],
  [403, 'RequestTimeTooSkewed', 'The difference between the request time and the current time is too large.', /clock/],
  [507, 'XMinioStorageFull', 'Storage backend has reached its minimum free drive threshold.', /the store is full/],
];

for (const [status, code, message, remedy] of answers) {
  test(`${code} of a store is reported with the object, its message and a remedy`, async (context) => {
    const endpoint = await answering(context, status, code, message);
    const store = s3Store('s3://bucket/prefix', { endpoint, region: 'us-east-1', pathStyle: true });
    await assert.rejects(store.write('g/x', new Uint8Array(1)), (error: Error & { code?: string }) => {
      assert.ok(
        error.message.startsWith(`writing s3://bucket/prefix/g/x failed: ${message} (${code}); `),
        error.message,
      );
      assert.match(error.message, remedy);
      assert.ok(!error.message.slice(0, -1).includes('make it writable'));
      return error.code === code;
    });
  });
}

/** A server that answers every request with an error. */
async function answering(context: TestContext, status: number, code: string, message: string): Promise<string> {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) process.env[name] ??= 'test';
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a full disk is full, and what may not be written is to be made writable: not one for the other', async (context) => {
  await assert.rejects(full(), /^Error: cannot write \/dev\/full: ENOSPC[^;]*; the disk is full: make room there$/);
  const folder = temporaryFolder(context);
  // A file in the place of a folder: no user may write below it.
  mkdirSync(join(folder, 'a'));
  await storeIn(folder).write('a/file', new Uint8Array(1));
  await assert.rejects(storeIn(join(folder, 'a/file')).write('b/c', new Uint8Array(1)), {
    message: /ENOTDIR[^;]*$/,
    code: 'ENOTDIR',
  });
  if (process.getuid?.() === 0) return;
  chmodSync(join(folder, 'a'), 0o500);
  await assert.rejects(storeIn(folder).write('a/x', new Uint8Array(1)), /EACCES.*; this user may not write there/);
});

async function full(): Promise<void> {
  const file = await output('/dev/full');
  await file.write([new Uint8Array(1)]);
}

test('an error of another kind has no remedy', () => {
  assert.equal(remedyOf(new Error('x')), undefined);
  assert.equal(remedyOf(Object.assign(new Error('x'), { code: 'ECONNREFUSED' })), undefined);
});
