#!/usr/bin/env node
// mutation-tests.mjs PART[,PART...]: bundles each test of these parts into one script, which scripts/mutation-runner.mjs evaluates for each
// mutant of its part that it can reach, and writes down which sources each bundle holds, and which parts it tests.
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const parts = process.argv[2].split(',');
const outdir = join('dist', 'mutation');
/**
 * Tests of another name than their part, beside that of what families declare. Groups of runs are tested with the family that scores them;
 * what a partition remembers shows in a view.
 */
const others = {
  state: [/^scoring\/stability\//, /^view\/view\./],
  'state/breakdowns': [/^state\/histogram-rows\./],
  'state/containers/table': [/^state\/histogram-rows\./],
  'state/containers/id-segment': [/^state\/ids\./],
  'state/run-groups': [/^scoring\/stability\//, /^state\/identity\./],
  'state/row-layout': [/^state\/row-delta\./],
  'state/partition': [/^state\/saved\./],
  'state/numbers': [/^state\/(saved|partition)\./],
  'state/reshape-rows': [/^state\/reshape\./],
  'state/memory': [/^state\/estimate\./],
  'view/merge-slices': [/^view\/kept-rows\./],
  'view/fold-groups': [/^view\/view\./],
  'view/read-blocks': [/^view\/view\./],
  'view/group-reader': [/^view\/planned\./],
  'view/watch-baseline': [/^view\/watches/],
  'view/watch-causes': [/^view\/watches\./],
  'view/watch-panes': [/^view\/watches/],
  'view/watch-tallies': [/^view\/watch-causes\./],
  'view/watch-chart': [/^view\/watches\./],
  'view/watch-readings': [/^view\/watches\./],
  'view/compare': [/^view\/examples\./],
  'view/metric-path': [/^view\/gate\./],
  'view/difference': [/^view\/(examples|compare)\./],
  'view/newcombe': [/^view\/difference\./],
  'view/mcnemar': [/^view\/difference\./],
  'view/jackknife': [/^view\/difference\./],
  'view/flips': [/^view\/examples\./],
  'view/declared': [/^view\/(examples|compare)\./],
};
/**
 * They measure the machine, or drive the whole fold for seconds: under mutation that costs a minute for each mutant that survives the others.
 * What they alone notice counts as survived.
 */
const slow = /\/(shared-arrays|memory|worst-events|watch-services)\.|^state\/(laws|limits)\./;
/** Takes 17 s: parts of the view have quicker tests. */
const isSlowFor = (part, name) => slow.test(name) || (part.startsWith('view') && name.startsWith('view/view.'));

rmSync(outdir, { recursive: true, force: true });
const isTestOf = (part, name) =>
  // The folder of containers is none of tests.
  ['/', '.', '-'].some((end) => name.startsWith(part.replace('/containers/', '/') + end)) ||
  (part.startsWith('scoring/') && /^scoring\/(declarations|blame)\./.test(name)) ||
  (part.startsWith('state/containers/') && name.startsWith('state/containers.')) ||
  (others[part] ?? []).some((other) => other.test(name));
const partsOf = (name) => parts.filter((part) => isTestOf(part, name) && !isSlowFor(part, name));
const tests = readdirSync('test', { recursive: true })
  .map((name) => name.replaceAll(sep, '/'))
  .filter((name) => name.endsWith('.test.ts') && partsOf(name).length > 0);
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
const bundles = Object.entries(metafile.outputs).map(([file, { inputs, entryPoint }]) => ({
  file,
  sources: Object.keys(inputs),
  parts: parts.length > 1 ? partsOf(entryPoint.replace('test/', '')) : undefined,
}));
writeFileSync(join(outdir, 'bundles.json'), JSON.stringify(bundles));
