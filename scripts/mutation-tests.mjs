#!/usr/bin/env node
// mutation-tests.mjs PART: bundles each test of test/PART into one script, which scripts/mutation-runner.mjs evaluates for each mutant that it
// can reach, and writes down which sources each bundle holds.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

const outdir = join('dist', 'mutation');
const folder = join('test', process.argv[2]);

rmSync(outdir, { recursive: true, force: true });
const tests = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.test.ts'));
const { metafile } = await build({
  entryPoints: tests.map((name) => join(folder, name)),
  inject: [join('test', 'support', 'fixed-seed.ts')],
  outdir,
  outbase: 'test',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  metafile: true,
  packages: 'external',
  platform: 'node',
  target: 'node20',
  format: 'cjs',
});
const bundles = Object.entries(metafile.outputs).map(([file, { inputs }]) => ({ file, sources: Object.keys(inputs) }));
writeFileSync(join(outdir, 'bundles.json'), JSON.stringify(bundles));
