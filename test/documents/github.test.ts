import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { annotationLine, markdownTable, markdownText } from '../../src/documents/github.ts';
import { printable } from '../../src/terminal/terminal-text.ts';
import { runs } from '../support/soak.ts';

const rows: readonly [text: string, markdown: string][] = [
  ['wrong_value of a|b', 'wrong\\_value of a\\|b'],
  ['[x](https://evil.test) <img> @team #1', '\\[x\\](https\\://evil.test) \\<img\\> \\@team \\#1'],
  ['a\nb `c` \\', 'a·b \\`c\\` \\\\'],
  ['n 3 (1 of 3): 0.5', 'n 3 (1 of 3): 0.5'],
];

for (const [text, markdown] of rows)
  test(`Markdown of ${JSON.stringify(text)}`, () => assert.equal(markdownText(text), markdown));

test('a table keeps its cells, whatever they hold', () => {
  const cell = fc.string({ unit: 'binary' }).map(markdownText);
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 4 }), (cells) => {
      const lines = markdownTable(['a', 'b'], cells).split('\n');
      assert.deepEqual(
        lines.slice(2).map((line) => line.split(/(?<!(?<!\\)(?:\\\\)*\\)\|/).length),
        cells.map(() => 4),
      );
    }),
    { numRuns: runs(200) },
  );
});

test('an annotation is one command, whatever its texts hold', () => {
  const text = fc.string({ unit: 'binary' });
  const unescaped = (value: string): string =>
    value.replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%25', '%');
  fc.assert(
    fc.property(text, text, text, (file, title, message) => {
      const line = annotationLine({ level: 'error', file, line: 7, title, message });
      // As the runner of GitHub reads a command: up to the first `::`, properties between commas, each up to its first `=`.
      const [, properties, data] = /^::error (.*?)::(.*)\n$/s.exec(line)!;
      const read = new Map(
        properties!.split(',').map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
      );
      assert.deepEqual(
        [read.get('file'), read.get('line'), read.get('title'), data].map((value) => unescaped(value!)),
        [printable(file), '7', printable(title), printable(message)],
      );
    }),
    { numRuns: runs(300), examples: [['a,b:c', 'x, y=z: %2C', 'to :: the, end']] },
  );
});
