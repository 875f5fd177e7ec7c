import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readJunit } from '../support/junit.ts';
import { program, runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand } from '../support/tools.ts';

const cwd = temporaryFolder({ after });
const lines = (name: string, values: readonly object[]): void =>
  writeFileSync(join(cwd, name), values.map((value) => `${JSON.stringify(value)}\n`).join(''));
const book = (city: string) => [{ name: 'book', arguments: { city } }];

lines('truth.ndjson', [
  { example_id: 'right', expected_tool_calls: book('Oslo') },
  { example_id: "it's, 100%: <one>", expected_tool_calls: book('Oslo') },
  { example_id: 'two', expected_tool_calls: book('Bergen') },
  { example_id: 'ask', label: 'request_for_info' },
]);
const ts = 1_780_000_000_000;
lines('events.ndjson', [
  { example_id: 'right', ts, tool_calls: book('Oslo') },
  { example_id: "it's, 100%: <one>", ts, tool_calls: book('Oslo | `Norway`') },
  { example_id: 'two', ts, tool_calls: book('Bergen, Norway') },
  { example_id: 'ask', ts, label: 'direct' },
]);
lines('good.ndjson', [{ example_id: 'right', ts, tool_calls: book('Oslo') }]);

const replay = (events: string): string[] => ['replay', '--truth', 'truth.ndjson', '--events', events];
const contentOf = (name: string): string => readFileSync(join(cwd, name), 'utf8');
const explain = "assay explain --truth truth.ndjson --events events.ndjson --id 'it'\\''s, 100%: <one>'";

