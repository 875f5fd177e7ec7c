import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { seeded } from '../../src/statistics/random.ts';
import { documentOf, protobufOf } from '../support/otlp.ts';
import { seed } from '../support/seed.ts';
import { rateIn, type Served, serve } from '../support/served.ts';
import { stateSummary } from '../support/service.ts';
import { runs } from '../support/soak.ts';
import { outputs } from '../support/span-cases.ts';
import { spanWith } from '../support/step-reader.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand, testWith } from '../support/tools.ts';
import { until } from '../support/until.ts';

/* The program in an empty folder, without configuration and Kafka: records come over HTTP. */

/** Sends a trace as an exporter does, its root last; it is of a day ago, and nothing comes after it. */
async function sendTrace({ post, summary }: Served): Promise<void> {
  const ago = `${Date.now() - 86_400_000}000000`;
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'traced', ...outputs };
  const times = { startTimeUnixNano: ago, endTimeUnixNano: ago };
  const [plain, root] = ['eee19b7ec3c1b1a1', 'eee19b7ec3c1b1a2'];
  const spans = [
    spanWith({ 'http.request.method': 'POST' }, { spanId: plain, parentSpanId: root, ...times }),
    spanWith(attributes, { parentSpanId: plain, ...times }),
    spanWith({}, { spanId: root, parentSpanId: '', ...times }),
  ];
  for (const span of spans) {
    const sent = await post('/v1/traces', protobufOf(documentOf([span])), 'application/x-protobuf');
    assert.equal(sent.status, 200);
    // A span that is no step waits as well, in a checkpoint of its own.
    await until('the span is saved', async () => JSON.stringify(await summary()).includes('spans_ignored'));
  }
}

test('from an empty folder: the first request shows a number, truth another, a trace its run, and a restart all of them', async (context) => {
  const cwd = temporaryFolder(context);
  const first = await serve(cwd);
  const calls = [{ name: 'get_wether', arguments: { city: 'Oslo' } }];
  const event = { example_id: 'e1', model: 'gpt-4o', tools: ['get_weather'], tool_calls: calls };
  const accepted = { status: 200, body: { accepted: 1, rejected: [] } };
  assert.deepEqual(await first.post('/v1/events', JSON.stringify(event)), accepted);
  await until('an invented tool', async () => rateIn(await first.summary(), 'tool_use', 'unknown_tool') === '1/1');
  const expected = [{ name: 'get_weather', arguments: { city: 'Oslo' } }];
  const truth = { example_id: 'e1', label: 'tool_call', expected_tool_calls: expected };
  assert.deepEqual(await first.post('/v1/truth', JSON.stringify(truth)), accepted);
  await until('a wrong call', async () => rateIn(await first.summary(), 'match', 'correct') === '0/1');
  await sendTrace(first);
  await until('the run of the trace', async () => (await first.summary()).records['runs'] === 1);
  const answer = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'gpt-4o',
    choices: [{ message: { content: 'x' } }],
  };
  for (let again = 0; again < 2; again++)
    assert.deepEqual(await first.post('/v1/events', JSON.stringify(answer)), accepted);
  const counts = async ({ summary }: Served) => {
    const { read, scored, duplicates, open_runs: open } = (await summary()).records;
    return { read, scored, duplicates, open };
  };
  const all = { read: 5, scored: 1, duplicates: 1, open: 0 };
  await until('all is counted', async () => JSON.stringify(await counts(first)) === JSON.stringify(all));
  first.process.kill('SIGKILL');
  await once(first.process, 'close');
  const second = await serve(cwd);
  await until('nothing is lost', async () => JSON.stringify(await counts(second)) === JSON.stringify(all));
  assert.equal(rateIn(await second.summary(), 'match', 'correct'), '0/1');
  second.process.kill('SIGTERM');
  assert.deepEqual(await once(second.process, 'close'), [0, null]);
});

for (const [page, truths] of [
  ['README.md', 1],
  ['docs/guides/send.md', 0],
] as const)
  testWith(['curl'], `${page}: its requests, typed`, async (context, curl) => {
    const cwd = temporaryFolder(context);
    const served = await serve(cwd);
    const answer = { id: 'a1', object: 'chat.completion', choices: [{ message: { role: 'assistant', content: 'x' } }] };
    writeFileSync(join(cwd, 'answers.jsonl'), `${JSON.stringify(answer)}\n`);
    const commands = [...readFileSync(page, 'utf8').matchAll(/^ {4}curl (.+)$/gm)].map(([, args]) => args!);
    assert.equal(commands.length, page === 'README.md' ? 3 : 4);
    for (const args of commands) {
      const line = `${curl} -sS --fail-with-body ${args.replaceAll('http://127.0.0.1:9464', served.url)}`;
      const { status, stdout, stderr } = await runCommand('sh', ['-c', line], { cwd });
      assert.equal(status, 0, `${line}\n${stdout}${stderr}`);
    }
    await until('the events', async () => Number((await served.summary()).records['read']) === 2 - truths);
    const { truth } = (await served.summary()) as unknown as { truth: { rows: number } };
    assert.equal(truth.rows, truths);
    served.process.kill('SIGKILL');
    await once(served.process, 'close');
  });

test('kill -9 at any moment under requests: every event that was accepted is counted once', async (context) => {
  const cwd = temporaryFolder(context);
  const all = { sent: 0, lost: [] as number[] };
  const line = (id: number): string =>
    JSON.stringify({ example_id: `q${id % 20}`, event_id: `e${id}`, model: 'm', tool_calls: [] });
  const send = async ({ post }: Served, ids: readonly number[]): Promise<boolean> => {
    const body = ids.map(line).join('\n');
    const answer = await post('/v1/events', body).catch(() => undefined);
    if (answer !== undefined) assert.deepEqual(answer, { status: 200, body: { accepted: ids.length, rejected: [] } });
    return answer !== undefined;
  };
  const random = seeded(seed);
  for (let round = 0; round < runs(3, 200); round++) {
    const served = await serve(cwd, '2');
    // Killed after so many answers: while others are written, read, scored and saved.
    let left = Math.floor(300 * random());
    const lane = async (): Promise<void> => {
      for (;;) {
        const ids = Array.from({ length: 5 }, () => all.lost.pop() ?? all.sent++);
        if (!(await send(served, ids))) return void all.lost.push(...ids);
        if (left-- === 0) served.process.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
  }
  const last = await serve(cwd);
  assert.ok(await send(last, all.lost));
  await until('all is read', async () => {
    const { read, duplicates } = (await last.summary()).records as { read: number; duplicates: number };
    return read - duplicates === all.sent;
  });
  last.process.kill('SIGTERM');
  await once(last.process, 'close');
  const { records } = await stateSummary(join(cwd, '.assay', 'state'));
  assert.equal(Number(records['read']) - Number(records['duplicates']), all.sent);
  assert.deepEqual(records['rejected'], {});
});
