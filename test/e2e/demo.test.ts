import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startProgram } from '../support/program.ts';
import type { Summary } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/* The demonstration, as it is started: a service that is sent its traffic over HTTP. */

interface Running {
  readonly process: ChildProcess;
  /** The folder for its temporary files. */
  readonly temporary: string;
  readonly said: () => string;
  readonly url: () => string;
}

async function start(context: TestContext, ...args: readonly string[]): Promise<Running> {
  const temporary = temporaryFolder(context);
  const child = startProgram(['demo', '--port', '0', ...args], { env: { TMPDIR: temporary } });
  context.after(() => child.kill('SIGKILL'));
  const heard = { text: '' };
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text) => (heard.text += text));
  await until('it is served', () => heard.text.includes('Assay demo: open'));
  return {
    ...{ process: child, temporary, said: () => heard.text },
    url: () => /open (http:\/\/[^/]+)/.exec(heard.text)![1]!,
  };
}

const summaryOf = async ({ url }: Running): Promise<Summary & { as_of: string }> =>
  (await (await fetch(`${url()}/api/v1/summary`)).json()) as Summary & { as_of: string };

/** Numbers of a family in the total; undefined where it has none. */
const familyOf = ({ groups }: Summary, name: string) => groups[0]?.[name] as { readonly n: number } | null | undefined;

test('the demonstration begins without truth, which comes over HTTP; Ctrl-C shows the table and leaves nothing', async (context) => {
  const running = await start(context, '--past', '10m', '--rate', '100');
  await until('use of tools is shown', async () => (familyOf(await summaryOf(running), 'tool_use')?.n ?? 0) > 500);
  await until('decisions are scored', async () => (familyOf(await summaryOf(running), 'decision')?.n ?? 0) > 5_000);
  assert.match(running.said(), /^No truth yet: [^\n]*\n(?:.*\n)*Truth of 360 examples is sent/m);
  const { records, as_of: asOf } = await summaryOf(running);
  assert.ok(Number(records['duplicates']) > 0);
  assert.ok(Date.now() - Date.parse(asOf) < 2_000, `${asOf}, at ${new Date().toISOString()}`);
  const metrics = await (await fetch(`${running.url()}/metrics`)).text();
  assert.match(metrics, /^assay_ingest_records_total\{path="\/v1\/truth"\} 360$/m);
  assert.match(metrics, /^assay_truth_delay_seconds_count [1-9]\d\d/m, 'predictions came before their truth');
  assert.match(metrics, /^assay_ingest_rejects_total\{reason="not_json"\} [1-9]/m);
  assert.equal(readdirSync(running.temporary).length, 1);
  running.process.kill('SIGINT');
  assert.deepEqual(await once(running.process, 'close'), [0, null]);
  assert.match(running.said(), /^total +\d/m);
  assert.deepEqual(readdirSync(running.temporary), []);
});

test('a demonstration that is told to stop at once leaves nothing either', async (context) => {
  const running = await start(context);
  running.process.kill('SIGTERM');
  running.process.kill('SIGINT');
  await once(running.process, 'close');
  assert.deepEqual(readdirSync(running.temporary), []);
});

test('where tokens are needed, or another address is served, the demonstration sends to itself all the same', async (context) => {
  const folder = temporaryFolder(context);
  writeFileSync(join(folder, 'writers'), 'a-token-of-the-agents\n');
  const config = join(folder, 'assay.yaml');
  const http = { host: '0.0.0.0', allowed_hosts: ['assay.example', '127.0.0.1'] };
  writeFileSync(config, JSON.stringify({ http, ingest: { tokens: [{ file: join(folder, 'writers') }] } }));
  const running = await start(context, '-c', config, '--past', '1m');
  const ask = (): Running => ({ ...running, url: () => running.url().replace('0.0.0.0', '127.0.0.1') });
  await until('records are read', async () => Number((await summaryOf(ask())).records['read']) > 500);
  const event = { method: 'POST', body: '{"example_id": "a", "tool_calls": []}' };
  assert.equal((await fetch(`${ask().url()}/v1/events`, event)).status, 401);
  running.process.kill('SIGTERM');
  assert.deepEqual(await once(running.process, 'close'), [0, null]);
});
