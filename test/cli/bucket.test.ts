import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const env = { AWS_ACCESS_KEY_ID: 'somebody', AWS_SECRET_ACCESS_KEY: 'a-secret', AWS_EC2_METADATA_DISABLED: 'true' };

interface Asked {
  readonly url: string;
  readonly authorization: string;
}

/** A store that refuses whoever asks. */
async function refusing(context: TestContext, code: string): Promise<{ endpoint: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ url, authorization: headers.authorization! });
    response.writeHead(403, { 'content-type': 'application/xml' });
    response.end(`<Error><Code>${code}</Code><Message>Not you.</Message></Error>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function configOf(context: TestContext, more: object): string {
  const path = join(temporaryFolder(context), 'assay.yaml');
  const kafka = { brokers: ['127.0.0.1:1'], topics: ['t'], dead_letter_topic: 'd' };
  const base = { kafka, truth: { paths: ['truth.arrow'] }, state: { dir: 's3://scores/assay', cache: '.cache' } };
  writeFileSync(path, JSON.stringify({ ...base, ...more }));
  return path;
}

test('a bucket that refuses us is told before anything begins, with place, code and remedy', async (context) => {
  const { endpoint, asked } = await refusing(context, 'AccessDenied');
  const config = configOf(context, { s3: { endpoint, region: 'eu-north-1', path_style: true } });
  const { status, stderr } = await runProgram(['run', '-c', config], { env });
  assert.equal(status, 2, stderr);
  assert.match(
    stderr,
    /state\.dir: listing s3:\/\/scores\/assay failed: Not you\. \(AccessDenied\); the credentials do not allow it: .* check bucket/,
  );
  assert.doesNotMatch(stderr, /a-secret/);
  assert.match(asked[0]!.url, /^\/scores\/\?/, 'the bucket is in the path');
  assert.match(asked[0]!.authorization, /\/eu-north-1\/s3\//);
});

test('a bucket needs a name, and a topic for dead letters', async (context) => {
  const kafka = { brokers: ['127.0.0.1:1'], topics: ['t'] };
  const noTopic = await runProgram(['config', 'check', '-c', configOf(context, { kafka })]);
  assert.equal(noTopic.status, 2);
  assert.match(noTopic.stderr, /state\.dir.*is an object store: refused records need a kafka\.dead_letter_topic/);
  const noName = await runProgram(['config', 'check', '-c', configOf(context, { state: { dir: 's3://' } })]);
  assert.equal(noName.status, 2);
  assert.match(noName.stderr, /state\.dir.*names no bucket; write s3:\/\/bucket\/prefix/);
});
