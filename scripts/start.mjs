#!/usr/bin/env node
// npm start: installs, compiles, and opens the demonstration: everything in one process, to look at in a browser.
import process from 'node:process';
import { build, installPackages, run, say } from './lib/setup.mjs';

try {
  await installPackages();
  await build();
  // Ctrl-C reaches the demonstration too, which ends in order; this process waits for it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {});
  process.exitCode = await run(process.execPath, ['dist/bin/assay.js', 'demo', ...process.argv.slice(2)]);
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
