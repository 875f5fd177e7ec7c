import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('config check: a configuration that the service would take', async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'a.yaml'), 'kafka: {brokers: [a:1], topics: [t]}\ntruth: {paths: [t.arrow]}\n');
  const check = () => runProgram(['config', 'check', '-c', 'a.yaml'], { cwd });
  const missing = await check();
  assert.deepEqual(
    [missing.status, missing.stderr.split('\n')[1]],
    [
      0,
      "warning: truth.paths: t.arrow: cannot be read (ENOENT: no such file or directory, stat 't.arrow'); check truth.paths or --truth; assay run waits for it",
    ],
  );
  writeFileSync(join(cwd, 't.arrow'), '');
  writeFileSync(join(cwd, 'b.yaml'), 'kafka: {brokers: [a:1], topics: [t]}\ntruth: {paths: [.]}\n');
  const { status, stderr } = await check();
  assert.deepEqual([status, stderr], [0, 'the configuration is valid\n']);
  mkdirSync(join(cwd, 'below'));
  writeFileSync(join(cwd, 'below/t.arrow'), '');
  const { stderr: warned } = await runProgram(['config', 'check', '-c', 'b.yaml'], { cwd });
  assert.equal(warned.split('\n')[1], 'warning: truth.paths: below is not read: name it in truth.paths too');
});

test('config check: what each limit costs', async () => {
  const env = {
    ASSAY_LIMITS__DEDUPE_IDS: '2000000',
    ASSAY_METRICS__STABILITY__ENABLED: 'false',
    ASSAY_SNAPSHOTS__SCORES: 'none',
    ASSAY_KAFKA__TRUTH_TOPIC: 'truth',
  };
  const { stdout } = await runProgram(['config', 'check'], { env });
  assert.match(stdout, /^memory at the limits, for each partition/);
  assert.match(stdout, /^ {2}ids remembered +2,000,000 ids x 43 bytes +85 MB$/m);
  assert.match(stdout, /^ {2}copy for web page and metrics +without ids.* \d+(\.\d)? [MG]B$/m);
  assert.match(stdout, /^ {2}in all, a partition +\d+(\.\d)? [MG]B$/m);
  assert.match(stdout, /^ {2}rows of the truth topic +1,000,000 rows x 700 bytes +700 MB$/m);
  assert.doesNotMatch(stdout, /runs|run\.threads|score rows/);
  const threaded = await runProgram(['config', 'check'], { env: { ASSAY_RUN__THREADS: '2' } });
  assert.match(threaded.stdout, /^with run\.threads each thread takes this once/m);
});

test('config check: what is valid, and not enough for the service', async () => {
  const env = { ASSAY_TIME__WINDOWS: '[15s]', ASSAY_KAFKA__TOPICS: '[t]' };
  const { status, stderr } = await runProgram(['config', 'check'], { env });
  assert.equal(status, 0);
  assert.match(stderr, /^warning: time\.windows: 15s is no multiple of time\.pane \(10s\); it covers 20s\n/);
  assert.match(stderr, /^assay run will refuse it: kafka\.brokers: is empty/m);
});

test('config check: certificates and logins that cannot be used, which run refuses', async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'web.yml'), 'basic_auth_users: {carol: hunter2}\n');
  const service = 'kafka: {brokers: [a:1], topics: [t], ssl: {SSL}}\ntruth: {paths: [t.arrow]}\n';
  for (const [ssl, more, says] of [
    ['cert: no PEM, key: hunter2', '', 'kafka.ssl: cannot be used: '],
    [
      'ca_file: nowhere.pem',
      '',
      'kafka.ssl: cannot be used: kafka.ssl.ca_file: nowhere.pem is missing; put it there, or name another file',
    ],
    ['', 'http: {web_config: web.yml}', 'http.web_config: cannot be used: '],
  ] as const) {
    writeFileSync(join(cwd, 'a.yaml'), `${service.replace('SSL', ssl)}${more}`);
    const checked = await runProgram(['config', 'check', '-c', 'a.yaml'], { cwd });
    assert.match(checked.stderr, new RegExp(`^assay run will refuse it: ${says}`, 'm'));
    const run = await runProgram(['run', '-c', 'a.yaml'], { cwd });
    assert.equal(run.status, 2, run.stderr);
    assert.ok(run.stderr.includes(says), run.stderr);
    assert.doesNotMatch(checked.stderr + run.stderr, /hunter2/);
  }
});

test('config check: every line of a refusal, and status 2', async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'a.yaml'), 'kafka: {grupid: x}\nhttp: {port: -1}\n');
  assert.deepEqual(await runProgram(['config', 'check', '--config', 'a.yaml'], { cwd }), {
    status: 2,
    stdout: '',
    stderr:
      'a.yaml:1:9: kafka.grupid: unknown key; did you mean kafka.group_id?\n' +
      'a.yaml:2:14: http.port: -1 is not a whole number from 0 to 65535\n',
  });
});

test('config check: a file that is not there', async () => {
  const { status, stderr } = await runProgram(['config', 'check', '-c', 'nope.yaml']);
  assert.equal(status, 2);
  assert.match(stderr, /^nope\.yaml: the configuration cannot be read: ENOENT.*; name a YAML file/);
});

test('config check: of a file of another kind a few faults', async (context) => {
  const cwd = temporaryFolder(context);
  writeFileSync(join(cwd, 'events.ndjson'), '{"example_id": "a"}\n'.repeat(9));
  const { status, stderr } = await runProgram(['config', 'check', '-c', 'events.ndjson'], { cwd });
  assert.equal(status, 2);
  assert.match(
    stderr,
    /^(events\.ndjson:2:\d+: is not YAML: .*\n){5}events\.ndjson: \d+ more of these; is it YAML\?\n$/,
  );
});

test('config print: data to stdout, secrets masked', async () => {
  const env = {
    ASSAY_KAFKA__SASL: '{mechanism: scram-sha-256, username: u, password: hunter2}',
    ASSAY_KAFKA__SSL: 'true',
  };
  const { status, stdout, stderr } = await runProgram(['config', 'print'], { env });
  assert.deepEqual([status, stderr], [0, '']);
  const { kafka } = parse(stdout) as { kafka: { sasl: unknown; ssl: unknown } };
  assert.deepEqual(kafka.sasl, { mechanism: 'scram-sha-256', username: 'u', password: '********' });
  assert.equal(kafka.ssl, true);
});
