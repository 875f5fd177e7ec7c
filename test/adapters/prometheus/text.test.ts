import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { escapeLabelValue, labelSet, metricsText, type Series } from '../../../src/adapters/prometheus/text.ts';
import { parseMetrics } from './parse-metrics.ts';

const metric = { name: 'm', type: 'gauge', help: 'Help with \\ and\nline feed.' } as const;
const pageOf = (...sections: readonly (readonly Series[])[]): string =>
  metricsText(
    sections.map((series) => ({ metric, series })),
    { format: 'text', shown: new Map(), nowMs: 0 },
  );

/** Strings rich in what the format and its readers trip over. */
const text = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    fc.constantFrom(
      '"',
      '\\',
      '\n',
      '\r',
      '{',
      '}',
      ',',
      '=',
      '#',
      ' ',
      'n',
      'u',
      '\\u0000',
      '\\u005c',
      '\0',
      '\u2028',
      '\ud800',
    ),
  ),
});

test('labels come back from the page as they were, and nothing in them steers a reader', () => {
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 5 }), fc.double(), (values, value) => {
      const labels = values.map((text, index) => [`l${index}`, text] as const);
      const { samples } = parseMetrics(pageOf([[labelSet(labels), value]]));
      assert.equal(samples.length, 1);
      assert.doesNotMatch(labelSet(labels), /[\p{Cc}\p{Zl}\p{Zp}\p{Surrogate}]/u);
      assert.deepEqual(
        [...samples[0]!.labels].map(([name, value]) => [name, readable(value)]),
        labels,
      );
      assert.equal(samples[0]!.value + 0, value + 0);
    }),
  );
});

/** As docs/reference/outputs.md says to read a label value. */
function readable(value: string): string {
  return value.replace(/\\u([0-9a-f]{4})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

test('escapes of a label value', () => {
  const cases: readonly [value: string, escaped: string][] = [
    ['', ''],
    ['gpt-4o', 'gpt-4o'],
    ['a"b', 'a\\"b'],
    ['a\\b', 'a\\\\b'],
    ['a\\n', 'a\\\\n'],
    ['a\nb', 'a\\nb'],
    ['ü 😀', 'ü 😀'],
    ['a\0\x1b[31m\x7f\x85\u2028', 'a\\\\u0000\\\\u001b[31m\\\\u007f\\\\u0085\\\\u2028'],
    // A name that reads like an escape is another name.
    ['a\\u0000', 'a\\\\u005cu0000'],
    ['DOMAIN\\user', 'DOMAIN\\\\user'],
    ['a\ud800', 'a\\\\ud800'],
    ['\udfff"', '\\\\udfff\\"'],
  ];
  for (const [value, escaped] of cases) assert.equal(escapeLabelValue(value), escaped);
});

test('HELP is escaped, written once for neighbours, and left out with its lines', () => {
  assert.equal(
    pageOf([], [['', 1]], [['{a="b"}', 2]]),
    '# HELP m Help with \\\\ and\\nline feed.\n# TYPE m gauge\nm 1\nm{a="b"} 2\n',
  );
  assert.equal(pageOf([]), '');
});
