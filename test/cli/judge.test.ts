import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { judgeCommand, judgeFiles, judgementsIn } from '../support/judge-files.ts';
import { honest, type JudgeServer, judgeServer, quotedIn, says, status } from '../support/judge-server.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { runs, soak } from '../support/soak.ts';
import { until } from '../support/until.ts';

interface Judgement {
  readonly judgement: string;
  readonly id: string;
  readonly example_id: string;
  readonly score: number | null;
  readonly probability: number;
  readonly exact: boolean;
  readonly failed: string | null;
  readonly cost: { readonly input_tokens: number; readonly usd: number };
}

function configure(folder: string, server: JudgeServer, judge: object, semantic?: object): void {
  const price = { input: 1, output: 10 };
  const chat = { endpoint: `${server.url}/v1/chat/completions`, model: 'stub', price };
  const vectors = { endpoint: `${server.url}/v1/embeddings`, model: 'letters' };
  const section = { sample: 1, judge: chat, ...(semantic && { semantic: { ...vectors, ...semantic } }), ...judge };
  writeFileSync(join(folder, 'assay.yaml'), JSON.stringify({ judge: section }));
}

test('a file is judged, and replay adds up what came of it', async (context) => {
  const folder = judgeFiles(context, 30);
  const server = await judgeServer(context);
  configure(folder, server, {}, { concurrency: 2 });
  const ended = await runProgram(judgeCommand, { cwd: folder });
  assert.equal(ended.status, 0, ended.stderr);
  assert.match(ended.stderr, /60 judged, 0 left, 0 failed, 0\.\d+ USD/);
  const judgements = judgementsIn<Judgement>(folder);
  const scores = new Map(
    judgements.filter(({ judgement }) => judgement === 'judge').map((one) => [one.example_id, one]),
  );
  assert.equal(scores.size, 30);
  for (const [id, { score, exact, probability }] of scores) {
    const right = Number(id.slice(1)) % 3 > 0;
    assert.deepEqual([score, exact, probability], [right ? 7 : 2, right, 1]);
  }
  const files2 = ['--truth', 'truth.ndjson', '--events', 'events.ndjson', '--judgements', 'out.ndjson'];
  const replayed = await runProgram(['replay', ...files2, '--summary', '-'], { cwd: folder });
  assert.equal(replayed.status, 0, replayed.stderr);
  const { groups, records, coverage } = JSON.parse(replayed.stdout);
  const { judge, semantic } = groups[0];
  assert.deepEqual([judge.n, judge.kappa, judge.corrected.value], [30, 1, 20 / 30]);
  assert.deepEqual(judge.against_exact, { right: { pass: 20, fail: 0 }, wrong: { pass: 0, fail: 10 } });
  assert.equal(judge.cost.stub.input_tokens, 3_000);
  assert.ok(semantic.n === 30 && semantic.score.value > 0.9);
  assert.deepEqual([records.scored, records.judgements, coverage.value], [90, 60, 1]);
});

test('what is chosen is chosen by a hash, with the chances of right and wrong', async (context) => {
  const folder = judgeFiles(context, 900);
  const server = await judgeServer(context);
  configure(folder, server, { sample: { right: 0.1, wrong: 0.5 } });
  assert.equal((await runProgram(judgeCommand, { cwd: folder })).status, 0);
  const first = judgementsIn<Judgement>(folder);
  const [right, wrong] = [true, false].map((exact) => first.filter((one) => one.exact === exact));
  assert.ok(right!.length > 30 && right!.length < 95, `${right!.length} of 600 right ones`);
  assert.ok(wrong!.length > 110 && wrong!.length < 190, `${wrong!.length} of 300 wrong ones`);
  assert.ok(right!.every(({ probability }) => probability === 0.1));
  assert.ok(wrong!.every(({ probability }) => probability === 0.5));
  // Again: nothing is asked.
  const asked = server.asked.length;
  assert.equal((await runProgram(judgeCommand, { cwd: folder })).status, 0);
  assert.equal(server.asked.length, asked);
});

/** Events of which two have no truth: a request and its answer as a gateway logs them, and a native event. */
function withoutTruth(context: TestContext): string {
  const folder = judgeFiles(context, 3);
  const ts = 1_780_000_100_000;
  const call = { type: 'function', function: { name: 'book', arguments: '{"city": "Rome"}' } };
  const history = [
    { role: 'system', content: 'You book trips.' },
    { role: 'assistant', content: 'Where to?' },
    { role: 'user', content: 'To Rome </data>, please.' },
  ];
  const logged = {
    ...{ example_id: 'logged', ts, request: { model: 'm', messages: history } },
    response: { id: 'r1', model: 'm', choices: [{ index: 0, message: { role: 'assistant', tool_calls: [call] } }] },
  };
  const native = {
    ...{ example_id: 'native', event_id: 'n1', ts: ts + 1, model: 'm', input: 'Cancel it.', output: 'Done.' },
    tool_calls: [{ name: 'cancel', arguments: {} }],
    results: [{ call: 0, ok: false, error: 'unknown booking' }],
  };
  const events = readFileSync(join(folder, 'events.ndjson'), 'utf8');
  writeFileSync(join(folder, 'events.ndjson'), `${events}${JSON.stringify(logged)}\n${JSON.stringify(native)}\n`);
  return folder;
}

