import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addSum, readSum, subtractSum, unitsOf, unitsPerOne } from '../../src/state/containers/exact-sum.ts';
import { runs } from '../support/soak.ts';

/** Fractions, whole numbers, and both; so small that they are less than a unit, and next to the whole numbers. */
const values = fc.oneof(
  fc.constantFrom(0, 1, 0.1, 0.9, 0.5, 1 / 3, 2 ** -53, 2 ** -54, 2 ** -60, 1 - 2 ** -53, 3.75, 1e6),
  fc.double({ min: 0, max: 4, noNaN: true }),
);

/** The value in units of 2^-53, rounded to the nearest: what the sum is exact in. */
function inUnits(value: number): bigint {
  const whole = Math.floor(value);
  return BigInt(whole) * BigInt(unitsPerOne) + BigInt(Math.round((value - whole) * unitsPerOne));
}

const held = (cells: Float64Array, at: number): bigint =>
  BigInt(cells[at]!) * BigInt(unitsPerOne) + BigInt(cells[at + 1]!);

test('a sum is that of integers, in any order; what is taken away leaves what was never there', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(values, fc.boolean()), { maxLength: 50, size: 'max' }), (list) => {
      const cells = new Float64Array(4).fill(7);
      cells.fill(0, 1, 3);
      let expected = 0n;
      const check = (): void => {
        assert.equal(held(cells, 1), expected);
        assert.ok(cells[2]! >= 0 && cells[2]! < unitsPerOne, 'the remainder is less than one');
        assert.deepEqual([cells[0], cells[3]], [7, 7], 'other cells stay');
        assert.equal(readSum(cells, 1), cells[1]! + Number(expected % BigInt(unitsPerOne)) / unitsPerOne);
      };
      for (const [value] of list) {
        addSum(cells, 1, Math.floor(value), unitsOf(value));
        expected += inUnits(value);
        check();
      }
      for (const [value, leaves] of list.toReversed()) {
        if (!leaves) continue;
        subtractSum(cells, 1, Math.floor(value), unitsOf(value));
        expected -= inUnits(value);
        check();
      }
    }),
    { numRuns: runs(60) },
  );
});

test('a single value reads back: as it was from 1/2 on, before that to the nearest unit of 2^-53', () => {
  const readBack = (value: number): number => {
    const cells = new Float64Array(2);
    addSum(cells, 0, Math.floor(value), unitsOf(value));
    return readSum(cells, 0);
  };
  for (const value of [0, 0.9, 0.5, 1, 2.5, 1 - 2 ** -53, 0.25]) assert.equal(readBack(value), value);
  for (const value of [0.1, 1 / 3, 2 ** -60]) assert.ok(Math.abs(readBack(value) - value) <= 2 ** -54);
});
