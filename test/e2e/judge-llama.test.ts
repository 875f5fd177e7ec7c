import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { type Exchange, type Llama, llamaFromSource, llamaPackages, startLlama } from '../support/llama.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { pythonEnv, withInterpreter } from '../support/python.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/*
 * `assay judge` against a real server, llama.cpp's. Its model has 135 M parameters: its opinions are worth nothing, its faults are real. For the
 * soak: the server is built from source.
 */

const title = 'assay judge, and a model on this machine';
const examples = 24;
const concurrency = 3;
/** The server is built in six minutes of a machine with two cores that has nothing else to do; it answers in a second then, in a minute where it is busy. */
const buildMs = 3_600_000;
const limitMs = 1_200_000;

interface Judgement {
  readonly judgement: string;
  readonly example_id: string;
  readonly score: number | null;
  readonly failed: string | null;
  readonly cost: { readonly input_tokens: number; readonly output_tokens: number };
}

if (process.env['ASSAY_SOAK'] !== '1') test(title, { skip: 'a server that is built: npm run test:soak' });
else withInterpreter(title, judged, () => pythonEnv(llamaPackages, llamaFromSource), buildMs + 2 * limitMs);

function judged(interpreter: () => string): void {
  let llama: Llama;
  before(async () => {
    llama = await startLlama(interpreter());
  });
  after(() => llama.stop());

  test('killed once: each example is judged or has failed by name, and asked once but for those under way', {
    timeout: limitMs,
  }, async (context) => {
    const from = llama.exchanges.length;
    const folder = files(context);
    configure(folder, { judge: chat(llama) });
    const child = startProgram(command, { cwd: folder });
    context.after(() => void child.kill('SIGKILL'));
    await until('some are judged', () => written(folder).length >= 6, limitMs);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const kept = written(folder).length;

    const ended = await runProgram(command, { cwd: folder });
    assert.equal(ended.status, 0, ended.stderr);
    const judgements = written(folder);
    assert.deepEqual(
      judgements.map(({ example_id }) => example_id).sort(),
      Array.from({ length: examples }, (_, i) => `e${i}`).sort(),
    );
    assert.ok(judgements.every(({ score, failed }) => (score === null) === (failed !== null)));
    assert.ok(judgements.every(({ score }) => score === null || (score >= 1 && score <= 7 && score % 1 === 0)));
    const [, done, left, failed] = /(\d+) judged, (\d+) left, (\d+) failed/.exec(ended.stderr)!.map(Number);
    assert.deepEqual([done, left, failed], [examples - kept, 0, failedOf(judgements.slice(kept))]);

    const exchanges = llama.exchanges.slice(from);
    context.diagnostic(told(exchanges, judgements));
    // What the server takes is not asked again, but where it was under way when the program was killed.
    const taken = exchanges.filter(({ status }) => status === 200 || status === undefined);
    const again = [...countsOf(taken.map(({ body }) => body)).values()].filter((times) => times > 1);
    assert.ok(again.length <= concurrency && again.every((times) => times === 2), `asked again: ${again}`);
    assert.equal(new Set(exchanges.map(dataOf)).size, examples);
    await assertAddedUp(folder, judgements);
  });

  test('its embeddings, a vector for each token, are refused by name', { timeout: limitMs }, async (context) => {
    const folder = files(context);
    configure(folder, { semantic: { endpoint: `${llama.url}/v1/embeddings`, model: 'smollm2' } });
    const ended = await runProgram(command, { cwd: folder });
    assert.equal(ended.status, 1);
    assert.match(ended.stderr, new RegExp(`judge: ${llama.url}/v1/embeddings: it gives a list of vectors`));
    assert.deepEqual(written(folder), []);
  });
}

