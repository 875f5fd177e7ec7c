import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { hiddenValue, previewText, shortText } from '../../src/formats/json/preview.ts';
import type { Json } from '../../src/scoring/json.ts';

const preview = (value: Json, charactersMax = 40, redact: readonly string[] = []): string =>
  previewText(value, { charactersMax, redact: new Set(redact) });

test('a value is shown as JSON, cut where it is long', () => {
  const cases: readonly [value: Json, text: string][] = [
    [null, 'null'],
    [1.5, '1.5'],
    ['a"b', '"a\\"b"'],
    [[], '[]'],
    [{}, '{}'],
    [{ a: [1, 'x', { b: null }], c: true }, '{"a": [1, "x", {"b": null}], "c": true}'],
    ['x'.repeat(100), `"${'x'.repeat(39)}…`],
    [Array.from({ length: 1000 }, (_, at) => at), '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1…'],
    [JSON.parse('{"__proto__": 1}'), '{"__proto__": 1}'],
  ];
  for (const [value, text] of cases) assert.equal(preview(value), text);
});

test('a redacted field shows nothing of its value, wherever it lies', () => {
  const value = { to: 'x@y', deep: [{ to: { to: 'x@y' }, n: 1 }] };
  assert.equal(preview(value, 100, ['to']), `{"to": ${hiddenValue}, "deep": [{"to": ${hiddenValue}, "n": 1}]}`);
});

test('what nests 100,000 deep, or holds a million items, costs no more than what is shown', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`) as Json;
  assert.equal(preview(deep), `${'['.repeat(40)}…`);
  const wide = Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`key${at}`, 'x'.repeat(10)]));
  assert.equal(preview(wide).length, 41);
});

test('a text is never cut within a character', () => {
  assert.equal(shortText('ab😀cd', 3), 'ab…');
  assert.equal(shortText('ab😀cd', 4), 'ab😀…');
  assert.equal(shortText('abc', 3), 'abc');
});

test('short values are shown whole: the text parses back', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
      const text = preview(value as Json, 1_000_000);
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
    }),
  );
});
