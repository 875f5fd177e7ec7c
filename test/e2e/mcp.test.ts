import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { after, type TestContext, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { parse, stringify } from 'yaml';
import { program, runProgram } from '../support/program.ts';
import { serviceConfig, startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand } from '../support/tools.ts';
import { until } from '../support/until.ts';

/* `assay mcp` as an agent sees it: the client of the SDK, over standard input and output of the built program. */

const cwd = temporaryFolder({ after });
const book = (city: string) => [{ name: 'book', arguments: { city } }];
const ts = 1_780_000_000_000;
const lines = (name: string, values: readonly object[]): void =>
  writeFileSync(join(cwd, name), values.map((value) => `${JSON.stringify(value)}\n`).join(''));
const examples = Array.from({ length: 40 }, (_, at) => `e${at}`);
const truth = examples.map((example_id) => ({ example_id, label: 'tool_call', expected_tool_calls: book('Oslo') }));
const events = examples.flatMap((example_id, at) =>
  ['good', 'bad'].map((model) => ({
    ...{ example_id, event_id: `${model}-${example_id}`, ts, model },
    tool_calls: book(model === 'bad' && at % 2 === 0 ? 'Rome' : 'Oslo'),
  })),
);
lines('truth.ndjson', truth);
lines('events.ndjson', events);

type Answer = Record<string, unknown> & { readonly groups?: readonly Record<string, unknown>[] };

/** Calls a tool; the answer is JSON, or the text of an error. */
type Call = (name: string, given?: Record<string, unknown>) => Promise<Answer>;

/** Connects a client to `assay mcp` with these arguments. */
async function connected(context: TestContext, ...args: readonly string[]): Promise<{ client: Client; call: Call }> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  context.after(() => client.close());
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', ...args], cwd }));
  return {
    client,
    async call(name, given = {}) {
      const { content, isError } = await client.callTool({ name, arguments: given });
      const [{ text }] = content as unknown as [{ readonly text: string }];
      assert.ok(text.length <= 24_000);
      return isError === true ? { error: text } : (JSON.parse(text) as Answer);
    },
  };
}

test('a summary file: five tools that only read', async (context) => {
  const replay = ['replay', '--truth', 'truth.ndjson', '--events', 'events.ndjson', '--summary', 'summary.json'];
  assert.equal((await runProgram(replay, { cwd })).status, 0);
  const { client, call } = await connected(context, 'summary.json');
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['summary', 'incidents', 'failures', 'explain', 'compare'],
  );
  assert.ok(tools.every(({ annotations, description }) => annotations?.readOnlyHint === true && description !== ''));

  const { groups, coverage } = await call('summary', { by: 'model' });
  assert.equal((coverage as { numerator: number }).numerator, 80);
  assert.deepEqual(
    groups!.map(({ slice }) => slice),
    [{ model: 'bad' }, { model: 'good' }],
  );
  const { lower, upper, ...correct } = (groups![0]!['metrics'] as Named[])[0]!;
  assert.deepEqual(correct, { metric: 'match.correct', value: 0.5, counts: '20 of 40' });
  // Wilson's interval of 20 of 40.
  assert.deepEqual([Number(lower).toFixed(3), Number(upper).toFixed(3)], ['0.352', '0.648']);

  const { wrong_arguments: wrong, failures, more_failures: more } = await call('failures', { model: 'bad' });
  assert.deepEqual((wrong as Named[])[0]!['counts'], {
    missing_argument: 0,
    unexpected_argument: 0,
    wrong_type: 0,
    wrong_value: 20,
  });
  assert.equal(more, 0);
  const { failures: explained } = await call('explain', { id: (failures as Named[])[0]!['example_id'] });
  assert.deepEqual(explained, (failures as Named[]).slice(0, 1));
  const nobody = await call('explain', { id: 'nobody' });
  assert.match(String(nobody['note']), /^no failed event with this id is known/);

  const { metrics } = await call('compare', { a: 'model=good', b: 'model=bad' });
  const change = (metrics as Named[]).find(({ metric }) => metric === 'match.correct')!;
  assert.deepEqual([change['a'], change['b'], change['change']], [1, 0.5, 'worse']);
  assert.match(String((await call('compare', { a: 'model=none', b: '' }))['error']), /there is no group model=none/);
  assert.match(String((await call('compare', { a: 'nonsense', b: '' }))['error']), /is no group; write it as/);
});

test('a running service, and its checkpoints when it has ended', async (context) => {
  const folder = temporaryFolder(context);
  const config = serviceConfig({ brokers: [], topics: [], group: 'assay', truth: [], folder });
  writeFileSync(
    config,
    stringify({ ...(parse(readFileSync(config, 'utf8')) as object), kafka: { group_id: 'assay' } }),
  );
  const service = startService(config);
  const url = await service.url();
  for (const [path, values] of [
    ['truth', truth],
    ['events', events],
  ] as const) {
    const headers = { 'content-type': 'application/x-ndjson' };
    const body = values.map((value) => JSON.stringify(value)).join('\n');
    assert.equal((await fetch(`${url}/v1/${path}`, { method: 'POST', body, headers })).status, 200);
  }
  await until('all is scored', async () => (await service.summary()).records['scored'] === 80);
  const { call } = await connected(context, '--url', url);
  const { groups } = await call('summary', { by: 'model' });
  assert.deepEqual(
    groups!.map(({ slice }) => slice),
    [{ model: 'bad' }, { model: 'good' }],
  );
  assert.match(String((await call('summary', { by: 'nothing' }))['error']), /answers 400: .*slice/);
  assert.deepEqual((await call('incidents'))['incidents'], []);
  const { failures } = await call('failures');
  const [failed] = failures as Named[];
  const { failures: explained } = await call('explain', { id: failed!['event_id'] });
  assert.equal((explained as Named[])[0]!['example_id'], failed!['example_id']);
  assert.equal(await service.stop(), 0);
  assert.match(String((await call('incidents'))['error']), /does not answer/);

  const ended = await connected(context, join(folder, 'state'));
  assert.deepEqual((await ended.call('summary', { by: 'model' })).groups, groups);
  assert.match(String((await ended.call('failures'))['note']), /^Only the latest failed events are known/);
});

test('wrong usage', async () => {
  for (const [args, says] of [
    [[], /^mcp: name one of a summary file/],
    [['a', '--url', 'http://127.0.0.1:1'], /^mcp: name one of/],
    [['--url', 'file:///etc/passwd'], /is no HTTP address/],
    [['nowhere.json'], /^mcp: nowhere\.json: cannot be read: .*; name a summary/],
  ] as const) {
    const { status, stderr } = await runProgram(['mcp', ...args], { cwd, built: true });
    assert.equal(status, 2, stderr);
    assert.match(stderr, says);
  }
});

test('the end of standard input ends it, also of a device', async () => {
  const command = `'${process.execPath}' '${program}' mcp '${cwd}' < /dev/null`;
  assert.deepEqual(await runCommand('sh', ['-c', command]), { status: 0, stdout: '', stderr: '' });
});

type Named = Record<string, unknown>;