test('replay ends with the largest kinds of error, an example, and the command that shows it', async () => {
  const { status, stderr } = await runProgram(replay('events.ndjson'), { cwd });
  assert.equal(status, 0);
  assert.equal(
    stderr,
    `Most worth a look (events, error, an example):
  2  wrong_value of book at city
     expected "Oslo", got "Oslo | \`Norway\`"
     ${explain}
  1  direct where request_for_info is right
     assay explain --truth truth.ndjson --events events.ndjson --id ask
`,
  );
  const shell = `assay() { '${process.execPath}' '${program}' "$@"; }; ${explain}`;
  const explained = await runCommand('sh', ['-c', shell], { cwd });
  assert.match(explained.stdout, /^example it's, 100%: <one> .*events\.ndjson:2$/m);
  assert.match(explained.stdout, /wrong_value of book at city/);
});

test('the command has the flags by which the events were read', async () => {
  const flags = ['--format', 'assay', '--field', 'model=/model', '--truth-field', 'label=/label', '-c', 'assay.yaml'];
  writeFileSync(join(cwd, 'assay.yaml'), '{http: {redact: [city]}}');
  const { stderr } = await runProgram([...replay('events.ndjson'), ...flags, '--runs-by', 'off'], { cwd });
  const command = /assay explain (.* --id ask)$/m.exec(stderr)![1]!;
  assert.match(command, /--truth-field label=\/label .*--format assay --field model=\/model --runs-by off --config/);
  assert.match(stderr, /expected \[hidden\], got \[hidden\]/);
  const explained = await runProgram(['explain', ...command.split(' ')], { cwd });
  assert.match(explained.stdout, /^example ask /);
});

test('nothing is said where nothing is wrong', async () => {
  const { status, stderr } = await runProgram(replay('good.ndjson'), { cwd });
  assert.deepEqual([status, stderr], [0, '']);
  const toProgram = await runProgram([...replay('events.ndjson'), '--summary', '-'], { cwd });
  assert.deepEqual([toProgram.status, toProgram.stderr], [0, ''], 'nor to a program');
});

test('--report junit: a suite of the input, of gates by family, and of failed events by family', async () => {
  const gates = ['accuracy>=0.9', 'match.correct>0.1', 'coverage>=0.5'].flatMap((gate) => ['--gate', gate]);
  const { status } = await runProgram([...replay('events.ndjson'), ...gates, '--report', 'junit=junit.xml'], { cwd });
  assert.equal(status, 3);
  const cases = readJunit(contentOf('junit.xml'));
  assert.deepEqual(
    cases.map(({ suite, name, failure }) => [suite, name, failure?.message]),
    [
      ['assay.input', 'events are scored', undefined],
      ['assay.gates.decision', 'accuracy>=0.9', '✗ accuracy>=0.9: 0 [0, 0.7935], bound 0.9, n 1 (0 of 1)'],
      ['assay.gates.match', 'match.correct>0.1', undefined],
      ['assay.gates.coverage', 'coverage>=0.5', undefined],
      [
        'assay.examples.match',
        "it's, 100%: <one>, model unknown",
        'wrong_value of book at city: expected "Oslo", got "Oslo | `Norway`"',
      ],
      [
        'assay.examples.match',
        'two, model unknown',
        'wrong_value of book at city: expected "Bergen", got "Bergen, Norway"',
      ],
      ['assay.examples.decision', 'ask, model unknown', 'direct where request_for_info is right'],
    ],
  );
  const [, gate, , , example] = cases;
  assert.match(gate!.failure!.text, /^value {6}0\ninterval {3}0 to 0\.79\d*\nthreshold {2}>= 0\.9$/m);
  assert.ok(example!.failure!.text.endsWith(`events.ndjson:2\n${explain}`));
});

test('--report junit: a replay that scored nothing has a failed case', async () => {
  writeFileSync(join(cwd, 'empty.ndjson'), '');
  const { status } = await runProgram([...replay('empty.ndjson'), '--report', 'junit=empty.xml'], { cwd });
  assert.equal(status, 1);
  assert.deepEqual(
    readJunit(contentOf('empty.xml')).map(({ failure }) => failure?.message),
    ['there are no events'],
  );
});

test('--report github: a summary of the step in Markdown, and annotations on the lines of truth', async () => {
  writeFileSync(join(cwd, 'step.md'), 'before\n');
  const env = { GITHUB_STEP_SUMMARY: 'step.md' };
  const args = [...replay('events.ndjson'), '--gate', 'match.correct>=0.9', '--report', 'github', '--summary', '-'];
  const { status, stdout, stderr } = await runProgram(args, { cwd, env, built: true });
  assert.equal(status, 3);
  assert.equal((JSON.parse(stdout) as { format: string }).format, 'assay.summary/1');
  const at = stderr.split('\n').filter((line) => line.startsWith('::'));
  assert.deepEqual(at, [
    '::error file=truth.ndjson,line=2,title=it\'s%2C 100%25%3A <one>%3A wrong_value of book at city::wrong_value of book at city: expected "Oslo", got "Oslo | `Norway`"',
    '::error file=truth.ndjson,line=4,title=ask%3A direct where request_for_info is right::direct where request_for_info is right',
    '::error file=truth.ndjson,line=3,title=two%3A wrong_value of book at city::wrong_value of book at city: expected "Bergen", got "Bergen, Norway"',
  ]);
  const markdown = contentOf('step.md');
  assert.match(markdown, /^before\n### Assay: 1 of 1 gates do not hold\n\n4 of 4 events scored\n/);
  assert.match(markdown, /^- ✗ match\.correct\\>=0\.9: 0\.3333 \\\[0\.0615, 0\.7923\\\], bound 0\.9, n 3 \(1 of 3\)$/m);
  assert.match(markdown, /^\| Calls right \(match\.correct\) \| 33\.3 % \\\[6\.1, 79\.2\\\] \| 1\/3 \|$/m);
  assert.match(
    markdown,
    /^1\. 2 events: wrong\\_value of book at city\n {3}for example: expected "Oslo", got "Oslo \\\| \\`Norway\\`"$/m,
  );
  assert.ok(markdown.includes(`   \`\`\`sh\n   ${explain}\n   \`\`\`\n`));
});

test('--report github: at most ten annotations, warnings where the gates hold', async () => {
  const many = Array.from({ length: 15 }, (_, at) => `many${at}`);
  lines(
    'many.ndjson',
    many.map((example_id) => ({ example_id, label: 'direct' })),
  );
  lines(
    'wrong.ndjson',
    many.map((example_id) => ({ example_id, ts, label: 'tool_call' })),
  );
  const args = ['replay', '--truth', 'many.ndjson', '--events', 'wrong.ndjson', '--report', 'github'];
  const { status, stderr } = await runProgram(args, { cwd, env: { GITHUB_STEP_SUMMARY: 'many.md' }, built: true });
  assert.equal(status, 0);
  assert.equal(stderr.match(/^::warning file=many\.ndjson,line=\d+,/gm)?.length, 10);
  assert.match(contentOf('many.md'), /^### Assay\n/);
});

for (const [report, says] of [
  ['xml', /^--report xml is neither junit=FILE nor github\n$/],
  ['junit=', /^--report junit= is neither/],
  ['github', /^--report github: GITHUB_STEP_SUMMARY is not set;/],
] as const)
  test(`--report ${report} is wrong usage`, async () => {
    const { status, stderr } = await runProgram([...replay('good.ndjson'), '--report', report], { cwd });
    assert.equal(status, 2);
    assert.match(stderr, says);
  });
