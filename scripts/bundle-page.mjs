#!/usr/bin/env node
// Makes dist/page/index.html: the page with its script and its style in it, and a policy that allows just these.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { assertShipped } from './lib/shipped.mjs';

const folder = process.argv[2] ?? join('dist', 'page');
const [script, style] = await Promise.all([bundle('main.ts'), bundle('style.css')]);
const policy = [
  "default-src 'none'",
  `script-src '${hashOf(script)}'`,
  `style-src '${hashOf(style)}'`,
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  // No text becomes markup or code, whatever is in the script.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
const page = readFileSync(join('packages', 'dashboard', 'index.html'), 'utf8')
  .replace('content="policy"', () => `content="${policy}"`)
  .replace('/* style */', () => style)
  .replace('/* script */', () => script);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'index.html.part'), page);
renameSync(join(folder, 'index.html.part'), join(folder, 'index.html'));

async function bundle(file) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join('packages', 'dashboard', file)],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'iife',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
  });
  assertShipped(metafile);
  return outputFiles[0].text.trimEnd();
}

function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
