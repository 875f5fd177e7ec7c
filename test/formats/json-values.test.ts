import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { valuesOf, valuesOfText } from '../../src/formats/json/json-values.ts';

const most = Number.MAX_SAFE_INTEGER;

const worked: readonly (readonly [text: string, values: number])[] = [
  ['7', 1],
  ['"a,b[{"', 1],
  ['"\\",["', 1],
  ['{}', 1],
  [' [ ] ', 1],
  ['[{},[]]', 3],
  ['[[[]]]', 3],
  ['{"a":[1,2],"b.c":{}}', 6],
  ['{"a[0].b" : {"x":"y.z"}}', 5],
];

for (const [text, values] of worked)
  test(`${text} holds ${values}`, () => {
    assert.equal(valuesOfText(text, most), values);
    assert.equal(valuesOf(JSON.parse(text), most), values);
  });

/** Walks the value as its definition says. */
function naive(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + naive(item), 1);
  return Object.entries(value).reduce(
    (sum, [key, item]) => sum + [...key].filter((unit) => unit === '.' || unit === '[').length + naive(item),
    1,
  );
}

const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(null, true, 0.5, -1e300),
    fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '[', '{', ' ', 'é') }),
    fc.array(tie('value')),
    fc.dictionary(fc.string({ unit: fc.constantFrom('a', '.', '[', ':', '"', ',', '{') }), tie('value')),
  ),
})).value;

test('the text of a value holds what the value does, however it is written, and neither is counted further than asked', () => {
  fc.assert(
    fc.property(anyValue, fc.constantFrom(undefined, 1, '\t'), fc.nat(20), (value, indent, limit) => {
      const text = JSON.stringify(value, null, indent);
      const count = naive(value);
      assert.equal(valuesOfText(text, most), count);
      assert.equal(valuesOf(value, most), count);
      assert.equal(valuesOfText(text, limit) > limit, count > limit);
      assert.equal(valuesOf(value, limit) > limit, count > limit);
    }),
  );
});
