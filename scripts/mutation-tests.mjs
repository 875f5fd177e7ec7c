#!/usr/bin/env node
// mutation-tests.mjs PART: bundles each test of a part into one script, which scripts/mutation-runner.mjs evaluates for each mutant that it
// can reach, and writes down which sources each bundle holds.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const part = process.argv[2];
const outdir = join('dist', 'mutation');
/**
 * Tests of another name than their part. Groups of runs are tested with the family that scores them; what a partition remembers shows in a
 * view.
 */
const others = {
  state: [/^scoring\/stability\//, /^view\/view\./],
  'state/breakdowns': [/^state\/histogram-rows\./],
  'state/containers/table': [/^state\/histogram-rows\./],
  'state/containers/id-segment': [/^state\/ids\./],
  'state/run-groups': [/^scoring\/stability\//, /^state\/codes\./],
  'state/row-layout': [/^state\/row-delta\./],
  'state/partition': [/^state\/saved\./],
  'state/numbers': [/^state\/saved\./],
  'state/memory': [/^state\/estimate\./],
  'view/difference': [/^view\/(examples|compare)\./],
  'view/newcombe': [/^view\/difference\./],
  'view/mcnemar': [/^view\/difference\./],
  'view/jackknife': [/^view\/difference\./],
  'view/flips': [/^view\/examples\./],
  'view/declared': [/^view\/(examples|compare)\./],
  'view/always-rate': [/^view\/total\./],
};
/** The folder of containers is none of tests. */
const tested = part.replace('/containers/', '/');
/**
 * They measure the machine, or drive the whole fold for seconds: under mutation that costs a minute for each mutant that survives the others.
 * What they alone notice counts as survived.
 */
const slow = /\/(shared-arrays|memory|worst-events|costs|watch-services)\.|^state\/(laws|limits)\./;
/** It takes 17 s: parts of the view have quicker tests. */
const slowOfView = part.startsWith('view') ? /^view\/view\./ : /^$/;

rmSync(outdir, { recursive: true, force: true });
const isTestOf = (name) =>
  ['/', '.', '-'].some((end) => name.startsWith(tested + end)) ||
  (others[part] ?? []).some((other) => other.test(name));
const tests = readdirSync('test', { recursive: true })
  .map((name) => name.replaceAll(sep, '/'))
  .filter((name) => name.endsWith('.test.ts') && isTestOf(name) && !slow.test(name) && !slowOfView.test(name));
const { metafile } = await build({
  entryPoints: tests.map((name) => join('test', name)),
  // Scripts have none; the sources look for the files of the package from here.
  define: { 'import.meta.url': JSON.stringify(pathToFileURL(resolve('package.json'))) },
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