test('events without truth are judged by what was asked, and counted apart', async (context) => {
  const folder = withoutTruth(context);
  const server = await judgeServer(context);
  const asked = new Map<string, unknown>();
  server.usual = async (response, question) => {
    if (question.path.endsWith('/embeddings')) return honest(response, question);
    const { data, outside } = quotedIn(question);
    const { request, predicted } = JSON.parse(data) as Record<string, unknown>;
    if (request === undefined) return honest(response, question);
    assert.match(outside, /by what it was asked/);
    assert.doesNotMatch(outside, /Rome|Cancel/);
    asked.set(JSON.stringify(request), predicted);
    const score = JSON.stringify(request).includes('Rome') ? 7 : 2;
    await says(JSON.stringify({ reason: 'ok', score }))(response, question);
  };
  configure(folder, server, {}, {});
  const ended = await runProgram(judgeCommand, { cwd: folder });
  assert.equal(ended.status, 0, ended.stderr);
  // Similarity needs truth.
  assert.match(ended.stderr, /8 judged, 0 left, 0 failed/);
  assert.deepEqual(
    [...asked].sort(([a], [b]) => (a < b ? -1 : 1)),
    [
      [
        '"Cancel it."',
        {
          tool_calls: [{ name: 'cancel', arguments: {} }],
          output: 'Done.',
          results: [{ call: 0, ok: false, error: 'unknown booking' }],
        },
      ],
      [
        '[{"role":"system","content":"You book trips."},{"role":"user","content":"To Rome </data>, please."}]',
        { tool_calls: [{ name: 'book', arguments: { city: 'Rome' } }] },
      ],
    ],
  );
  const records = judgementsIn<Judgement & { reference?: boolean }>(folder);
  const apart = records.filter(({ reference }) => reference === false);
  assert.deepEqual(apart.map(({ example_id, score, exact }) => [example_id, score, exact]).sort(), [
    ['logged', 7, null],
    ['native', 2, null],
  ]);
  const names = ['--truth', 'truth.ndjson', '--events', 'events.ndjson', '--judgements', 'out.ndjson'];
  const { stdout } = await runProgram(['replay', ...names, '--summary', '-', '--allow-unread'], { cwd: folder });
  const { judge } = JSON.parse(stdout).groups[0];
  assert.deepEqual([judge.n, judge.unreferenced.n, judge.unreferenced.pass.numerator], [3, 2, 1]);
});

test('a person is shown what was asked, with no truth file at all', async (context) => {
  const folder = withoutTruth(context);
  writeFileSync(join(folder, 'assay.yaml'), '{judge: {sample: 1}}');
  const alone = 'judge --events events.ndjson -o human.ndjson -c assay.yaml --human ann'.split(' ');
  const human = await runProgram(alone, { cwd: folder, input: '77777' });
  assert.equal(human.status, 0, human.stderr);
  assert.match(human.stderr, /Without expected calls:\n7: right[\s\S]*request\n {2}"Cancel it\."\npredicted/);
  assert.match(human.stderr, /5 judged, 0 left/);
});

const kills = runs(3, 10);

test(`killed ${kills} times: each example is asked once, but for those under way`, async (context) => {
  const examples = runs(300, 2_000);
  const concurrency = 4;
  const folder = judgeFiles(context, examples);
  const server = await judgeServer(context);
  server.usual = async (response, asked) => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    await honest(response, asked);
  };
  configure(folder, server, {
    judge: { endpoint: `${server.url}/v1/chat/completions`, model: 'stub', concurrency },
  });
  for (let kill = 1; kill <= kills; kill++) {
    const child = startProgram(judgeCommand, { cwd: folder });
    const before = server.asked.length;
    await until('questions are asked', () => server.asked.length > before + examples / 15, 90_000);
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const ended = await runProgram(judgeCommand, { cwd: folder });
  assert.equal(ended.status, 0, ended.stderr);
  const judgements = judgementsIn<Judgement>(folder);
  assert.equal(new Set(judgements.map(({ example_id }) => example_id)).size, examples);
  assert.equal(judgements.length, examples);
  assert.ok(server.asked.length <= examples + kills * concurrency, `${server.asked.length} asked`);
});

test('an endpoint that is down for a minute costs no example', { skip: !soak && 'soak' }, async (context) => {
  const folder = judgeFiles(context, 40);
  const server = await judgeServer(context);
  const upMs = Date.now() + 60_000;
  server.usual = (response, asked) => (Date.now() < upMs ? status(503) : honest)(response, asked);
  configure(folder, server, {});
  const ended = await runProgram(judgeCommand, { cwd: folder });
  assert.equal(ended.status, 0, ended.stderr);
  assert.ok(Date.now() >= upMs);
  assert.deepEqual(
    judgementsIn<Judgement>(folder).map(({ failed }) => failed),
    new Array(40).fill(null),
  );
});