/** The judgements go through `replay`, with all that they say. */
async function assertAddedUp(folder: string, judgements: readonly Judgement[]): Promise<void> {
  const names = ['--truth', 'truth.ndjson', '--events', 'events.ndjson', '--judgements', 'out.ndjson'];
  const replayed = await runProgram(['replay', ...names, '--summary', '-'], { cwd: folder });
  assert.equal(replayed.status, 0, replayed.stderr);
  const { groups, records } = JSON.parse(replayed.stdout) as Summary;
  const { judge } = groups[0]!;
  const tokens = (of: (cost: Judgement['cost']) => number): number =>
    judgements.reduce((sum, { cost }) => sum + of(cost), 0);
  assert.deepEqual([records.judgements, judge.n], [examples, examples - failedOf(judgements)]);
  assert.equal(
    Object.values(judge.failed).reduce((a, b) => a + b, 0),
    failedOf(judgements),
  );
  const cost = judge.cost['smollm2']!;
  assert.equal(
    cost.input_tokens,
    tokens((one) => one.input_tokens),
  );
  assert.equal(
    cost.output_tokens,
    tokens((one) => one.output_tokens),
  );
  assert.ok(cost.input_tokens > 100 * judge.n);
}

const command = 'judge --truth truth.ndjson --events events.ndjson -o out.ndjson -c assay.yaml'.split(' ');

function chat({ url }: Llama): object {
  return { endpoint: `${url}/v1/chat/completions`, model: 'smollm2', concurrency, timeout: '10m' };
}

function configure(folder: string, judge: object): void {
  writeFileSync(join(folder, 'assay.yaml'), JSON.stringify({ judge: { sample: 1, ...judge } }));
}

/** Events of which a third is wrong; one is longer than all that the server reads. */
function files(context: TestContext): string {
  const folder = temporaryFolder(context);
  const call = (city: string) => ({ name: 'book', arguments: { city, nights: 2 } });
  const lines = (of: (index: number) => object): string =>
    Array.from({ length: examples }, (_, index) => `${JSON.stringify(of(index))}\n`).join('');
  writeFileSync(
    join(folder, 'truth.ndjson'),
    lines((i) => ({ example_id: `e${i}`, expected_tool_calls: [call(`city ${i}`)] })),
  );
  writeFileSync(
    join(folder, 'events.ndjson'),
    lines((i) => ({
      ...{ example_id: `e${i}`, event_id: `p${i}`, model: 'm', ts: 1_780_000_000_000 + 1000 * i },
      tool_calls: [call(i % 3 === 0 ? `town ${i}` : `city ${i}`)],
      ...(i === examples - 1 && { output: 'and so on '.repeat(2_000) }),
    })),
  );
  return folder;
}

function written(folder: string): Judgement[] {
  const path = join(folder, 'out.ndjson');
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Judgement);
}

/** The part of a question that tells it from others. */
function dataOf({ body }: Exchange): string {
  const { messages } = JSON.parse(body) as { readonly messages: readonly { readonly content: string }[] };
  return messages.at(-1)!.content;
}

/** What the server answered. */
function told(exchanges: readonly Exchange[], judgements: readonly Judgement[]): string {
  const statuses = countsOf(exchanges.map(({ status }) => String(status)));
  const scores = countsOf(judgements.map(({ score, failed }) => String(score ?? failed)));
  return JSON.stringify({ statuses: Object.fromEntries(statuses), scores: Object.fromEntries(scores) });
}

function failedOf(judgements: readonly Judgement[]): number {
  return judgements.filter(({ failed }) => failed !== null).length;
}

function countsOf(names: readonly string[]): Map<string, number> {
  return names.reduce((counts, name) => counts.set(name, (counts.get(name) ?? 0) + 1), new Map<string, number>());
}

interface Summary {
  readonly records: { readonly judgements: number };
  readonly groups: readonly {
    readonly judge: {
      readonly n: number;
      readonly failed: Readonly<Record<string, number>>;
      readonly cost: Readonly<Record<string, { readonly input_tokens: number; readonly output_tokens: number }>>;
    };
  }[];
}
