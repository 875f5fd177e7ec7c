#!/usr/bin/env node
// mutation-tests.mjs PART: bundles each test of test/PART into one file. A mutant then costs one short process per test file that reaches it.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

const outdir = join('dist', 'mutation');
const folder = join('test', process.argv[2]);

rmSync(outdir, { recursive: true, force: true });
const tests = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.test.ts'));
await build({
  entryPoints: tests.map((name) => join(folder, name)),
  inject: [join('test', 'support', 'fixed-seed.ts')],
  outdir,
  outbase: 'test',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  format: 'esm',
});
