#!/usr/bin/env node
// npm pack: installs and builds what the package holds where that is missing or older than the sources.
import process from 'node:process';
import { build, installPackages, say } from './lib/setup.mjs';

try {
  await installPackages();
  await build();
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
