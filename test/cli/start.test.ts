import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the demonstration takes the next port where its own is taken, and no other than the one asked for', async (context) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  context.after(() => taken.close());
  const { port } = taken.address() as { port: number };
  const env = { ASSAY_HTTP__PORT: String(port) };
  const demo = (...args: readonly string[]) =>
    runProgram(['demo', '--seconds', '0.1', '--past', '1m', ...args], { env });
  const moved = await demo();
  assert.equal(moved.status, 0, moved.stderr);
  const found = Number(/open http:\/\/127\.0\.0\.1:(\d+)\//.exec(moved.stdout)![1]);
  assert.ok(found > port && found < port + 20, `${found}, ${port}`);
  assert.match(
    moved.stdout,
    new RegExp(`^Port ${port} is taken by another program: the demonstration has port ${found}\\.$`, 'm'),
  );
  const refused = await demo('--port', String(port));
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    new RegExp(`port ${port} of 127\\.0\\.0\\.1 is taken .*EADDRINUSE.* http\\.port .*ASSAY_HTTP__PORT`),
  );
  const free = await demo('--port', '0');
  assert.equal(free.status, 0);
  assert.doesNotMatch(free.stdout, /is taken/);
  assert.match((await demo('--port', '70000')).stderr, /from 0 \(any that is free\) to 65535/);
});

test('a state folder that can never be written, and a folder in the place of a file, are named', async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'file'), '');
  mkdirSync(join(cwd, 'folder'));
  writeFileSync(join(cwd, 'truth.ndjson'), '{"example_id":"a","label":"direct"}\n');
  const kafka = "kafka: {brokers: ['127.0.0.1:1'], topics: [t]}";
  writeFileSync(join(cwd, 'run.yaml'), `{${kafka}, truth: {paths: [truth.ndjson]}, http: {port: 0}}`);
  for (const [key, dir, why] of [
    ['state.dir', 'file/state', 'ENOTDIR'],
    ['state.dir', 'file', 'EEXIST'],
    // Node's own way to make folders would try for ever.
    ...(process.platform === 'linux' ? ([['state.dir', '/proc/nope/state', 'ENOENT']] as const) : []),
    ['snapshots.dir', 'file/snapshots', 'ENOTDIR'],
  ] as const) {
    const env = { [`ASSAY_${key.toUpperCase().replace('.', '__')}`]: dir };
    const run = await runProgram(['run', '-c', 'run.yaml'], { cwd, env });
    assert.equal(run.status, 2, run.stderr);
    const says = `^${key}: ${dir} cannot be written \\(${why}.*\\); name a folder that this user may write$`;
    assert.match(run.stderr, new RegExp(says, 'm'));
  }
  const replay = ['replay', '--truth', 'truth.ndjson', '--events', 'truth.ndjson'];
  for (const flag of ['--summary', '--rejects']) {
    const { status, stderr } = await runProgram([...replay, flag, 'folder'], { cwd });
    assert.deepEqual([status, stderr.trim()], [1, 'assay: cannot write folder: it is a folder; name a file']);
  }
});
