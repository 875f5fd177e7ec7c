import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { pageFile } from '../../src/documents/package-folder.ts';

const folder = join('packages', 'dashboard');
const sources = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

/** Ways in which text could become markup or code. */
const dangerous =
  /[iI]nnerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|srcdoc|\beval\b|new Function|setHTML|javascript:/;

/** An address or a handler that a view would take from data. */
const fromData = /\b(href|src|formaction)=\{|\bstyle=\{(?!\{)|\bon[A-Z]\w*=/;

test('nothing in the page parses text as markup or code', () => {
  assert.ok(sources.length > 20);
  for (const { name, text } of sources) assert.doesNotMatch(text, dangerous, name);
  for (const text of ['element.innerHTML = text', '<p dangerouslySetInnerHTML={text} />'])
    assert.match(text, dangerous);
});

test('no address, handler or text of a style in the page comes from data', () => {
  // One place makes links of what the service says, and looks at each.
  const views = sources.filter(({ name }) => name.endsWith('.tsx') && name !== 'trace-link.tsx');
  for (const { name, text } of views) assert.doesNotMatch(text, fromData, name);
  for (const text of ['<a href={name}>', '<p style={name}>', '<p onClick={act}>']) assert.match(text, fromData);
});

test('every class of the style sheets is used by an element', () => {
  const [styles, views] = ['.css', '.tsx'].map((end) => sources.filter(({ name }) => name.endsWith(end)));
  const used = new Set(views!.flatMap(({ text }) => text.match(/[a-z][a-z-]*/g)!));
  const classes = styles!.flatMap(({ text }) =>
    [...text.matchAll(/\.([a-z][a-z-]*)(?=[^{}]*\{)/g)].map(([, name]) => name!),
  );
  assert.ok(classes.length > 100);
  assert.deepEqual(
    classes.filter((name) => !used.has(name)),
    [],
  );
});

test('the bundled page is one small file that loads nothing', () => {
  const file = fileURLToPath(pageFile);
  assert.ok(existsSync(file), 'npm run build');
  const html = readFileSync(file, 'utf8');
  const compressed = gzipSync(html).length;
  assert.ok(compressed <= 60_000, `${compressed} bytes compressed`);
  // Preact can set markup; nothing asks it to, and the policy has the browser refuse it.
  assert.doesNotMatch(html.replace(/dangerouslySetInnerHTML|\.__html\b|\.innerHTML\b/g, ''), dangerous);
  assert.doesNotMatch(html, /\b(src|srcset|action|poster)=|@import|url\(|<iframe|<object/i);
  const [policy] = /content="default-src[^"]*"/.exec(html) ?? [''];
  assert.match(policy, /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+';/);
  assert.match(policy, /; require-trusted-types-for 'script'; trusted-types 'none'"$/);
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
});
