import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { RunStep } from '../../../src/stream/step-tree.ts';
import { codesOf, recordOf } from '../../support/event-reader.ts';
import { plain, stepReader } from '../../support/step-reader.ts';

/* Two runs as SDKs exported them: a call with a wrong city, its failure, a second call, its result, an answer (test/fixtures/README.md). */

const wrong = { id: 'call_0', name: 'get_weather', city: 'Olso' };
const right = { id: 'call_1', name: 'get_weather', city: 'Oslo' };
const answer = 'It rains in Oslo.';
const rain = '{"weather":"rain"}';

/** The content of a recorded run, without times and ids. */
interface Run {
  readonly file: string;
  /** Log records, where messages come as such. */
  readonly logs?: string;
  readonly agent: string;
  /** Its tool spans have no ids of calls, or no results. */
  readonly lacks?: 'ids' | 'results';
  readonly spansIgnored?: number;
}

const runs: readonly Run[] = [
  { file: 'run-python-openinference.binpb', agent: 'travel-agent', lacks: 'ids' },
  { file: 'run-python-genai.binpb', agent: 'planner' },
  {
    file: 'run-python-genai-events.spans.binpb',
    logs: 'run-python-genai-events.logs.binpb',
    agent: 'planner',
    lacks: 'results',
  },
  {
    file: 'run-python-genai-logs.spans.binpb',
    logs: 'run-python-genai-logs.logs.binpb',
    agent: 'planner',
    lacks: 'results',
    spansIgnored: 12,
  },
  { file: 'run-python-pydantic-ai-2.binpb', agent: 'planner' },
  { file: 'run-python-pydantic-ai-5.binpb', agent: 'planner' },
  { file: 'run-javascript-vercel-ai.binpb', agent: 'planner' },
  { file: 'run-javascript-vercel-ai.json', agent: 'planner' },
  { file: 'run-javascript-vercel-ai-7.binpb', agent: 'planner' },
  { file: 'run-python-genai-langchain.binpb', agent: 'planner' },
];

function read(file: string): { readonly steps: readonly RunStep[]; readonly ignored: number } {
  const bytes = readFileSync(new URL(`../../../../test/fixtures/inputs/otlp/${file}`, import.meta.url));
  const { events, steps = [], skipped } = stepReader({ format: 'auto' }).read(recordOf(bytes));
  assert.deepEqual(codesOf(events), []);
  assert.ok(skipped.every(({ kind }) => kind === 'spans_ignored'));
  return { steps: plain(steps), ignored: skipped.reduce((sum, { number }) => sum + number, 0) };
}

for (const { file, logs, agent, lacks, spansIgnored = 0 } of runs)
  test(file, () => {
    const { steps, ignored } = read(file);
    const said = logs === undefined ? { steps: [], ignored: 0 } : read(logs);
    assert.deepEqual([ignored, said.ignored], [0, spansIgnored]);
    const traces = [...new Set(steps.map(({ run }) => run))];
    assert.equal(traces.length, 2);
    for (const trace of traces) {
      const spans = steps.filter(({ run }) => run === trace).sort((a, b) => a.start - b.start);
      const of = (part: RunStep['part'], some = spans): RunStep[] => some.filter((step) => step.part === part);
      const roots = spans.filter(({ ends }) => ends);
      assert.equal(roots.length, 1);
      assert.match(String(roots[0]!.given['example_id']), /^run-[01]$/);
      assert.ok(spans.every(({ ends, given }) => ends === (given['example_id'] !== undefined)));
      assert.ok(of('context').some(({ given }) => given['agent'] === agent));
      const inLogs = said.steps.filter(({ run }) => run === trace);
      const answers = logs === undefined ? of('model') : of('model', inLogs);
      assert.deepEqual(
        answers.map(({ given }) => saidIn(given)),
        [[wrong], [right], answer],
      );
      assert.ok(answers.every(({ given }) => given['error'] === undefined && given['words'] === true));
      assert.ok(of('model').every(({ given }) => given['model'] === 'gpt-4.1-mini'));
      assertResults(of('tool'), lacks);
      assertRepeated([...of('model'), ...inLogs]);
      const models = new Set(of('model').map(({ id }) => id));
      assert.ok(inLogs.every(({ parent, ends }) => models.has(parent) && !ends));
    }
  });

function saidIn({ tool_calls: calls, output }: RunStep['given']): unknown {
  if (!Array.isArray(calls)) return output;
  return calls.map(({ id, name, arguments: given }) => {
    const { city } = typeof given === 'string' ? JSON.parse(given) : given;
    return { id, name, city };
  });
}

function assertResults(tools: readonly RunStep[], lacks: Run['lacks']): void {
  const returned = tools.flatMap((step) => step.given.returned ?? []);
  const of = (id: string): object => ({ ...(lacks !== 'ids' && { id }), name: 'get_weather' });
  const [failed, worked, ...others] = returned;
  // pydantic-ai tells the model why.
  const { error, output, arguments: wrong, ...rest } = failed!;
  const { arguments: given, ...came } = worked ?? {};
  // Not every instrumentation has them.
  if (given !== undefined) assert.match(JSON.stringify([wrong, given]), /Olso.*Oslo/);
  assert.ok(output === undefined || output === error);
  assert.match(String(error), /no such city: Olso/);
  assert.deepEqual(
    [rest, came, others],
    [
      { ...of('call_0'), ok: false },
      { ...of('call_1'), ok: true, ...(lacks !== 'results' && { output: worked!['output'] }) },
      [],
    ],
  );
  if (lacks !== 'results') assert.deepEqual(JSON.parse(String(worked!['output'])), JSON.parse(rain));
}

/** What the model was told: each result once, or once more with each later request. */
function assertRepeated(steps: readonly RunStep[]): void {
  const repeated = steps.flatMap(({ given }) => given.returned ?? []);
  const outputs = new Map(repeated.map(({ id, output }) => [id, output]));
  assert.deepEqual([...outputs.keys()], ['call_0', 'call_1']);
  assert.match(JSON.stringify(outputs.get('call_0')), /no such city: Olso/);
  assert.match(JSON.stringify(outputs.get('call_1')), /rain/);
}

test('both encodings of one export give the same steps', () => {
  const [binary, text] = ['binpb', 'json'].map((kind) => read(`run-javascript-vercel-ai.${kind}`).steps);
  assert.deepEqual(binary, text);
});
