#!/usr/bin/env node
// npm test [-- FILTER…] [-- --soak]: the checks, then every test. With filters: only the test files whose path holds one of them.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import { pythonEnv } from './lib/python-env.mjs';
import { bin, build, installPackages, run, say, succeed } from './lib/setup.mjs';

const brokerLibrary = new URL('./lib/kafka-broker.mjs', import.meta.url);
const inCi = process.env.CI === 'true';
// A test file that takes longer hangs; the machine of CI may be several times as slow.
const fileTimeoutMs = inCi ? 1_200_000 : 240_000;
// After the soak, once more with this one.
const oldKafka = '3.9.1';
// What these measure in the soak, the time of a probe or of an alert, is of the machine where others run beside them.
const alone = ['test/e2e/attacks.test.ts', 'test/monitoring/live.test.ts'];
// The tests of each of these folders share a process: starting one takes longer than most of them.
const sharedFolders = [
  ...['formats', 'view', 'state', 'scoring', 'stream', 'config', 'statistics'],
  ...['checkpoint-store', 'files', 'prometheus', 'truth-files'].map((name) => `adapters/${name}`),
];

// The broker ends with this process, whatever ends it.
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.once(signal, () => process.exit(status));
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}

async function main(args) {
  const soak = args.includes('--soak');
  const filters = args.filter((arg) => arg !== '--soak');
  const files = testFiles(filters);
  if (files.length === 0) throw new Error(`No test file's path holds ${filters.join(' or ')}`);
  await installPackages();
  await (filters.length === 0 ? check() : build());
  const python = files.some(needsPython) ? await preparePython() : undefined;
  const env = { ...process.env, ...(python === undefined ? {} : { ASSAY_TEST_PYTHON: python }) };
  const long = soak ? { ASSAY_SOAK: '1' } : {};
  const withBroker = filters.length === 0 || files.some(speaksOfKafka);
  const status = await testWith(withBroker ? await startBroker() : undefined, soak ? rounds(files) : [files], {
    ...env,
    ...long,
  });
  if (!soak || filters.length > 0 || runningBroker()) return status;
  return (await testWith(await startBroker(oldKafka), [files.filter(sharesTheBroker)], env)) || status;
}

/** Rounds of test files, one after the other: each of those alone, then all others. */
function rounds(files) {
  const single = files.filter((file) => alone.includes(file));
  return [...single.map((file) => [file]), files.filter((file) => !alone.includes(file))].filter(
    (round) => round.length > 0,
  );
}

/** The first status that is not 0; what comes after it runs all the same. */
async function testWith(kafka, rounds, env) {
  try {
    let status = 0;
    for (const files of rounds) {
      const ended = await runTests(files, {
        ...env,
        ...(kafka === undefined ? {} : { ASSAY_TEST_KAFKA: kafka.address }),
      });
      status ||= ended;
    }
    return status;
  } finally {
    await kafka?.stop();
  }
}

async function check() {
  const node = process.execPath;
  const biome = bin('@biomejs/biome', 'biome');
  say('Format ...');
  await succeed(node, [biome, 'format', '.'], 'Some files are not formatted: npm run format');
  say('Lint ...');
  await succeed(node, [biome, 'lint', '--error-on-warnings', '.'], 'The linter has something to say');
  await build();
  say('Dead code ...');
  await succeed(node, [bin('knip', 'knip')], 'There is dead code');
}

/** Node prints the totals last. */
function runTests(files, env) {
  const reporter = process.stdout.isTTY || inCi ? 'spec' : 'tap';
  const compiled = together(files.map((file) => join('dist', file.replace(/\.ts$/, '.js'))));
  const seeded = ['--import', './dist/test/support/seed.js'];
  const options = ['--enable-source-maps', ...seeded, '--test', '--test-concurrency=4', `--test-reporter=${reporter}`];
  const patience = env.ASSAY_SOAK ? [] : [`--test-timeout=${fileTimeoutMs}`];
  return run(process.execPath, [...options, ...patience, ...compiled], env);
}

/** One file for all tests of a shared folder. */
function together(compiled) {
  // Node runs files in the order of their names: begun last, the longest would be alone at the end.
  const folder = join('dist', 'test', '_together');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const single = compiled.filter((file) => sharedFolder(file) === undefined);
  const shared = sharedFolders.flatMap((name) => {
    const files = compiled.filter((file) => sharedFolder(file) === name);
    if (files.length === 0) return [];
    const path = join(folder, `${name.replaceAll('/', '-')}.test.js`);
    writeFileSync(path, files.map((file) => `import '${relative(folder, file)}';\n`).join(''));
    return [path];
  });
  return [...shared, ...single];
}

function sharedFolder(file) {
  return sharedFolders.find((name) => file.startsWith(join('dist', 'test', name, '/')));
}

/** From the sources: a test that was deleted may still lie in dist. */
function testFiles(filters) {
  return readdirSync('test', { recursive: true })
    .map((name) => join('test', name))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
}

/** Tests of what is said to a broker, and of whole programs with it. */
function sharesTheBroker(file) {
  return /^test\/(adapters\/kafka|e2e\/)/.test(file) && speaksOfKafka(file);
}

function speaksOfKafka(file) {
  return /kafka/i.test(readFileSync(file, 'utf8'));
}

function needsPython(file) {
  return readFileSync(file, 'utf8').includes('withPython');
}

/** Readers and writers of Arrow that are not ours. Without Python the tests that need them are skipped; in CI that is a failure. */
async function preparePython() {
  if (process.env.ASSAY_TEST_PYTHON) return process.env.ASSAY_TEST_PYTHON;
  try {
    return await pythonEnv({ say });
  } catch (error) {
    if (inCi) throw error;
    say(`\n*** The tests that need Python are SKIPPED ***\n${error.message}\n`);
    return 'none';
  }
}

function runningBroker() {
  return process.env.ASSAY_TEST_KAFKA || process.env.KAFKA_BROKERS;
}

/** One broker for all tests. Without Java or Maven the tests that need it are skipped, by name; in CI that is a failure. */
async function startBroker(version) {
  const running = runningBroker();
  if (running) return { address: running, stop: async () => {} };
  try {
    if (!existsSync(brokerLibrary)) throw new Error('scripts/lib/kafka-broker.mjs is missing');
    const { startKafka } = await import(brokerLibrary.href);
    return await startKafka({ say, version });
  } catch (error) {
    if (inCi) throw error;
    say(`\n*** The tests that need a Kafka broker are SKIPPED ***\n${error.message}\n`);
    return undefined;
  }
}
