import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { Script } from 'node:vm';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';

/** What the instrumented code reads and writes: which mutant is active, which test reaches which. */
const shared = (globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});

/**
 * Runs the bundled tests (scripts/mutation-tests.mjs) in this process. A mutant costs a fresh evaluation of the compiled bundles that reach it,
 * the quick ones first, until a test fails. A process a test file cost half a second each.
 */
function createRunner() {
  let bundles;
  return {
    capabilities: () => ({ reloadEnvironment: true }),
    async init() {
      bundles = readBundles();
    },
    async dryRun() {
      const tests = [];
      const known = {};
      for (const bundle of bundles) {
        const started = performance.now();
        const results = await runTests(load(bundle, new Script(bundle.code, { filename: bundle.file })), {
          failFast: false,
        });
        known[bundle.file] = { spent: performance.now() - started, hits: hitsOf(results) };
        tests.push(...results);
      }
      writeFileSync(knownFile, JSON.stringify(known));
      return { status: DryRunStatus.Complete, tests, mutantCoverage: shared.mutantCoverage };
    },
    async mutantRun(options) {
      const known = JSON.parse(readFileSync(knownFile, 'utf8'));
      const tests = [];
      for (const bundle of reaching(bundles, options).toSorted((a, b) => known[a.file].spent - known[b.file].spent)) {
        const hitLimit = leastHits + 10 * (known[bundle.file].hits[options.activeMutant.id] ?? 0);
        Object.assign(shared, { hitCount: 0, hitLimit });
        tests.push(...(await runMutant(bundle, options)));
        const endless = determineHitLimitReached(shared.hitCount, hitLimit);
        if (endless !== undefined) return toMutantRunResult(endless);
        if (tests.at(-1)?.status === TestStatus.Failed) break;
      }
      return toMutantRunResult({ status: DryRunStatus.Complete, tests });
    },
  };
}

/** The bundles whose tests reach a mutant; of several parts, those of its own. */
function reaching(bundles, { sandboxFileName, testFilter }) {
  const source = relative(process.cwd(), sandboxFileName);
  return bundles.filter(
    ({ file, sources, parts }) =>
      sources.includes(source) &&
      (parts?.some((part) => source === `src/${part}.ts` || source.startsWith(`src/${part}/`)) ?? true) &&
      (testFilter === undefined || testFilter.some((id) => id.startsWith(`${file}: `))),
  );
}

/** Runs the tests of a bundle that reach a mutant, until one fails. A static one is there while the bundle is evaluated. */
async function runMutant(bundle, { activeMutant, mutantActivation, testFilter }) {
  shared.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined;
  try {
    const loaded = load(bundle, scriptWith(bundle, activeMutant.id));
    shared.activeMutant = activeMutant.id;
    const reached = loaded.filter(({ id }) => testFilter === undefined || testFilter.includes(id));
    return await runTests(reached, { failFast: true });
  } catch (error) {
    return [resultOf(`${bundle.file}: loading`, 0, error)];
  }
}

/** How often the tests of a bundle reach each mutant: more than ten times as often is a loop that a mutant made endless. */
function hitsOf(results) {
  const hits = {};
  for (const { id } of results)
    for (const [mutant, count] of Object.entries(shared.mutantCoverage?.perTest[id] ?? {}))
      hits[mutant] = (hits[mutant] ?? 0) + count;
  return hits;
}

/** Tests of what large input costs, which say nothing here, and simulations: instrumented they take seconds for each mutant. */
const costly =
  /take no seconds|in linear time|^a hundred thousand groups|^any text is a gate|^simulated: |; seed \d+$|^p0 = [\d.]+: |^whole weights /;
const leastHits = 100_000;
const folder = join('dist', 'mutation');
/** By bundle: how long its tests take, and how often they reach each mutant. Another process may go on with the mutants. */
const knownFile = join(folder, 'known.json');

function readBundles() {
  return JSON.parse(readFileSync(join(folder, 'bundles.json'), 'utf8')).map(({ file, sources, parts }) => {
    const code = `(require, module, exports) => {${readFileSync(file, 'utf8')}\n}`;
    return { file, sources, parts, code, pieces: code.replace(coverageCall, '0').split(mutantCall) };
  });
}

/** Calls that count what a test reaches, and those that ask whether a mutant is active; a bundle numbers the functions by their files. */
const coverageCall = /\bstryCov_\w+\((?:"\d+"(?:,\s*)?)+\)/g;
const mutantCall = /\b(stryMutAct_\w+)\("(\d+)"\)/;

/**
 * The code of a bundle with one mutant in it: nothing is counted, and no other is asked for. A test of a million steps takes as long as without
 * mutants, where the counting made it forty times as slow.
 */
function scriptWith({ file, pieces }, mutant) {
  let code = pieces[0];
  for (let at = 1; at < pieces.length; at += 3) {
    const [isActive, id, text] = pieces.slice(at, at + 3);
    code += (id === mutant ? `${isActive}("${id}")` : 'false') + text;
  }
  return new Script(code, { filename: file });
}

/** Runs tests one after the other. */
async function runTests(tests, { failFast }) {
  const results = [];
  for (const { id, run } of tests) {
    shared.currentTestId = id;
    const started = performance.now();
    const failure = await failureOf(run);
    results.push(resultOf(id, performance.now() - started, failure));
    if (failFast && failure !== undefined) break;
  }
  shared.currentTestId = undefined;
  return results;
}

/** What a test throws, after which its hooks run. */
async function failureOf(run) {
  const hooks = [];
  try {
    await run({ diagnostic() {}, after: (hook) => hooks.push(hook) });
  } catch (error) {
    return error;
  } finally {
    for (const hook of hooks) await hook();
  }
}

/** Evaluates a bundle anew: its tests. */
function load({ file }, script) {
  const tests = [];
  const seen = new Map();
  const test = (name, run) => {
    if (costly.test(name)) return;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    tests.push({ id: `${file}: ${name}${times === 1 ? '' : ` (${times})`}`, run });
  };
  const require = createRequire(resolve(file));
  const module = { exports: {} };
  const harness = { test, describe: (_name, body) => body() };
  script.runInThisContext()((name) => (name === 'node:test' ? harness : require(name)), module, module.exports);
  return tests;
}

function resultOf(id, timeSpentMs, failure) {
  const result = { id, name: id, timeSpentMs };
  if (failure === undefined) return { ...result, status: TestStatus.Success };
  return { ...result, status: TestStatus.Failed, failureMessage: String(failure?.stack ?? failure) };
}

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'bundle', createRunner)];
