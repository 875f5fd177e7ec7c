import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { judgeCommand, judgeFiles, judgementsIn } from '../support/judge-files.ts';
import { type Exchange, type Llama, llamaFromSource, llamaPackages, startLlama } from '../support/llama.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { pythonEnv, withInterpreter } from '../support/python.ts';
import { soak } from '../support/soak.ts';
import { until } from '../support/until.ts';

/*
 * `assay judge` against a real server, llama.cpp's. Its model has 135 M parameters: its opinions are worth nothing, its faults are real. For the
 * soak: the server is built from source.
 */

const title = 'assay judge, and a model on this machine';
const examples = 9;
const concurrency = 3;
/**
 * The server is built in six minutes of a machine with two cores that has nothing else to do; it answers in a second then, in minutes where the
 * machine is busy and the model finds no end.
 */
const buildMs = 3_600_000;
const limitMs = 1_200_000;

interface Judgement {
  readonly judgement: string;
  readonly example_id: string;
  readonly score: number | null;
  readonly failed: string | null;
  readonly cost: { readonly input_tokens: number; readonly output_tokens: number };
}

if (!soak) test(title, { skip: 'a server that is built: npm run test:soak' });
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
    const child = startProgram(judgeCommand, { cwd: folder });
    context.after(() => void child.kill('SIGKILL'));
    await until(
      'some are judged',
      () => existsSync(join(folder, 'out.ndjson')) && judgementsIn<Judgement>(folder).length >= 3,
      limitMs,
    );
    child.kill('SIGKILL');
    await once(child, 'exit');
    const kept = judgementsIn<Judgement>(folder).length;

    const ended = await runProgram(judgeCommand, { cwd: folder });
    assert.equal(ended.status, 0, ended.stderr);
    const judgements = judgementsIn<Judgement>(folder);
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
    // A question whose first answer did not parse is two of them, the second for a longer answer.
    const times = countsOf(taken.map(({ body }) => body));
    const again = new Set(taken.filter(({ body }) => times.get(body)! > 1).map(dataOf));
    assert.ok(again.size <= concurrency && Math.max(...times.values()) <= 2, `asked again: ${[...times.values()]}`);
    assert.equal(new Set(exchanges.map(dataOf)).size, examples);
    await assertAddedUp(folder, judgements);
  });

  test('its embeddings, a vector for each token, are refused by name', { timeout: limitMs }, async (context) => {
    const folder = files(context);
    configure(folder, { semantic: { endpoint: `${llama.url}/v1/embeddings`, model: 'smollm2' } });
    const ended = await runProgram(judgeCommand, { cwd: folder });
    assert.equal(ended.status, 1);
    assert.match(ended.stderr, new RegExp(`judge: ${llama.url}/v1/embeddings: it gives a list of vectors`));
    assert.deepEqual(judgementsIn<Judgement>(folder), []);
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
  const told = [tokens((one) => one.input_tokens), tokens((one) => one.output_tokens)];
  assert.deepEqual([cost.input_tokens, cost.output_tokens], told);
  assert.ok(cost.input_tokens > 100 * judge.n);
}

function chat({ url }: Llama): object {
  return { endpoint: `${url}/v1/chat/completions`, model: 'smollm2', concurrency, timeout: '10m' };
}

/** The last event is longer than all that the server reads. */
function files(context: TestContext): string {
  const output = 'and so on '.repeat(2_000);
  return judgeFiles(context, examples, { nights: 2 }, (index) => (index === examples - 1 ? { output } : {}));
}

function configure(folder: string, judge: object): void {
  writeFileSync(join(folder, 'assay.yaml'), JSON.stringify({ judge: { sample: 1, ...judge } }));
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
