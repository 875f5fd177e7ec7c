import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { keyTraffic } from '../support/key-traffic.ts';
import { program, runProgram, startProgram } from '../support/program.ts';
import { patience, until } from '../support/until.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// What the built program does with the files that it is told to write and to read (docs/reference/command-line.md, "Files").
const cwd = temporaryFolder({ after });
keyTraffic(cwd);

const replay = ['replay', '--truth', 'truth.ndjson', '--events', 'events.ndjson'];
writeFileSync(join(cwd, 'clean.ndjson'), '');
writeFileSync(join(cwd, 'sound.ndjson'), '{"example_id":"run","label":"direct"}\n');
const clean = ['replay', '--truth', 'sound.ndjson', '--events', 'clean.ndjson', '--allow-empty'];
const mode = (name: string): string => (statSync(join(cwd, name)).mode & 0o777).toString(8);
const shell = (command: string): Promise<{ status: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const line = command.replaceAll('assay ', `"${process.execPath}" "${program}" `);
    execFile(
      'bash',
      ['-o', 'pipefail', '-c', line],
      { cwd, timeout: patience * 20_000, killSignal: 'SIGKILL' },
      (error, stdout, stderr) => resolve({ status: (error?.code as number | undefined) ?? 0, stdout, stderr }),
    );
  });

test('a device is written and stays a device', async () => {
  const build = (path: string) => runProgram(['truth', 'build', 'truth.ndjson', '-o', path], { cwd });
  const full = await build('/dev/full');
  assert.equal(full.status, 1);
  assert.match(full.stderr, /^assay: cannot write \/dev\/full: ENOSPC[^\n]*\n$/);
  assert.equal((await build('/dev/null')).status, 0);
  for (const name of ['/dev/full', '/dev/null']) assert.ok(statSync(name).isCharacterDevice(), name);
});

test('standard output may be a pipe, a file or a device by its name', async () => {
  const { status, stdout } = await shell('assay truth build truth.ndjson -o /dev/stdout | head -c 6');
  assert.deepEqual([status, stdout], [0, 'ARROW1']);
  assert.equal((await shell('assay truth build truth.ndjson -o /dev/stdout > out.arrow')).status, 0);
  assert.equal(readFileSync(join(cwd, 'out.arrow')).subarray(0, 6).toString(), 'ARROW1');
});

test('a named pipe is written directly', async () => {
  spawnSync('mkfifo', ['pipe.ndjson'], { cwd });
  const { status, stdout } = await shell(
    `assay ${replay.join(' ')} --scores pipe.ndjson & head -n 1 pipe.ndjson; wait $!`,
  );
  assert.deepEqual([status, stdout[0]], [0, '{']);
  assert.ok(statSync(join(cwd, 'pipe.ndjson')).isFIFO());
});

for (const command of [
  `assay ${clean.join(' ')} --summary -`,
  `assay ${clean.join(' ')}`,
  'assay config print',
  'assay config schema',
  'assay truth inspect truth.ndjson',
]) {
  test(`a reader that leaves is no error, a full disk is one line: ${command}`, async () => {
    const said = command.includes('clean.ndjson') ? 'clean.ndjson: holds no records\n' : '';
    assert.deepEqual(await shell(`${command} | true`), { status: 0, stdout: '', stderr: said });
    const { status, stderr } = await shell(`${command} > /dev/full`);
    assert.equal(status, 1);
    assert.match(stderr.replace(said, ''), /^assay: cannot write standard output: [^\n]*ENOSPC[^\n]*\n$/);
  });
}

test('an output that is not finished leaves what was there', async () => {
  writeFileSync(join(cwd, 'good.ndjson'), 'good\n');
  spawnSync('mkfifo', ['events'], { cwd });
  const outputs = ['--scores', 'good.ndjson', '--rejects', 'new.ndjson'];
  const child = startProgram(['replay', '--truth', 'truth.ndjson', '--events', 'events', ...outputs], { cwd });
  const events = createWriteStream(join(cwd, 'events'));
  events.on('error', () => undefined);
  events.write(readFileSync(join(cwd, 'events.ndjson')));
  const parts = (): string[] => readdirSync(cwd).filter((name) => name.endsWith('.tmp'));
  await until('it writes', () => parts().length === 2);
  child.kill('SIGINT');
  const [status] = (await once(child, 'close')) as [number];
  events.destroy();
  assert.notEqual(status, 0);
  assert.deepEqual(parts(), []);
  assert.equal(readFileSync(join(cwd, 'good.ndjson'), 'utf8'), 'good\n');
  assert.ok(!existsSync(join(cwd, 'new.ndjson')));
});

test('what holds events is for its owner alone, unless files.mode says otherwise', async () => {
  const outputs = ['--scores', 's.ndjson', '--rejects', 'r.ndjson', '--summary', 'm.json', '--snapshots', 'folder'];
  const others = [
    ['truth', 'build', 'truth.ndjson', '-o', 'built.arrow'],
    ['report', 'm.json', '-o', 'report.html'],
    ['compare', 'm.json', 'm.json', '-o', 'compared.html'],
  ];
  const written = ['built.arrow', 'report.html', 'compared.html'];
  assert.equal((await runProgram([...replay, ...outputs], { cwd })).status, 0);
  for (const args of others) assert.equal((await runProgram(args, { cwd, built: true })).status, 0);
  assert.deepEqual(written.map(mode), ['600', '600', '600']);
  for (const args of others)
    assert.equal((await runProgram(args, { cwd, env: { ASSAY_FILES__MODE: '0644' } })).status, 0);
  assert.deepEqual(written.map(mode), ['644', '644', '644']);
  assert.deepEqual(['s.ndjson', 'r.ndjson', 'm.json', 'folder', 'folder/latest.json'].map(mode), [
    '600',
    '600',
    '600',
    '700',
    '600',
  ]);
  rmSync(join(cwd, 'folder'), { recursive: true });
  assert.equal((await runProgram([...replay, ...outputs], { cwd, env: { ASSAY_FILES__MODE: '0640' } })).status, 0);
  assert.deepEqual(['s.ndjson', 'folder', 'folder/latest.json'].map(mode), ['640', '750', '640']);
});

test('events come from files, folders and pipes, not from devices', async () => {
  for (const [path, why] of [
    ['/dev/zero', 'it is a device'],
    ['nowhere', 'ENOENT'],
  ] as const) {
    const { status, stderr } = await runProgram(['replay', '--truth', 'truth.ndjson', '--events', path], { cwd });
    assert.equal(status, 1, path);
    assert.match(stderr, new RegExp(`^assay: ${path.replace('.', '\\.')}: cannot be read \\(${why}[^\\n]*\\n$`));
  }
  const empty = await runProgram(['replay', '--truth', 'sound.ndjson', '--events', '/dev/null'], { cwd });
  assert.equal(empty.status, 1);
  assert.match(empty.stderr, /^\/dev\/null: holds no records\nreplay: there are no events\./);
});
