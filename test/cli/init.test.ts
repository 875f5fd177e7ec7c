import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { starterForms } from '../../src/commands/init/starter.ts';
import { wrapped, writers } from '../support/provider-forms.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The groups of a summary: what is known of the configuration differs between forms. Words decide in all forms but the native one. */
async function groupsOf(cwd: string, ...args: readonly string[]): Promise<unknown> {
  const { status, stdout, stderr } = await runProgram(['replay', ...args, '--summary', '-'], { cwd });
  assert.equal(status, 0);
  if (stderr !== '') assert.match(stderr, words);
  const { groups, records } = JSON.parse(stdout);
  return { groups, records };
}

/** All that a report of the input has to say of words, to its end. */
const words =
  /(?:^|\n)How the input was read:\n {2}2 {2}decisions read from other words .*\n {5}first at \w+\.ndjson:\d: "You are welcome\."\n.*\n$/;

for (const form of starterForms) {
  test(`what init --from ${form} writes runs with the command that it prints`, async (context) => {
    const folder = temporaryFolder(context);
    const made = await runProgram(['init', '--from', form, 'first steps'], { cwd: folder });
    assert.deepEqual([made.status, made.stderr], [0, '']);
    const commands = [...made.stdout.matchAll(/^ {2}cd 'first steps' && assay (.+)$/gm)].map(([, args]) => args!);
    const [without, args] = commands;
    const cwd = join(folder, 'first steps');
    assert.match(made.stdout, /without truth: invented tools,.*\n\n.*\n\nand with truth: right decisions and calls,/);
    assert.match(readFileSync(join(cwd, 'assay.yaml'), 'utf8'), /Without truth: invented tools,.*\n# Truth adds /);
    const first = await runProgram(without!.split(' '), { cwd });
    assert.equal(first.status, 0, first.stderr);
    assert.match(
      first.stdout,
      /^6 events, counted without truth\n\nInvented tool \(tool_use\.unknown_tool\) +0\.0 % .* 0\/4\n/,
    );
    assert.match(first.stdout, /tool_use\.invalid_arguments\) +0\.0 % .* 0\/4\n/);
    const { groups, records } = (await groupsOf(cwd, ...args!.split(' ').slice(1))) as {
      groups: { slice: object; decision: { accuracy: object }; arguments: { args_exact_rate: object } }[];
      records: object;
    };
    const found = groups.map(({ slice, decision, arguments: ofArguments }) => [
      ...[slice, decision.accuracy, ofArguments.args_exact_rate].map((one) => Object.values(one).slice(0, 3).join(' ')),
    ]);
    assert.deepEqual(found, [
      ['', '1 6 6', '0.75 3 4'],
      ['model-a', '1 3 3', '1 2 2'],
      ['model-b', '1 3 3', '0.5 1 2'],
    ]);
    const converted = await runProgram(
      ['convert', '-c', 'assay.yaml', '--events', 'events.ndjson', '--output', 'native.ndjson'],
      { cwd },
    );
    assert.deepEqual([converted.status, converted.stderr.replace(words, '\n')], [0, '6 events written\n']);
    const native = ['-c', 'assay.yaml', '--format', 'assay', '--events', 'native.ndjson'];
    // A trace is a run of one step; what is converted is whole.
    const whole = { ...records, steps: 0, runs: 0 };
    assert.deepEqual(await groupsOf(cwd, ...native), { groups, records: whole });
  });
}

test('init names the forms that there are, and overwrites nothing', async (context) => {
  const cwd = temporaryFolder(context);
  const { status, stderr } = await runProgram(['init', '--from', 'openai'], { cwd });
  assert.deepEqual([status, /^init: --from openai: there are assay, openai\.chat, /.test(stderr)], [2, true]);
  writeFileSync(join(cwd, 'truth.ndjson'), 'mine');
  const again = await runProgram(['init'], { cwd });
  assert.deepEqual([again.status, again.stdout], [2, '']);
  assert.match(again.stderr, /^init: truth\.ndjson is there already; name another folder/);
  assert.equal(readFileSync(join(cwd, 'truth.ndjson'), 'utf8'), 'mine');
});

test('convert reads every form of one file, and says what it refused and where', async (context) => {
  const cwd = temporaryFolder(context);
  const event = { example_id: 'e', ts: 1770000000000, tool_calls: [{ name: 'f', arguments: { x: 1 } }] };
  const lines = [event, ...Object.values(writers).map((write) => wrapped(event, write)), 'nonsense', { no: 1 }];
  writeFileSync(
    join(cwd, 'in.ndjson'),
    lines.map((line) => (line === 'nonsense' ? line : JSON.stringify(line))).join('\n'),
  );
  const flags = '--format auto --response /answer --field example_id=/example_id --rejects no.ndjson'.split(' ');
  const { status, stdout, stderr } = await runProgram(['convert', '--events', 'in.ndjson', ...flags], { cwd });
  const written = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(status, 0);
  // Without an answer at the place of answers the native event is refused too.
  assert.equal(written.length, Object.keys(writers).length);
  for (const one of written)
    assert.deepEqual([one.example_id, one.ts, one.tool_calls], ['e', event.ts, event.tool_calls]);
  assert.match(stderr, /^7 events written, rejected not_json 1, rejected schema 2\n/);
  assert.match(stderr, / 2 {2}events rejected \(schema\)\n {5}first at in\.ndjson:1: /);
  assert.equal(readFileSync(join(cwd, 'no.ndjson'), 'utf8').trim().split('\n').length, 3);
  const nothing = await runProgram(['convert', '--events', 'no.ndjson', '--format', 'gemini'], { cwd });
  assert.equal(nothing.status, 1);
});

test('predictions without truth can be written, and read again when it is known', async (context) => {
  const cwd = temporaryFolder(context);
  await runProgram(['init', '--from', 'openai.chat'], { cwd });
  const truth = readFileSync(join(cwd, 'truth.ndjson'), 'utf8').trim().split('\n');
  writeFileSync(join(cwd, 'first.ndjson'), truth[0]!);
  writeFileSync(join(cwd, 'rest.ndjson'), truth.slice(1).join('\n'));
  const replay = 'replay -c assay.yaml --events events.ndjson --truth first.ndjson --pending later.ndjson';
  assert.equal((await runProgram(replay.split(' '), { cwd })).status, 0);
  const later = '-c assay.yaml --format assay --events later.ndjson --truth rest.ndjson'.split(' ');
  const { records } = (await groupsOf(cwd, ...later)) as { records: { read: number; scored: number } };
  assert.deepEqual([records.read, records.scored], [4, 4]);
});
