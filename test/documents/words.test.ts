import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { at, descendants, parse, type Rule, sourcesBelow } from '../support/tidy.ts';

/* Phrases that a reader has to read twice, in documents and in the texts of the program. */

/** Each with the words to use instead. */
const refused: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\b(whoever|somebody|nobody)\b/i, 'the user, the client, the function'],
  [/\b(is|are|was|were) told\b/i, 'is reported, is recognised, gets'],
  [/\bno failure\b/i, 'succeed where'],
  [/\bpassed over\b/i, 'skipped'],
  [/\bexplained by it\b/i, 'also worse because of'],
  [/\bthe process turns\b/i, 'the process is responsive'],
  [/\bmetrics page\b|\bpage of (the )?metrics\b/i, 'metrics'],
  [/\bpages? (him|her|them|people|on it)\b|\bsame page\b/i, 'alert'],
];

/** A phrase of the list in a text, with the words to use instead. */
function problemsIn(text: string): string[] {
  return refused.flatMap(([phrase, instead]) => {
    const found = phrase.exec(text);
    return found === null ? [] : [`says "${found[0]}"; say: ${instead}`];
  });
}

/** Titles of tests are quoted in documents, in italics. */
const withoutTitles = (line: string): string => line.replaceAll(/\*[^*]+\*/g, '');

const inTexts: Rule = (source) =>
  descendants(source.tree).flatMap((node) =>
    ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
      ? problemsIn(node.text).map((what) => at(source, node, what))
      : [],
  );

function inDocument(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) => problemsIn(withoutTitles(line)).map((what) => `${path}:${index + 1}: ${what}`));
}

test('documents say what happened in plain words', () => {
  const folders = ['docs/guides', 'docs/reference', 'docs/runbooks', 'deploy'];
  const pages = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const paths = ['README.md', ...pages.filter((path) => path.endsWith('.md'))];
  assert.ok(paths.length > 60, 'run the tests with the project as the working folder');
  assert.deepEqual(
    paths.flatMap((path) => inDocument(path, readFileSync(path, 'utf8'))),
    [],
  );
});

test('so do the texts of the program', () => {
  assert.deepEqual(sourcesBelow('src', 'packages').flatMap(inTexts), []);
});

test('a phrase of the list is found, in prose and in each kind of text', () => {
  assert.deepEqual(inDocument('a.md', 'Good.\nThe sender is told to wait.'), [
    'a.md:2: says "is told"; say: is reported, is recognised, gets',
  ]);
  assert.deepEqual(inDocument('a.md', 'Held by *whoever asks is told*.'), []);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a source that is read
  const texts = "const a = 'Explained by it: x';\nconst b = `${a} that nobody reads`;\n// nobody\n";
  assert.deepEqual(inTexts(parse('src/a.ts', texts)), [
    'src/a.ts:1: says "Explained by it"; say: also worse because of',
    'src/a.ts:2: says "nobody"; say: the user, the client, the function',
  ]);
});
