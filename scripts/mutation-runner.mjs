import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { Script } from 'node:vm';
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';

/** What the instrumented code reads and writes: which mutant is active, which test reaches which. */
const shared = (globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {});

/**
 * Runs the bundled tests (scripts/mutation-tests.mjs) in this process. A mutant costs a fresh evaluation of the compiled bundles that hold it,
 * and of their tests the quick ones first, until one fails. A process a test file cost half a second each.
 */
function createRunner() {
  const durations = new Map();
  let bundles;
  return {
    capabilities: () => ({ reloadEnvironment: true }),
    async init() {
      bundles = readBundles();
    },
    async dryRun() {
      const result = await runTests(bundles.flatMap(load), durations, { failFast: false });
      return { ...result, mutantCoverage: shared.mutantCoverage };
    },
    async mutantRun({ activeMutant, sandboxFileName, testFilter, mutantActivation, hitLimit }) {
      const source = relative(process.cwd(), sandboxFileName);
      const held = bundles.filter(({ sources }) => sources.includes(source));
      const atOnce = mutantActivation === 'static';
      Object.assign(shared, { activeMutant: atOnce ? activeMutant.id : undefined, hitCount: hitLimit && 0, hitLimit });
      let tests;
      try {
        tests = held.flatMap(load).filter(({ id }) => testFilter === undefined || testFilter.includes(id));
      } catch (error) {
        return toMutantRunResult({ status: DryRunStatus.Complete, tests: [resultOf('loading', 0, error)] });
      }
      shared.activeMutant = activeMutant.id;
      tests.sort((a, b) => (durations.get(a.id) ?? 0) - (durations.get(b.id) ?? 0));
      const result = await runTests(tests, durations, { failFast: true });
      return toMutantRunResult(determineHitLimitReached(shared.hitCount, hitLimit) ?? result);
    },
  };
}

function readBundles() {
  return JSON.parse(readFileSync(join('dist', 'mutation', 'bundles.json'), 'utf8')).map(({ file, sources }) => {
    const code = `(require, module, exports) => {${readFileSync(file, 'utf8')}\n}`;
    return { file, sources, script: new Script(code, { filename: file }) };
  });
}

/** Runs tests one after the other, and notes how long those that pass take. */
async function runTests(tests, durations, { failFast }) {
  const results = [];
  for (const { id, run } of tests) {
    shared.currentTestId = id;
    const started = performance.now();
    let failure;
    try {
      await run({ diagnostic() {} });
    } catch (error) {
      failure = error;
    }
    const spent = performance.now() - started;
    if (failure === undefined) durations.set(id, spent);
    results.push(resultOf(id, spent, failure));
    if (failFast && failure !== undefined) break;
  }
  shared.currentTestId = undefined;
  return { status: DryRunStatus.Complete, tests: results };
}

/** Evaluates a bundle anew: its tests. */
function load({ file, script }) {
  const tests = [];
  const seen = new Map();
  const test = (name, run) => {
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    tests.push({ id: `${file}: ${name}${times === 1 ? '' : ` (${times})`}`, run });
  };
  const require = createRequire(resolve(file));
  const module = { exports: {} };
  script.runInThisContext()((name) => (name === 'node:test' ? { test } : require(name)), module, module.exports);
  return tests;
}

function resultOf(id, timeSpentMs, failure) {
  const result = { id, name: id, timeSpentMs };
  if (failure === undefined) return { ...result, status: TestStatus.Success };
  return { ...result, status: TestStatus.Failed, failureMessage: String(failure?.stack ?? failure) };
}

export const strykerPlugins = [declareFactoryPlugin(PluginKind.TestRunner, 'bundle', createRunner)];
