import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/*
 * Files and folders that a new user gives where others are meant: what is said names the place and the remedy.
 */

const cwd = temporaryFolder({ after });
const call = { name: 'book', arguments: { city: 'Oslo' } };
writeFileSync(join(cwd, 'truth.ndjson'), `${JSON.stringify({ example_id: 'o', expected_tool_calls: [call] })}\n`);
const event = { example_id: 'o', ts: 1_780_000_000_000, model: 'a', tool_calls: [call] };
writeFileSync(join(cwd, 'events.ndjson'), `${JSON.stringify(event)}\n`);
writeFileSync(join(cwd, 'section.yaml'), 'truth: truth.ndjson\n');
writeFileSync(join(cwd, 'watch.yaml'), 'watches: [{metric: accuracy}]\n');

const files = '--truth truth.ndjson --events events.ndjson';
/** What is told first: outputs are looked at before the work. */
const wrong: readonly (readonly [args: string, status: number, says: RegExp])[] = [
  [`replay ${files} --summary no/a.json`, 1, /^assay: cannot write no\/a\.json: there is no folder no; make it/],
  [`replay ${files} --pending .`, 1, /^assay: cannot write \.: it is a folder; name a file/],
  [`replay ${files} --snapshots truth.ndjson`, 2, /^--snapshots: truth\.ndjson cannot be written/],
  [`judge ${files} --human ann -o no/j.ndjson`, 1, /^assay: cannot write no\/j\.ndjson: there is no/],
  ['state list .', 0, /^\.: no checkpoint in it$/m],
  [
    'config check -c section.yaml',
    2,
    /^section\.yaml:1:8: truth: "truth\.ndjson" is not a section; its keys are paths, fields, watch$/m,
  ],
  ['config check -c watch.yaml', 2, /"accuracy" is no rate that can be watched; did you mean decision\.accuracy\?$/m],
];

for (const [args, expected, says] of wrong) {
  test(`assay ${args}`, async () => {
    const { status, stdout, stderr } = await runProgram(args.split(' '), { cwd });
    assert.match(stderr, says);
    assert.deepEqual([status, stdout], [expected, '']);
  });
}

test('no events, and none with truth, are a failure unless they are allowed', async () => {
  const other = `${JSON.stringify({ ...event, example_id: 'other' })}\n`;
  for (const [events, says] of [
    ['', /^replay: there are no events\. Use --allow-empty to accept this$/m],
    [other, /^replay: none of 1 events was scored\. Use --allow-empty to accept this$/m],
  ] as const) {
    writeFileSync(join(cwd, 'none.ndjson'), events);
    const args = ['replay', '--truth', 'truth.ndjson', '--events', 'none.ndjson'];
    const { status, stderr } = await runProgram(args, { cwd });
    assert.match(stderr, says);
    assert.equal(status, 1);
    assert.equal((await runProgram([...args, '--allow-empty'], { cwd })).status, 0);
  }
});

test('without truth a replay says how many events were counted, and a call that was cut off is one trouble', async () => {
  const cut = { example_id: 'e', ts: 1_770_000_000_000, tool_calls: [{ name: 'f', arguments: '{"x": 1' }] };
  writeFileSync(join(cwd, 'cut.ndjson'), `${JSON.stringify(cut)}\n{"messages": []}\n`);
  const { status, stderr } = await runProgram(['replay', '--events', 'cut.ndjson'], { cwd });
  assert.match(stderr, /^What was wrong with the input \(1 of 2 events counted without truth\):$/m);
  assert.match(stderr, /^ +1 +calls whose argument text is no JSON$/m);
  assert.doesNotMatch(stderr, /calls malformed/);
  assert.equal(status, 0);
  writeFileSync(join(cwd, 'nothing.ndjson'), '{"messages": []}\n');
  const none = await runProgram(['replay', '--events', 'nothing.ndjson'], { cwd });
  assert.match(none.stderr, /^replay: none of 1 events was accepted\./m);
  assert.equal(none.status, 1);
});

test('truth build says how many records are refused, and the first five', async () => {
  const rows = [
    'example_id,expected_tool_calls',
    ...Array.from({ length: 8 }, (_, at) => `e${at},${at < 7 ? 'nope' : '[]'}`),
  ];
  const fields = ['truth', 'build', '--from', 'csv', 'refused.csv', '-o', 'refused.arrow'];
  writeFileSync(join(cwd, 'refused.csv'), `${rows.join('\n')}\n`);
  const { status, stderr } = await runProgram(fields, { cwd });
  const lines = stderr.trim().split('\n');
  assert.equal(lines[0], 'assay: 7 records are refused (--skip-invalid leaves them out):');
  assert.deepEqual(
    lines.slice(1).map((line) => /^ {2}(?:refused\.csv:(\d+): expected_tool_calls|(and 2 more)$)/.exec(line)?.slice(1)),
    [...[2, 3, 4, 5, 6].map((row) => [String(row), undefined]), [undefined, 'and 2 more']],
  );
  assert.equal(status, 1);
  writeFileSync(join(cwd, 'refused.csv'), `${[rows[0], rows[1], rows[8]].join('\n')}\n`);
  assert.match((await runProgram(fields, { cwd })).stderr, /^assay: refused\.csv:2: expected_tool_calls/);
});

test('a place that no record has is reported with the place that is there, at the end of replay', async () => {
  writeFileSync(join(cwd, 'nested.ndjson'), `${JSON.stringify({ example_id: 'o', output: { tool_calls: [call] } })}\n`);
  const args = 'replay --truth truth.ndjson --events nested.ndjson --field tool_calls=/ouput/tool_calls';
  const { stderr } = await runProgram(args.split(' '), { cwd });
  assert.match(
    stderr,
    /^ {2}tool_calls: nothing at \/ouput\/tool_calls in 1 of 1 records; \/output\/tool_calls is there$/m,
  );
});

test('truth given as events, and events given as truth', async () => {
  const truth = await runProgram(['replay', '--truth', 'truth.ndjson', '--events', 'truth.ndjson'], { cwd });
  assert.match(truth.stderr, /expected_tool_calls: meant as tool_calls\?/);
  const events = await runProgram(['replay', '--truth', 'events.ndjson', '--events', 'events.ndjson'], { cwd });
  assert.match(events.stderr, /nothing reads tool_calls, .*--truth-field expected_tool_calls=\/tool_calls/);
  assert.doesNotMatch((await runProgram(['replay', ...files.split(' ')], { cwd })).stderr, /nothing reads/);
});
