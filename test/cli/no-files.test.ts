import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, mkdirSync, writeFileSync } from 'node:fs';
import { type FileHandle, open as openFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { keyTraffic } from '../support/key-traffic.ts';
import { program, runProgram, startProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

/*
 * What is no file is refused by name in one line: nothing reads a device without end, and truth, which is read in any order, waits for no pipe. (Pipes
 * of events: test/cli/files.test.ts.) A pipe that nobody writes is given up, or a signal ends the program; one that ends is a file.
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
  [['replay', '--truth', 'truth.ndjson', '--events', 'socket'], 'socket: cannot be read (it is a socket)'],
];

/** Wrong usage: status 2. */
const misused: typeof runs = [
  [['compare', '/dev/zero', 'summary.json'], '/dev/zero: cannot be read (it is a device)'],
  [['compare', 'folder', 'summary.json'], 'folder: cannot be read (it is a folder)'],
  [['compare', 'socket', 'summary.json'], 'socket: cannot be read (it is a socket)'],
  [['report', '/dev/zero', '-o', 'out.html'], 'report: /dev/zero: cannot be read (it is a device)'],
  [['config', 'check', '-c', '/dev/zero'], '/dev/zero: the configuration cannot be read: it is a device'],
  [['config', 'check', '-c', 'folder'], 'folder: the configuration cannot be read: it is a folder'],
  [['config', 'check', '-c', 'socket'], 'socket: the configuration cannot be read: it is a socket'],
  [['config', 'check', '-c', 'pipe'], 'pipe: the configuration cannot be read: nothing came through the pipe'],
  [['config', 'check', '-c', 'long.yaml'], 'long.yaml: the configuration cannot be read: it is longer than'],
  [['config', 'check', '-c', 'circle.yaml'], 'circle.yaml: is not YAML: an alias stands inside the value'],
];
writeFileSync(join(cwd, 'circle.yaml'), 'kafka: &k {topics: [*k]}\n');
writeFileSync(join(cwd, 'long.yaml'), '#'.repeat(2 ** 24 + 1));
writeFileSync(join(cwd, 'summary.json'), JSON.stringify({ format: 'assay.summary/1', as_of: null, groups: [] }));
const server = createServer().listen(join(cwd, 'socket'));
await once(server, 'listening');
after(() => server.close());

for (const [args, says] of [...runs, ...misused]) {
  test(`assay ${args.join(' ')} is refused`, async () => {
    const { status, stderr } = await runProgram(args, { cwd });
    assert.ok(stderr.includes(says), stderr);
    assert.match(stderr, /^[^\n]*\n$/);
    assert.equal(status, runs.some(([each]) => each === args) ? 1 : 2);
  });
}

for (const args of [
  ['compare', 'pipe', 'summary.json'],
  ['report', 'pipe', '-o', 'out.html'],
]) {
  test(`a signal ends assay ${args.join(' ')}, which waits for the writer of a pipe`, async () => {
    const child = startProgram(args, { cwd });
    const ended = once(child, 'close') as Promise<[number]>;
    // It has begun to wait when the pipe can be opened to write.
    const writer = await opened(join(cwd, 'pipe'));
    child.kill('SIGTERM');
    assert.deepEqual((await ended)[0], 1);
    await writer.close();
  });
}

/** A pipe opened to write, when its reader is there. */
async function opened(path: string): Promise<FileHandle> {
  const open = () => openFile(path, constants.O_WRONLY | constants.O_NONBLOCK).catch(() => undefined);
  let handle: FileHandle | undefined;
  await until('the pipe has a reader', async () => (handle = await open()) !== undefined);
  return handle!;
}

test('a pipe that ends is a file', async () => {
  const summary = ['replay', '--truth', 'truth.ndjson', '--events', 'events.ndjson', '--summary', 'sums.json'];
  assert.equal((await runProgram(summary, { cwd })).status, 0);
  for (const line of [
    'compare <(cat sums.json) <(sleep 0.1; cat sums.json) --metric decision.accuracy',
    'report <(cat sums.json) -o out.html',
    'config print -c <(sleep 0.1; echo "time: {pane: 20s}")',
  ])
    execFileSync('bash', ['-c', `"${process.execPath}" "${program}" ${line}`], { cwd });
});
