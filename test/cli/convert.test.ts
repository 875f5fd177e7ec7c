import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/* Answers that are steps of runs, through convert as through replay. */

const atSeconds = 1_777_636_800;
interface Chat {
  readonly example: string;
  readonly at?: number;
  /** Tools that it calls; none: it ends in words. */
  readonly calls?: readonly string[];
  readonly choices?: number;
}

const chat = ({ example, at, calls = [], choices = 1 }: Chat, number: number): object => ({
  ...{ metadata: { example_id: example }, id: `c${number}`, object: 'chat.completion', model: 'm' },
  ...(at !== undefined && { created: atSeconds + at }),
  choices: Array.from({ length: choices }, (_, index) => ({
    ...{ index, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' },
    message: {
      role: 'assistant',
      content: calls.length > 0 ? null : 'Done.',
      tool_calls: calls.map((name) => ({ id: name, type: 'function', function: { name, arguments: '{}' } })),
    },
  })),
});

/** A folder of files of answers, and the truth of their examples. */
function folderOf(context: Parameters<typeof temporaryFolder>[0], files: Readonly<Record<string, readonly Chat[]>>) {
  const cwd = temporaryFolder(context);
  let number = 0;
  for (const [name, chats] of Object.entries(files))
    writeFileSync(join(cwd, name), chats.map((each) => `${JSON.stringify(chat(each, number++))}\n`).join(''));
  const truth = ['a', 'b', 'c'].map((id) => ({ example_id: id, expected_tool_calls: [{ name: 'f', arguments: {} }] }));
  writeFileSync(join(cwd, 'truth.ndjson'), truth.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return cwd;
}

/** Steps whose runs lie in two files, with and without times, one of them cut by idle, one late. */
const files: Readonly<Record<string, readonly Chat[]>> = {
  'one.ndjson': [
    { example: 'a', at: 0, calls: ['f'] },
    { example: 'b', at: 1, calls: ['f'] },
    { example: 'c', calls: ['f'] },
    { example: 'a', at: 2, calls: ['g'] },
  ],
  'two.ndjson': [
    { example: 'a', at: 3 },
    { example: 'c' },
    { example: 'b', at: 100 },
    { example: 'c', at: 300 },
    { example: 'a', at: 1 },
  ],
};
const events = ['--events', 'one.ndjson', 'two.ndjson'];

test('the runs that convert writes have the numbers that replay has of their steps', async (context) => {
  const cwd = folderOf(context, files);
  const replay = async (...given: readonly string[]): Promise<Record<string, object>> => {
    const args = ['replay', '--truth', 'truth.ndjson', ...given, '--summary', '-'];
    const { status, stdout, stderr } = await runProgram(args, { cwd });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as Record<string, object>;
  };
  const { status } = await runProgram(['convert', ...events, '--runs-by', 'example', '-o', 'native.ndjson'], { cwd });
  assert.equal(status, 0);
  const steps = await replay(...events, '--runs-by', 'example');
  const native = await replay('--events', 'native.ndjson');
  assert.deepEqual(native['groups'], steps['groups']);
  assert.deepEqual((native['records'] as { scored: number }).scored, 5);
});

test('convert reports the input as replay does', async (context) => {
  const cwd = folderOf(context, { ...files, 'three.ndjson': [{ example: 'a', at: 400, choices: 2 }] });
  writeFileSync(join(cwd, 'assay.yaml'), 'input: {format: auto, fields: {run: /object/x}}\nruns: {by: example}\n');
  const given = ['--events', 'one.ndjson', 'two.ndjson', 'three.ndjson', '-c', 'assay.yaml'];
  const linesOf = async (command: string): Promise<readonly string[]> => {
    const { stderr } = await runProgram([command, ...given, ...(command === 'convert' ? ['-o', 'x.ndjson'] : [])], {
      cwd,
    });
    const lines = stderr.split('\n');
    return lines.slice(lines.findIndex((line) => line.startsWith('What was wrong')) + 1);
  };
  const [converted, replayed] = [await linesOf('convert'), await linesOf('replay')];
  assert.deepEqual(converted, replayed);
  for (const row of ['steps that came after their run had ended', 'runs that ended without an answer'])
    assert.ok(
      converted.some((line) => line.includes(row)),
      row,
    );
});

for (const [what, lines, says] of [
  ['no records', [], /^convert: no event was written\. The files hold no records; name others with --events$/m],
  [
    'no answers',
    [{ jsonrpc: '2.0', id: 1, result: {} }],
    /^convert: no event was written\. Name the form .* --format/m,
  ],
  [
    'refused records',
    [{ no: 1 }],
    /rejected no_decision 1\n[\s\S]*first at in\.ndjson:1: [\s\S]*^convert: no event was/m,
  ],
] as const)
  test(`convert of ${what} has status 1 and says what to do`, async (context) => {
    const cwd = temporaryFolder(context);
    writeFileSync(join(cwd, 'in.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { status, stdout, stderr } = await runProgram(['convert', '--events', 'in.ndjson'], { cwd });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^0 events written/);
    assert.match(stderr, says);
  });

test('convert leaves duplicates out, and says how many', async (context) => {
  const cwd = temporaryFolder(context);
  const event = { example_id: 'a', event_id: 'e', ts: atSeconds * 1_000, label: 'direct' };
  writeFileSync(join(cwd, 'in.ndjson'), `${JSON.stringify(event)}\n`.repeat(3));
  const { status, stdout, stderr } = await runProgram(['convert', '--events', 'in.ndjson'], { cwd });
  assert.deepEqual([status, stdout.split('\n').length, stderr], [0, 2, '1 events written, duplicates left out 2\n']);
});
