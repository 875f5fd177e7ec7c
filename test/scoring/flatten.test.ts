import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareFields, countFields } from '../../src/scoring/flatten.ts';
import type { Json } from '../../src/scoring/json.ts';
import { nested, values } from '../support/calls.ts';
import { flatten, naiveFields } from '../support/fields.ts';
import { recordedCases } from '../support/fixtures.ts';
import { tangled } from '../support/track-events.ts';
import { runs } from '../support/soak.ts';

const compare = (predicted: Json, reference: Json, emptyLeaves = false) =>
  compareFields(predicted, reference, emptyLeaves);

test('the worked examples of the docstrings', () => {
  assert.equal(countFields({ user: { name: 'Alice' }, items: ['a', 'b'] }, false), 3);
  assert.deepEqual(compare({ x: 1, y: 2 }, { x: 1, y: 3, z: 4 }), { tp: 1, fp: 1, fn: 2, differing: 1 });
});

/** A value whose keys are whole paths has those paths: it checks every path by its text. */
function assertPaths(value: Json, pairs: Readonly<Record<string, Json>>, emptyLeaves = false): void {
  const count = Object.keys(pairs).length;
  assert.equal(countFields(value, emptyLeaves), count, JSON.stringify(value));
  assert.deepEqual(
    compare(value, pairs, emptyLeaves),
    { tp: count, fp: 0, fn: 0, differing: 0 },
    `${JSON.stringify(value)} against ${JSON.stringify(pairs)}`,
  );
}

const table: readonly [Json, Record<string, Json>][] = [
  [5, { $: 5 }],
  [null, { $: null }],
  [{}, {}],
  [[], {}],
  [{ a: {}, b: [], c: { d: [] } }, {}],
  [[1, [2, { x: null }]], { '[0]': 1, '[1][0]': 2, '[1][1].x': null }],
  [
    { 'a.b': 1, a: { b: 2 }, '': 3, 'l[0]': 4, l: [5] },
    { 'a.b': 2, $: 3, 'l[0]': 5 },
  ],
  [{ a: { b: 2 }, 'a.b': 1 }, { 'a.b': 1 }],
  [{ '': { a: 1 } }, { a: 1 }],
  [{ a: { '': 1 } }, { 'a.': 1 }],
  [{ '': { '': { '': 7 } } }, { $: 7 }],
  [{ $: 1, '': 2 }, { $: 2 }],
  [{ '': 2, $: 1 }, { $: 1 }],
  [{ '': [1] }, { '[0]': 1 }],
  [{ '': { '.a': 1 } }, { '.a': 1 }],
  [{ 'a.': { '.': 1 } }, { 'a...': 1 }],
  [{ 'a[': { x: 1 } }, { 'a[.x': 1 }],
  [{ 'x]': [true] }, { 'x][0]': true }],
];
test('paths', () => {
  for (const [value, pairs] of table) assertPaths(value, pairs);
});

test('an index is no key', () => {
  const apart = { tp: 0, fp: 1, fn: 1, differing: 0 };
  for (const emptyLeaves of [false, true]) {
    assert.deepEqual(compare({ a: [1] }, { a: { '0': 1 } }, emptyLeaves), apart);
    assert.deepEqual(compare({ a: { '0': 1 } }, { a: [1] }, emptyLeaves), apart);
  }
});

test('empty containers are leaves with the option', () => {
  assertPaths({ a: {}, b: [], c: { d: [] } }, { a: {}, b: [], 'c.d': [] }, true);
  assertPaths({}, { $: {} }, true);
  assertPaths([], { $: [] }, true);
  assert.deepEqual(compare({ a: {} }, { a: [] }, true), { tp: 0, fp: 1, fn: 1, differing: 1 });
  assert.deepEqual(compare({ a: [] }, { a: 1 }, true), { tp: 0, fp: 1, fn: 1, differing: 1 });
  assert.deepEqual(compare({ a: [] }, { a: [1] }, true), { tp: 0, fp: 1, fn: 1, differing: 0 });
});

test('texts of scalars', () => {
  const same = { tp: 1, fp: 0, fn: 0, differing: 0 };
  const different = { tp: 0, fp: 1, fn: 1, differing: 1 };
  assert.deepEqual(compare({ a: -0 }, { a: 0 }), same);
  assert.deepEqual(compare({ a: 1 }, { a: JSON.parse('1.0') }), same);
  assert.deepEqual(compare({ a: '\ud800' }, { a: '\ud800' }), same);
  for (const [a, b] of [
    [1, '1'],
    [1, true],
    [0, false],
    [null, 'null'],
    ['\ud800', '\ud801'],
    [Number.POSITIVE_INFINITY, null],
  ] as const) {
    assert.deepEqual(compare({ a }, { a: b }), different);
    assert.deepEqual(compare({ 'a.': a }, { 'a.': b }), different);
  }
});

test('the recorded paths of Fledgling', (t) => {
  const cases = recordedCases<Recorded>('fledgling').filter((one) => 'flatten' in one.input);
  assert.ok(cases.length >= 9);
  for (const { input, expected } of cases) {
    const pairs = Object.entries(expected).map(([key, text]) => [key, JSON.parse(text) as Json] as const);
    assertPaths(input.flatten!, Object.fromEntries(pairs));
  }
  t.diagnostic(`${cases.length} cases`);
});
interface Recorded {
  readonly input: { readonly flatten?: Json };
  readonly expected: Record<string, string>;
}

test('equals the comparison of two sets of (path, text)', () => {
  const anyValue = fc.oneof(values, tangled);
  const close = fc.oneof(
    fc.tuple(anyValue, anyValue),
    anyValue.map((value): [Json, Json] => [value, value]),
    fc.tuple(tangled, anyValue).map(([a, b]): [Json, Json] => [
      { a, b },
      { b: a, a: b },
    ]),
    fc.tuple(anyValue, anyValue, anyValue).map(([a, b, c]): [Json, Json] => [[a, b], { '[0]': a, '[1]': c }]),
  );
  fc.assert(
    fc.property(close, fc.boolean(), ([predicted, reference], emptyLeaves) => {
      const count = countFields(reference, emptyLeaves);
      assert.equal(count, flatten(reference, emptyLeaves).size);
      assert.deepEqual(compare(predicted, reference, emptyLeaves), naiveFields(predicted, reference, emptyLeaves));
    }),
    { numRuns: runs(600) },
  );
});

test('values nest 100,000 deep, with a leaf at each level', () => {
  for (const kind of ['array', 'object'] as const) {
    const deep = nested(100_000, 1, kind);
    assert.deepEqual(compare(deep, nested(100_000, 2, kind)), { tp: 0, fp: 1, fn: 1, differing: 1 });
    assert.deepEqual(compare({ '': deep }, { '': deep }), { tp: 1, fp: 0, fn: 0, differing: 0 });
  }
  for (const last of ['a.b', 'ab']) {
    let comb: Json = 0;
    let other: Json = 1;
    for (let i = 0; i < 100_000; i++) {
      comb = { a: comb, [last]: i };
      other = { a: other, [last]: i };
    }
    assert.deepEqual(compare(comb, other), { tp: 100_000, fp: 1, fn: 1, differing: 1 });
  }
});
