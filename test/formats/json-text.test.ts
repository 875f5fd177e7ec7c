import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mayNestDeeper, nestsDeeper } from '../../src/formats/json/json-depth.ts';
import { elementSpans } from '../../src/formats/json/json-elements.ts';
import { jsonText } from '../../src/formats/json/json-text.ts';
import type { Json } from '../../src/scoring/json.ts';

test('usual values are written as JSON.stringify writes them', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.equal(jsonText(value as Json), JSON.stringify(value))));
});

test('numbers without an end parse back to themselves', () => {
  const value = { a: [Infinity, { b: -Infinity, c: 'Infinity' }], d: 1, e: {}, f: [] };
  const text = jsonText(value);
  assert.equal(text, '{"a":[1e999,{"b":-1e999,"c":"Infinity"}],"d":1,"e":{},"f":[]}');
  assert.deepEqual(JSON.parse(text), value);
  assert.equal(jsonText(-Infinity), '-1e999');
});

test('depth is no limit', () => {
  const text = `${'[{"a":'.repeat(100_000)}null${'}]'.repeat(100_000)}`;
  assert.equal(jsonText(JSON.parse(text) as Json), text);
});

test('__proto__ is a key', () => {
  const text = '{"__proto__":{"a":1e999}}';
  assert.equal(jsonText(JSON.parse(text) as Json), text);
});

test('the elements of an array lie where they lie', () => {
  const spaced = (text: string): fc.Arbitrary<string> =>
    fc.tuple(fc.constantFrom('', ' ', '\n\t'), fc.constantFrom('', ' ', '\r')).map(([a, b]) => `${a}${text}${b}`);
  const elements = fc.array(fc.json({ maxDepth: 3 }).chain((text) => spaced(text)));
  fc.assert(
    fc.property(elements, fc.boolean(), (texts, indent) => {
      const text = indent ? ` [${texts.join(',')}] ` : `[${texts.join(',')}]`;
      const spans = elementSpans(text);
      assert.deepEqual(
        texts.map((_, at) => text.slice(spans[2 * at], spans[2 * at + 1])),
        texts.map((one) => one.trim()),
      );
      assert.equal(spans.length, 2 * texts.length);
    }),
  );
});

test('depth counts objects and arrays, the value itself as 1', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(6), (value, limit) => {
      assert.equal(nestsDeeper(value, limit), depthOf(value) > limit);
      if (depthOf(value) > limit) assert.ok(mayNestDeeper(JSON.stringify(value), limit));
    }),
  );
});
