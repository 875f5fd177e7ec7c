import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { embeds, honest, judgeServer, silent, status } from '../support/judge-server.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/* Keys under `judge`, and those of judgements under `metrics`: each is seen to do what it is for. */

const call = { name: 'book', arguments: { city: 'Oslo' } };

function folderOf(context: TestContext): string {
  const folder = temporaryFolder(context);
  const lines = (of: (i: number) => object): string =>
    Array.from({ length: 40 }, (_, i) => `${JSON.stringify(of(i))}\n`).join('');
  writeFileSync(
    join(folder, 'truth.ndjson'),
    lines((i) => ({ example_id: `e${i}`, expected_tool_calls: [call] })),
  );
  writeFileSync(
    join(folder, 'events.ndjson'),
    lines((i) => ({
      example_id: `e${i}`,
      event_id: `${i}`,
      ts: i + 1.78e12,
      tool_calls: i % 2 ? [call] : [],
      output: `${i}`,
    })),
  );
  writeFileSync(join(folder, 'key'), 'a-key\n');
  writeFileSync(join(folder, 'rubric.md'), 'Seven is good.');
  return folder;
}

async function judged(
  folder: string,
  judge: object,
  more: object = {},
): Promise<{ readonly lines: Record<string, never>[]; readonly stderr: string }> {
  writeFileSync(join(folder, 'assay.yaml'), JSON.stringify({ judge, ...more }));
  const args = 'judge --truth truth.ndjson --events events.ndjson -o out.ndjson -c assay.yaml'.split(' ');
  const { status, stderr } = await runProgram(args, { cwd: folder });
  assert.equal(status, 0, stderr);
  const lines = readFileSync(join(folder, 'out.ndjson'), 'utf8').trim().split('\n');
  return { lines: lines.map((line) => JSON.parse(line) as Record<string, never>), stderr };
}

test('endpoint, model, key, price, budget, concurrency, timeout, of both; rubric; sample', async (context) => {
  const folder = folderOf(context);
  const server = await judgeServer(context);
  const common = {
    api_key_file: join(folder, 'key'),
    price: { input: 2, output: 3 },
    budget_usd_per_day: 5,
    concurrency: 1,
  };
  const { lines } = await judged(folder, {
    sample: { right: 1, wrong: 0 },
    semantic: { ...common, endpoint: `${server.url}/v1/embeddings`, model: 'vectors', timeout: '5s' },
    judge: {
      ...common,
      endpoint: `${server.url}/v1/chat/completions`,
      model: 'words',
      rubric: join(folder, 'rubric.md'),
    },
  });
  assert.equal(lines.length, 40, 'twenty are right, and each is judged twice');
  assert.ok(lines.every(({ exact }) => exact === true));
  const [chat, vectors] = ['judge', 'semantic'].map((name) => lines.find(({ judgement }) => judgement === name)!);
  assert.deepEqual([chat!['by'], vectors!['by']], ['words', 'vectors']);
  assert.deepEqual(chat!['cost'], { input_tokens: 100, output_tokens: 10, usd: 0.00023 });
  assert.deepEqual(vectors!['cost'], { input_tokens: 20, output_tokens: 0, usd: 0.00004 });
  assert.ok(server.asked.every(({ headers }) => headers.authorization === 'Bearer a-key'));
  assert.ok(server.asked.some(({ body }) => body.messages?.some(({ content }) => content.includes('Seven is good.'))));
  assert.ok(server.flight.most <= 2, 'one of each');
});

test('sample as one chance; a timeout', async (context) => {
  const folder = folderOf(context);
  const server = await judgeServer(context, silent);
  const judge = { endpoint: `${server.url}/v1/chat/completions`, model: 'm', timeout: '40ms', concurrency: 16 };
  const { lines } = await judged(folder, { sample: 0.03, judge });
  assert.ok(lines.length > 0 && lines.length < 10, `${lines.length} of 40`);
  assert.ok(lines.every(({ failed, probability }) => failed === 'timeout' && probability === 0.03));
});

test('at the level debug neither contents nor the key nor what an endpoint says are in the log', async (context) => {
  const folder = folderOf(context);
  const server = await judgeServer(context);
  // An outage that says all that it was sent, then embeddings that are texts.
  server.usual = (response, asked) => {
    if (server.asked.length < 12) return status(500, {}, JSON.stringify(asked))(response, asked);
    const { path } = asked;
    return (path.endsWith('/embeddings') ? embeds(() => ['text']) : honest)(response, asked);
  };
  const common = { api_key_file: join(folder, 'key'), model: 'm' };
  const judge = {
    sample: 1,
    judge: { ...common, endpoint: `${server.url}/v1/chat/completions` },
    semantic: { ...common, endpoint: `${server.url}/v1/embeddings` },
  };
  const { lines, stderr } = await judged(folder, judge, { log: { level: 'debug' } });
  assert.equal(lines.length, 80);
  assert.match(stderr, /does not answer \(status 500\)/);
  assert.match(stderr, /an embedding holds something other than numbers/);
  assert.doesNotMatch(stderr, /Oslo|book|a-key|tool_calls|reason/);
});

test('thresholds and normalization change what passes', async (context) => {
  const folder = folderOf(context);
  const judgement = (name: string, score: number) => JSON.stringify({ judgement: name, example_id: 'e1', score });
  writeFileSync(join(folder, 'judgements.ndjson'), `${judgement('judge', 6)}\n${judgement('semantic', 0.8)}\n`);
  const passed = async (metrics: object): Promise<readonly number[]> => {
    writeFileSync(join(folder, 'assay.yaml'), JSON.stringify({ metrics }));
    const args = '--truth truth.ndjson --events events.ndjson --judgements judgements.ndjson -c assay.yaml --summary -';
    const { stdout } = await runProgram(['replay', ...args.split(' ')], { cwd: folder });
    const { judge, semantic } = JSON.parse(stdout).groups[0];
    return [judge.pass.value, semantic.pass.value];
  };
  assert.deepEqual(await passed({}), [1, 0]);
  assert.deepEqual(await passed({ judge: { normalization: 'minmax' } }), [0, 0]);
  assert.deepEqual(await passed({ judge: { threshold: 0.9 } }), [0, 0]);
  assert.deepEqual(await passed({ semantic: { threshold: 0.8 } }), [1, 1]);
});

test('sample.without_truth is the chance of events without truth', async (context) => {
  const folder = folderOf(context);
  appendFileSync(join(folder, 'events.ndjson'), JSON.stringify({ example_id: 'new', ts: 1.79e12, tool_calls: [call] }));
  const { url } = await judgeServer(context);
  const judge = { endpoint: `${url}/v1/chat/completions`, model: 'words' };
  const { lines } = await judged(folder, { sample: { right: 0, wrong: 0, without_truth: 1 }, judge });
  assert.deepEqual(
    lines.map(({ example_id, reference }) => [example_id, reference]),
    [['new', false]],
  );
});
