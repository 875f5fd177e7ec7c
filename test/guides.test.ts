import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { program } from './support/program.ts';
import { soak } from './support/soak.ts';
import { temporaryFolder } from './support/temporary-folder.ts';
import { type Outcome, runCommand } from './support/tools.ts';

/*
 * The guides, typed from top to bottom in an empty folder; and the package, installed where the repository is not.
 */

const folder = join('docs', 'guides');
// These are about a program that runs: test/e2e/from-nothing.test.ts, test/e2e/operate.test.ts.
const ofServices = ['send.md', 'operate.md'];
const guides = readdirSync(folder).filter((name) => name !== 'README.md' && !ofServices.includes(name));

for (const name of guides) {
  test(`${name}: its commands succeed, and write what it shows, in order`, async (context) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const commands = blocks(text, 'sh').join('\n');
    assert.match(commands, /^assay replay /m);
    const { status, stdout, stderr } = await typed(context, commands);
    assert.equal(status, 0, stderr);
    assert.doesNotMatch(stdout, /rejected|^total +0 /m);
    const lines = stdout.split('\n');
    let from = 0;
    for (const shown of blocks(text, 'text')) {
      const at = stdout.indexOf(shown, from);
      assert.ok(at >= 0, `${shown}\n${stdout.slice(from)}`);
      from = at + shown.length;
    }
    const jobs = blocks(text, 'yaml');
    for (const job of jobs) parse(job);
    for (const line of jobs.flatMap(commandsIn)) assert.ok(commands.includes(line), `not typed: ${line}`);
    for (const shown of blocks(text, 'json')) assert.ok(lines.includes(shown.trim()), `${shown}\n${stdout}`);
  });
}

test('README.md: its commands in a clone, typed with a log and a table of truth as its last one names them', async (context) => {
  const commands = blocks(readFileSync('README.md', 'utf8'), 'sh');
  const log = [
    ['T-1', 'gpt-4o', '{"order_id": "A1"}'],
    ['T-2', 'gpt-4o', '{"order_id": "A2"}'],
    ['T-2', 'gpt-4o-mini', '{"order_id": "A9"}'],
  ].map(([id, model, args]) => JSON.stringify({ case_id: id, response: answerOf(model!, args!) }));
  const qa = [
    'id,expected_tool,expected_args',
    'T-1,get_order,"{""order_id"": ""A1""}"',
    'T-2,get_order,"{""order_id"": ""A2""}"',
  ];
  const files = { 'log.jsonl': `${log.join('\n')}\n`, 'qa.csv': `${qa.join('\n')}\n` };
  const { status, stdout, stderr } = await typed(context, `(${commands[0]})\n${commands[1]}`, files);
  assert.equal(status, 0, stderr);
  assert.equal(commands.length, 2);
  const right = [...stdout.matchAll(/^Calls right .* (\d+\/\d+)$/gm)].map(([, counts]) => counts);
  assert.deepEqual(right, ['5/6', '2/3']);
  assert.match(stderr, /wrong_value of get_order at order_id\n +expected "A2", got "A9"/);
});

const answerOf = (model: string, args: string): object => ({
  ...{ id: `chatcmpl-${model}-${args}`, object: 'chat.completion', created: 1_770_000_000, model },
  choices: [
    {
      ...{ index: 0, finish_reason: 'tool_calls' },
      message: {
        ...{ role: 'assistant', content: null },
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'get_order', arguments: args } }],
      },
    },
  ],
});

const skip = soak ? false : 'an installation: npm run test:soak';

test('the packed program runs from a global installation and with npx, without the repository', {
  skip,
}, async (context) => {
  const cwd = temporaryFolder(context);
  const run = async (command: string, ...args: readonly string[]): Promise<Outcome> => {
    const ended = await runCommand(command, args, { cwd });
    assert.equal(ended.status, 0, `${command} ${args.join(' ')}: ${ended.stderr}`);
    return ended;
  };
  const packed = await runCommand('npm', ['pack', '--json', '--pack-destination', cwd]);
  const [{ filename }] = JSON.parse(packed.stdout) as [{ readonly filename: string }];
  await run('npm', 'install', '--global', '--prefix', 'prefix', '--no-audit', '--no-fund', join(cwd, filename));
  const assay = join(cwd, 'prefix', 'bin', 'assay');
  await run(assay, 'init', '--from', 'openai.chat');
  const { stdout } = await run(assay, 'replay', '-c', 'assay.yaml', '--events', 'events.ndjson', '--summary', '-');
  assert.equal((JSON.parse(stdout) as { records: { scored: number } }).records.scored, 6);
  await run(assay, 'truth', 'build', 'truth.ndjson', '-o', 'truth.arrow');
  await run(assay, 'demo', '--seconds', '1', '--port', '0');
  const version = await run('npx', '--yes', `--package=${join(cwd, filename)}`, 'assay', '--version');
  assert.match(version.stdout, /^\d+\.\d+\.\d+$/m);
});

function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, of, block]) =>
    of === language ? [block!] : [],
  );
}

/** The commands of the program in a job. */
function commandsIn(job: string): string[] {
  return [...job.matchAll(/^[ -]*(assay .*)$/gm)].map(([, command]) => command!);
}

/** Runs a script beside some files, where `assay` and `npx assay` are the built program; the first command that fails ends it. */
function typed(context: TestContext, commands: string, files: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const cwd = temporaryFolder(context);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  const run = `exec '${process.execPath}' '${program}' "$@"\n`;
  writeFileSync(join(bin, 'assay'), `#!/bin/sh\n${run}`, { mode: 0o755 });
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\n${run}`, { mode: 0o755 });
  const script = `PATH='${bin}${delimiter}'"$PATH"\n${commands}`;
  return runCommand('sh', ['-e', '-c', script], { cwd });
}