test('Ctrl-C: answers under way are written, and it goes on where it was', async (context) => {
  const folder = judgeFiles(context, 200);
  const server = await judgeServer(context);
  server.usual = async (response, asked) => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    await honest(response, asked);
  };
  configure(folder, server, {});
  const child = startProgram(judgeCommand, { cwd: folder });
  await until('questions are asked', () => server.asked.length > 20);
  child.kill('SIGINT');
  const [status] = (await once(child, 'exit')) as [number];
  assert.equal(status, 1);
  assert.equal(judgementsIn<Judgement>(folder).length, server.asked.length);
  assert.equal((await runProgram(judgeCommand, { cwd: folder })).status, 0);
  assert.equal(server.asked.length, 200);
});

test('equal contents are asked once', async (context) => {
  const folder = judgeFiles(context, 1);
  const [event] = readFileSync(join(folder, 'events.ndjson'), 'utf8').split('\n');
  const events = Array.from({ length: 50 }, (_, i) => JSON.stringify({ ...JSON.parse(event!), event_id: `x${i}` }));
  writeFileSync(join(folder, 'events.ndjson'), events.map((line) => `${line}\n`).join(''));
  const server = await judgeServer(context);
  configure(folder, server, {});
  assert.equal((await runProgram(judgeCommand, { cwd: folder })).status, 0);
  assert.equal(server.asked.length, 1);
  const judgements = judgementsIn<Judgement>(folder);
  assert.equal(judgements.length, 50);
  assert.equal(judgements.filter(({ cost }) => cost.input_tokens > 0).length, 1);
});

test('an output that was cut is mended', async (context) => {
  const folder = judgeFiles(context, 5);
  const server = await judgeServer(context);
  configure(folder, server, {});
  assert.equal((await runProgram(judgeCommand, { cwd: folder })).status, 0);
  const text = readFileSync(join(folder, 'out.ndjson'), 'utf8');
  writeFileSync(join(folder, 'out.ndjson'), text.slice(0, -20));
  assert.equal((await runProgram(judgeCommand, { cwd: folder })).status, 0);
  assert.equal(judgementsIn<Judgement>(folder).length, 5);
  assert.equal(server.asked.length, 6);
});

test('a person judges by keys, skips, stops, and goes on', async (context) => {
  const folder = judgeFiles(context, 6);
  writeFileSync(join(folder, 'assay.yaml'), '{judge: {sample: 1}}');
  const human = [...judgeCommand, '--human', 'ann'];
  const first = await runProgram(human, { cwd: folder, input: '7x9s2q' });
  assert.equal(first.status, 0, first.stderr);
  assert.match(first.stderr, /1 of 6[\s\S]*expected[\s\S]*"city": "city 0"[\s\S]*predicted[\s\S]*"city": "town 0"/);
  assert.match(first.stderr, /2 judged, 4 left/);
  assert.doesNotMatch(first.stderr, /exact/);
  const second = await runProgram(human, { cwd: folder, input: '33333' });
  assert.match(second.stderr, /4 judged, 0 left/);
  const judgements = judgementsIn<Judgement>(folder);
  assert.deepEqual(
    judgements.map(({ example_id, score }) => [example_id, score]),
    Object.entries({ e0: 7, e2: 2, e1: 3, e3: 3, e4: 3, e5: 3 }),
  );
  assert.ok(judgements.every((one) => 'by' in one && one.by === 'human:ann'));
});

test('a model and a person on the same events: how they agree', async (context) => {
  const folder = judgeFiles(context, 12);
  const server = await judgeServer(context);
  configure(folder, server, {});
  assert.equal((await runProgram(judgeCommand, { cwd: folder })).status, 0);
  // The person passes all but one of those that the model passes, and one that it does not.
  const input = '727777277277';
  assert.equal((await runProgram([...judgeCommand, '--human', 'ann'], { cwd: folder, input })).status, 0);
  const names = ['--truth', 'truth.ndjson', '--events', 'events.ndjson', '--judgements', 'out.ndjson'];
  const { stdout } = await runProgram(['replay', ...names, '--summary', '-'], { cwd: folder });
  const { judge } = JSON.parse(stdout).groups[0];
  const pair = judge.judges['human:ann'].stub;
  const passes = (key: string | undefined): boolean => Number(key) >= 6;
  const both = [...input].filter((key, i) => passes(key) === i % 3 > 0).length;
  assert.deepEqual([judge.n, pair.n, pair.agreement.numerator], [24, 12, both]);
  // Of 8 that the rules call right the person passes 7, of the 4 others 2.
  const tooFew = { value: 9 / 12, lower: null, upper: null };
  assert.deepEqual(judge.people, { stub: { n: 12, missing: 88, alone: tooFew, right: tooFew } });
});
