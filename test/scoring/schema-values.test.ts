import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../src/scoring/json.ts';
import { sameValues } from '../../src/scoring/schema/same-values.ts';

test('values in place of schemas', () => {
  const same: readonly [Json, Json][] = [
    [' Rome', 'ROME\n'],
    [true, 1],
    [true, 1.000001],
    [0, 0.000001],
    [1 / 0, 1 / 0],
    [{ a: [1] }, { a: [1] }],
    [null, null],
  ];
  const different: readonly [Json, Json][] = [
    ['1', 1],
    ['ß', 'ss'],
    [true, 1.0000011],
    [1 / 0, -1 / 0],
    [{ a: 'x' }, { a: 'X' }],
    [[1], [1.0000001]],
    [null, 0],
    [null, ''],
  ];
  for (const [a, b] of same) assert.ok(sameValues({ x: a }, { x: b }) && sameValues({ x: b }, { x: a }), `${a} ${b}`);
  for (const [a, b] of different) assert.ok(!sameValues({ x: a }, { x: b }), `${a} ${b}`);
  assert.ok(!sameValues({ x: 1 }, { y: 1 }));
  assert.ok(!sameValues({ x: 1 }, { x: 1, toString: 1 }));
  assert.ok(!sameValues({ toString: 1 }, { x: 1 }));
  assert.ok(sameValues({ city: 'Oslo', on: true }, { city: ' OSLO', on: 1.0000001 }));
});
