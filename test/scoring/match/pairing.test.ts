import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Fits,
  greedyFromLeft,
  greedyFromRight,
  leastCost,
  maximumMatching,
} from '../../../src/scoring/match/pairing.ts';

const table = (cell: fc.Arbitrary<number>) =>
  fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
    .chain(([left, right]) =>
      fc.array(fc.array(cell, { minLength: right, maxLength: right }), { minLength: left, maxLength: left }),
    );
const fitTable = table(fc.constantFrom(0, 1));
const fitsOf =
  (cells: readonly (readonly number[])[]): Fits =>
  (i, j) =>
    cells[i]![j] === 1;

test('law: pairs come by their left position', () => {
  fc.assert(
    fc.property(fitTable, (cells) => {
      const [left, right, fits] = [cells.length, cells[0]!.length, fitsOf(cells)];
      for (const pairs of [
        maximumMatching(left, right, fits),
        greedyFromLeft(left, right, fits),
        greedyFromRight(left, right, fits),
        leastCost(left, right, Int32Array.from(cells.flat())),
      ])
        for (const [at, [i]] of pairs.entries()) assert.ok(at === 0 || pairs[at - 1]![0] < i);
    }),
  );
});

test('law: left ones are taken in their order, and one that is paired stays so', () => {
  fc.assert(
    fc.property(fitTable, (cells) => {
      const [right, fits] = [cells[0]!.length, fitsOf(cells)];
      const sizes = [0, ...cells.map((_, i) => maximumMatching(i + 1, right, fits).length)];
      const taken = [...cells.keys()].filter((i) => sizes[i + 1]! > sizes[i]!);
      assert.deepEqual(
        maximumMatching(cells.length, right, fits).map(([i]) => i),
        taken,
      );
    }),
  );
});

test('greedy pairs are taken in turn, from the left or from the right', () => {
  const fits = fitsOf([
    [1, 1, 0],
    [1, 0, 0],
    [0, 1, 1],
  ]);
  assert.deepEqual(greedyFromLeft(3, 3, fits), [
    [0, 0],
    [2, 1],
  ]);
  assert.deepEqual(greedyFromRight(3, 3, fits), [
    [0, 0],
    [2, 1],
  ]);
  const turned = fitsOf([
    [1, 0],
    [1, 1],
  ]);
  assert.deepEqual(greedyFromRight(2, 2, turned), [
    [0, 0],
    [1, 1],
  ]);
});
