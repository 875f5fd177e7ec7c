import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { tokenProvider } from '../../src/adapters/kafka/kafka-login.ts';
import { program, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const signer = 'aws-msk-iam-sasl-signer-js';

test('a token for Amazon MSK has the form that its brokers read, and is kept', async (context) => {
  const surroundings = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'of nobody' };
  for (const [name, value] of Object.entries(surroundings)) process.env[name] = value;
  context.after(() => {
    for (const name of Object.keys(surroundings)) delete process.env[name];
  });
  const token = tokenProvider({ region: 'eu-central-1' });
  const { value } = await token();
  assert.match(value, /^[\w-]+$/);
  const { protocol, host, pathname, searchParams } = new URL(Buffer.from(value, 'base64url').toString());
  assert.deepEqual([protocol, host, pathname], ['https:', 'kafka.eu-central-1.amazonaws.com', '/']);
  const { 'User-Agent': agent, 'X-Amz-Credential': credential, ...rest } = Object.fromEntries(searchParams);
  const { 'X-Amz-Date': date, 'X-Amz-Signature': signature, ...fixed } = rest;
  assert.deepEqual(fixed, {
    Action: 'kafka-cluster:Connect',
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Expires': '900',
    'X-Amz-SignedHeaders': 'host',
  });
  assert.match(agent!, new RegExp(`^${signer}/\\d`));
  assert.match(credential!, /^AKIDEXAMPLE\/\d{8}\/eu-central-1\/kafka-cluster\/aws4_request$/);
  assert.match(date!, /^\d{8}T\d{6}Z$/);
  assert.match(signature!, /^[0-9a-f]{64}$/);
  process.env['AWS_ACCESS_KEY_ID'] = 'another';
  assert.equal((await token()).value, value);
});

test('without credentials there is no token: that is waited out', async () => {
  const none = {
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  };
  Object.assign(process.env, none);
  const asked = tokenProvider({ region: 'eu-central-1' })();
  await assert.rejects(asked, { name: 'TokenError', message: /^AWS gives no credentials \(.*see kafka\.sasl\)$/ });
});

test('without the package the program ends at once, and names it; beside the program it is found', async (context) => {
  const folder = temporaryFolder(context);
  const [bin, packages] = [join(folder, 'app', 'dist', 'bin'), join(folder, 'app', 'node_modules')];
  mkdirSync(packages, { recursive: true });
  cpSync(dirname(program), bin, { recursive: true });
  cpSync('package.json', join(folder, 'app', 'package.json'));
  for (const name of readdirSync('node_modules'))
    if (name !== signer) symlinkSync(resolve('node_modules', name), join(packages, name));
  const config = join(folder, 'assay.yaml');
  const sasl = { mechanism: 'aws-msk-iam', region: 'eu-central-1' };
  writeFileSync(
    config,
    JSON.stringify({ kafka: { brokers: ['127.0.0.1:1'], topics: ['t'], truth_topic: 'truth', ssl: true, sasl } }),
  );
  const [path, args] = [join(bin, 'assay.js'), ['run', '-c', config]];
  const { status, stderr } = spawnSync(process.execPath, [path, ...args], { encoding: 'utf8' });
  assert.equal(status, 2, stderr);
  assert.match(stderr, /kafka\.sasl\.mechanism: aws-msk-iam needs a package .* npm install aws-msk-iam-sasl-signer-js/);
  // As an image has it that is made from ours.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('node_modules', signer), join(folder, 'node_modules', signer));
  const child = startProgram(args, { cwd: folder, path });
  let log = '';
  child.stderr!.on('data', (text) => (log += text));
  await until('it looks for the broker', () => /127\.0\.0\.1:1 cannot be reached/.test(log));
  child.kill('SIGKILL');
  await once(child, 'close');
});
