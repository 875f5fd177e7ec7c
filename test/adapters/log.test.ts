import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { prettyLine } from '../../src/adapters/log.ts';

/** stderr of a process that logs by `statements` and exits at once. */
async function logged(pretty: boolean | 'auto', statements: string): Promise<string> {
  const log = new URL('../../src/adapters/log.js', import.meta.url);
  const script = `import { createLog } from ${JSON.stringify(log.href)};
    const log = createLog({ level: 'info', pretty: ${JSON.stringify(pretty)}, version: '1.2.3' });
    ${statements}
    process.exit(0);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await once(child, 'close');
  return stderr;
}

test('a line of JSON each, none lost at exit', async () => {
  const stderr = await logged(
    'auto',
    `for (let i = 0; i < 500; i++) log.info({ i }, 'line'); log.debug({}, 'too low');`,
  );
  const lines = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.equal(lines.length, 500);
  const { time, ...rest } = lines[499]!;
  assert.deepEqual(rest, { level: 'info', service: 'assay', version: '1.2.3', i: 499, msg: 'line' });
  assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('errors keep their message and stack', async () => {
  const stderr = await logged(false, `log.error({ err: new Error('disk full') }, 'cannot write');`);
  const { err } = JSON.parse(stderr) as { err: { message: string; stack: string } };
  assert.equal(err.message, 'disk full');
  assert.match(err.stack, /^Error: disk full\n/);
});

test('secrets are masked', async () => {
  const stderr = await logged(
    false,
    `log.info({ password: 'hunter2', sasl: { password: 'hunter2' }, kafka: { passphrase: 'hunter2', ssl: { key: 'hunter2' } } }, 'x');`,
  );
  assert.doesNotMatch(stderr, /hunter2/);
  assert.match(stderr, /\*{8}/);
});

test('pretty: a line for people', async () => {
  const stderr = await logged(true, `log.warn({ topic: 'predictions', n: 2 }, 'slow');`);
  assert.match(stderr, /^\d\d:\d\d:\d\d\.\d{3} warn {2}slow {2}topic="predictions" {2}n=2\n$/);
});

test('pretty: data cannot steer the terminal', () => {
  const line = prettyLine(
    JSON.stringify({
      time: '2026-05-01T04:09:59.123Z',
      level: 'info',
      msg: 'a\u001b[31m\r',
      id: '\u009b2J',
      err: { stack: 'E\n at\u0007' },
    }),
  );
  assert.equal(line, '04:09:59.123 info  a\\u001b[31m\\u000d  id="\\u009b2J"\nE\n at\\u0007\n');
});
