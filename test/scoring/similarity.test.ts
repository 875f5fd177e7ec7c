import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Json, type JsonObject, jsonEqual } from '../../src/scoring/json.ts';
import { hashOf, type Similarity, similarities } from '../../src/scoring/similarity.ts';
import { values } from '../support/calls.ts';
import { runs } from '../support/soak.ts';

const keys = fc.constantFrom('x', 'y', '__proto__', 'toString');
const argument = fc.oneof(
  fc.constantFrom<Json>(null, 0, -0, 'a', [], {}, [0], [-0], { a: 1, b: 2 }, { b: 2, a: 1 }),
  values,
);
const args = fc
  .array(fc.tuple(keys, argument), { maxLength: 3 })
  .map((entries) => Object.fromEntries(entries) as JsonObject);

/** The definition (docs/reference/scoring.md, "tool_calls"), pair by pair. */
function defined(actual: JsonObject, reference: JsonObject): Similarity {
  const given = new Map(Object.entries(actual));
  const wanted = Object.entries(reference);
  const equal = jsonEqual(actual, reference);
  if (wanted.length === 0) return { equal, flexible: given.size === 0 ? 1 : 0.5 };
  const shared = wanted.filter(([key, value]) => value !== null && jsonEqual(given.get(key), value));
  return { equal, flexible: shared.length / wanted.length };
}

test('each pair of many calls is as alike as the definition says', () => {
  const lists = fc.tuple(fc.array(args, { maxLength: 6 }), fc.array(args, { minLength: 3, maxLength: 6 }));
  fc.assert(
    fc.property(lists, ([actual, expected]) => {
      const similarityOf = similarities(expected.map((one) => ({ arguments: one })));
      for (const one of actual) {
        const similarity = similarityOf(one);
        for (const [at, reference] of expected.entries()) assert.deepEqual(similarity(at), defined(one, reference));
      }
    }),
    { numRuns: runs(100) },
  );
});

test('equal values have equal hashes, whatever the order of their keys', () => {
  assert.equal(hashOf({ a: [1, { c: 'x' }], b: null }), hashOf({ b: null, a: [1, { c: 'x' }] }));
  assert.equal(hashOf([-0]), hashOf([0]));
});

test('values that differ anywhere have different hashes: in kind, in place, in key, in order', () => {
  const scalars: Json[] = [null, true, false, 0, 1, -1, 0.5, 1e300, '', '0', '1', 'a', 'b', 'ab', 'ba', 'a'.repeat(40)];
  const ofScalars = scalars.flatMap((one): Json[] => [
    one,
    [one],
    [one, one],
    [[one]],
    { a: one },
    { b: one },
    { a: { a: one } },
  ]);
  const others: Json[] = [
    [],
    {},
    [[]],
    [{}],
    [[], []],
    { a: [] },
    { a: {} },
    [1, 0],
    [0, 1],
    { a: 1, b: 0 },
    { a: 0, b: 1 },
    ['a', 'b'],
    ['b', 'a'],
  ];
  const all = [...ofScalars, ...others];
  assert.equal(new Set(all.map(hashOf)).size, all.length);
});

test('values are read once a call and not once a pair', () => {
  let reads = 0;
  const read = (value: number): JsonObject =>
    Object.defineProperty({}, 'x', { enumerable: true, get: () => value + 0 * reads++ }) as JsonObject;
  const similarityOf = similarities(Array.from({ length: 64 }, (_, i) => ({ arguments: read(i) })));
  for (let call = 0; call < 64; call++) {
    const similarity = similarityOf(read(call + 32));
    for (let at = 0; at < 64; at++) assert.equal(similarity(at).equal, at === call + 32);
  }
  assert.ok(reads < 4 * 64, `${reads} reads of 64 values on either side`);
});
