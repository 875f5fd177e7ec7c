import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { programName } from '../src/name.ts';
import { soak } from './support/soak.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const node = process.execPath;
const skip = existsSync('.git') ? false : 'no clone of the project';

test('npm run rename: no text but the mark of checkpoints holds the former name, and the program bears the new one', {
  skip,
}, (context) => {
  const folder = join(temporaryFolder(context), 'clone');
  const run = (command: string, args: readonly string[]): string =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: 'pipe' });
  execFileSync('git', ['clone', '-q', '.', folder]);
  run(node, [resolve('scripts', 'rename.mjs'), 'touchstone']);
  run('git', ['add', '--all']);
  const found = run('git', ['grep', '-Iio', `${programName}[a-z]*`, '--', '.']);
  assert.deepEqual(
    new Set(
      found
        .trim()
        .split('\n')
        .map((line) => line.split(':').at(-1)),
    ),
    new Set(['ASSAYCKP']),
  );
  assert.ok(!run('git', ['ls-files']).toLowerCase().includes(programName));
  assert.match(readFileSync(join(folder, 'src', 'name.ts'), 'utf8'), /programName = 'touchstone'/);
  if (!soak) return;
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  run(node, [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', '.']);
  assert.match(run(node, [join('dist', 'src', 'main.js'), 'replay', '--help']), /^Usage: touchstone replay/m);
});

test('npm run rename refuses what is no name', () => {
  for (const name of ['', 'Two Words', 'a-b', '1st'])
    assert.throws(() => execFileSync(node, ['scripts/rename.mjs', name], { stdio: 'pipe' }), /usage: npm run rename/);
});
