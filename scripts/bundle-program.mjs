#!/usr/bin/env node
// Makes dist/bin: the program and its threads in a few files. Node takes half as long to load them as the hundreds they are made of.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { assertShipped } from './lib/shipped.mjs';

const folder = join('dist', 'bin');
/** zod's messages in 60 other languages are half of its size, and each thread would read them at its start. */
const englishOnly = {
  name: 'english-only',
  setup({ onLoad }) {
    const contents = "export { default as en } from './en.js';";
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents }));
  },
};
const threads = readdirSync('src', { recursive: true }).filter((name) => name.endsWith('-worker.ts'));

rmSync(folder, { recursive: true, force: true });
const { metafile } = await build({
  // All in one folder: a module finds its thread beside it, here as in the sources.
  // The commands, as a module: tests run several of them in one process.
  entryPoints: {
    assay: join('src', 'main.ts'),
    commands: join('src', 'cli', 'main.ts'),
    ...Object.fromEntries(threads.map(entryOf)),
  },
  outdir: folder,
  bundle: true,
  metafile: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // Assay takes parts of kafkajs from files of its own choice; the signer is its user's to install; the others are machine code.
  external: ['kafkajs', 'aws-msk-iam-sasl-signer-js', 'lz4-napi', 'snappy', '@node-rs/crc32', '@node-rs/bcrypt'],
  // Packages of the older module format ask for Node's modules by `require`.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
  plugins: [englishOnly],
  legalComments: 'none',
  logLevel: 'warning',
});
assertShipped(metafile);

function entryOf(name) {
  return [name.replace(/^.*[\\/]|\.ts$/g, ''), join('src', name)];
}
