import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pageFile } from '../../src/app/live-page.ts';

const folder = join('packages', 'dashboard');
const sources = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

/** Ways in which text could become markup or code. */
const dangerous =
  /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc|\beval\b|new Function|setHTML|javascript:/;

test('nothing in the page parses text as markup or code', () => {
  assert.ok(sources.length > 20);
  for (const { name, text } of sources) assert.doesNotMatch(text, dangerous, name);
  assert.match('element.innerHTML = text', dangerous);
});

test('the bundled page is one small file that loads nothing, the chart library included', () => {
  const file = fileURLToPath(pageFile);
  assert.ok(existsSync(file), 'npm run build');
  assert.ok(statSync(file).size < 200_000, `${statSync(file).size} bytes`);
  const html = readFileSync(file, 'utf8');
  assert.doesNotMatch(html, dangerous);
  assert.doesNotMatch(html, /\b(src|srcset|action|poster)=|@import|url\(|<iframe|<object/i);
  const [policy] = /content="default-src[^"]*"/.exec(html) ?? [''];
  assert.match(policy, /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
});
