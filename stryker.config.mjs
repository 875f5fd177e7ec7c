// Mutation tests of one part of the core (scripts/mutate.mjs), a folder or a file without its ending: src/<part> against test/<part> alone;
// or of several, with commas, each against its own.
const part = process.env.ASSAY_MUTATE ?? 'scoring';
const folder = `dist/stryker/${part}`;

export default {
  plugins: ['./scripts/mutation-runner.mjs', './scripts/mutation-ignorer.mjs'],
  ignorers: ['texts'],
  testRunner: 'bundle',
  buildCommand: `node scripts/mutation-tests.mjs ${part}`,
  mutate: part.split(',').flatMap((one) => [`src/${one}/**/*.ts`, `src/${one}.ts`]),
  ignorePatterns: ['dist', 'bench', 'deploy', 'docs', 'packages', 'schemas'],
  coverageAnalysis: 'perTest',
  tempDirName: `${folder}/sandbox`,
  reporters: ['clear-text', 'json', 'html'],
  jsonReporter: { fileName: `${folder}/report.json` },
  htmlReporter: { fileName: `${folder}/report.html` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 97, low: 95, break: 95 },
  timeoutMS: 15_000,
  // Of how long the tests took while everything was counted, up to forty times as long as a mutant takes.
  timeoutFactor: 0.2,
  dryRunTimeoutMinutes: 15,
  concurrency: 2,
};
