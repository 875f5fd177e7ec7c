#!/usr/bin/env node
// npm run build: compiles the sources, bundles the page and the program, and makes `npx assay` run the result.
import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { bin, say, succeed } from './lib/setup.mjs';

const program = join('dist', 'bin', 'assay.js');
const command = join('node_modules', '.bin', 'assay');

try {
  say('  compiling the sources (the first time this takes a minute or two) ...');
  await succeed(process.execPath, [bin('typescript', 'tsc'), '-p', '.'], 'The sources do not compile');
  say('  compiling the page ...');
  await succeed(
    process.execPath,
    [bin('typescript', 'tsc'), '-p', join('packages', 'dashboard')],
    'The page does not compile',
  );
  say('  bundling the page and the program ...');
  await succeed(process.execPath, [join('scripts', 'list-packages.mjs')], 'A package cannot be shipped');
  await succeed(process.execPath, [join('scripts', 'bundle-page.mjs')], 'The page cannot be bundled');
  await succeed(process.execPath, [join('scripts', 'bundle-program.mjs')], 'The program cannot be bundled');
  chmodSync(program, 0o755);
  // npm links the commands of packages that are installed, not those of the one it stands in.
  if (process.platform !== 'win32') {
    rmSync(command, { force: true });
    symlinkSync(join('..', '..', program), command);
  }
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
