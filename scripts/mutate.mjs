#!/usr/bin/env node
// npm run mutate [-- PART... [-- STRYKER'S OPTIONS]]: mutation tests of the core; reports lie in dist/stryker/PART. A part is a folder or a
// file below src (state, scoring/match, scoring/metric); several with commas are one run. One whose kill rate is too low fails. Tests have the
// name of their part, or scripts/mutation-tests.mjs says which they are; others than these: npm run mutate -- state/ids -- --mutate
// src/state/reject.ts
import { join } from 'node:path';
import process from 'node:process';
import { bin, run, say } from './lib/setup.mjs';

const stryker = bin('@stryker-mutator/core', 'stryker');
const parts = ['statistics', 'scoring', 'view', 'state'];
const args = process.argv.slice(2);
const split = args.includes('--') ? args.indexOf('--') : args.length;
const chosen = args.slice(0, split);
const options = args.slice(split + 1);

for (const part of chosen.length > 0 ? chosen : parts) {
  say(`Mutating src/${part} ...`);
  const env = { ...process.env, ASSAY_MUTATE: part };
  const status = await run(process.execPath, [stryker, 'run', join('.', 'stryker.config.mjs'), ...options], env);
  if (status !== 0) process.exitCode = status;
}
