import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { keyTraffic } from '../support/key-traffic.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/*
 * What is no file is refused by name: nothing reads a device without end, and truth, which is read in any order, waits for no pipe. (Pipes
 * of events: test/cli/files.test.ts.)
 */

const cwd = temporaryFolder({ after });
keyTraffic(cwd);
mkdirSync(join(cwd, 'folder'));
mkdirSync(join(cwd, 'of-pipes'));
execFileSync('mkfifo', [join(cwd, 'pipe'), join(cwd, 'of-pipes', 'pipe.arrow')]);

const replay = ['replay', '--events', 'events.ndjson', '--truth'];

const runs: readonly (readonly [args: readonly string[], says: string])[] = [
  [['truth', 'inspect', 'pipe'], 'pipe: is no file (a pipe or a device)'],
  [['truth', 'inspect', '/dev/zero'], '/dev/zero: is no file (a pipe or a device)'],
  [['truth', 'inspect', 'folder'], 'folder: the folder holds no *.arrow'],
  [['truth', 'inspect', 'of-pipes'], 'of-pipes/pipe.arrow: is no file (a folder, a pipe or a device)'],
  [['truth', 'build', '/dev/zero', '-o', 'out.arrow'], '/dev/zero: cannot be read (it is a device)'],
  [['truth', 'build', 'folder', '-o', 'out.arrow'], 'folder: the folder holds no files'],
  [[...replay, 'pipe'], 'pipe: is no file (a pipe or a device)'],
  [[...replay, '/dev/zero'], '/dev/zero: is no file (a pipe or a device)'],
  [['replay', '--truth', 'truth.ndjson', '--events', '/dev/zero'], '/dev/zero: cannot be read (it is a device)'],
];

for (const [args, says] of runs) {
  test(`assay ${args.join(' ')} is refused`, async () => {
    const { status, stderr } = await runProgram(args, { cwd });
    assert.ok(stderr.includes(says), stderr);
    assert.equal(status, 1);
  });
}
