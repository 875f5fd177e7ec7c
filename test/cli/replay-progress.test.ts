import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { testTraffic } from '../support/e2e-traffic.ts';
import { program, runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runCommand, testWith } from '../support/tools.ts';

const count = 4_000;
const clear = '\r\u001b[K';
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what a terminal is steered by
const drawn = /\r([^\r\u001b]*)\u001b\[K/g;

testWith(['script'], 'replay shows at a terminal how far it is, and clears the line', async (context) => {
  const { truth, events } = testTraffic(temporaryFolder(context), count);
  const command = `${process.execPath} ${program} replay --truth ${truth} --events ${events} ${events}`;
  const { status, stdout } = await runCommand('script', ['-qec', command, '/dev/null']);
  assert.equal(status, 0, stdout);
  const lines = [...stdout.matchAll(drawn)].map(([, line]) => line!);
  assert.ok(lines.length >= 2, JSON.stringify(stdout));
  assert.match(lines[0]!, /^[\d,]+ records, [\d,]+\/s, \d+ %, accuracy \d+\.\d %/);
  assert.equal(lines.at(-1), '', 'the last thing drawn is nothing');
  assert.match(
    stdout.slice(stdout.lastIndexOf(clear) + clear.length),
    /^\d+ of \d+ events scored/,
    'then comes the table',
  );
});

testWith(['script'], 'a replay that fails clears the line too', async (context) => {
  const { truth, events } = testTraffic(temporaryFolder(context), count);
  const command = `${process.execPath} ${program} replay --truth ${truth} --events ${events} /nowhere`;
  const { status, stdout } = await runCommand('script', ['-qec', command, '/dev/null']);
  assert.equal(status, 1);
  assert.ok(stdout.includes(`${clear}assay: /nowhere: cannot be read`), JSON.stringify(stdout));
});

test('nothing is shown where standard error is no terminal', async (context) => {
  const { truth, events } = testTraffic(temporaryFolder(context), 100);
  const { status, stderr } = await runProgram(['replay', '--truth', truth, '--events', events]);
  assert.equal(status, 0);
  assert.doesNotMatch(stderr, /records, /);
});
