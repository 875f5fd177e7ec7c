import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { inputKinds, noInputCounts } from '../../src/state/input.ts';
import { limitNames, noLimitHits } from '../../src/state/limit-hits.ts';
import { rejectCodeOf, rejectCodes, rejectNumber } from '../../src/state/reject.ts';
import { createSlices, sliceCode, sliceValues } from '../../src/state/slices.ts';
import { finish, type Steps } from '../../src/state/steps.ts';
import { viewConfig } from '../support/viewed-traffic.ts';

test('the number of a reject code is not 0, which is "not refused", and leads back to it', () => {
  const numbers = rejectCodes.map(rejectNumber);
  assert.deepEqual(
    numbers,
    rejectCodes.map((_, at) => at + 1),
  );
  assert.deepEqual(numbers.map(rejectCodeOf), rejectCodes);
});

test('what is counted begins at 0, and nothing else is there', () => {
  assert.deepEqual(
    Object.entries(noLimitHits()),
    limitNames.map((name) => [name, 0]),
  );
  assert.deepEqual(
    Object.entries(noInputCounts()),
    inputKinds.map((kind) => [kind, 0]),
  );
});

test('slices have codes by their values; beyond the limit all are one slice, and that is counted', () => {
  const settings = settingsOf(viewConfig(), undefined);
  const limitHits = noLimitHits();
  const slices = createSlices({ ...settings, limits: { ...settings.limits, slices: 3 } }, limitHits);
  const tuples = [
    ['a', 'b'],
    ['b', 'a'],
    ['a,b', ''],
    ['a', 'b'],
    ['c', ''],
    ['d', 'e'],
    ['b', 'a'],
    ['c', ''],
  ];
  assert.deepEqual(
    tuples.map((values) => sliceCode(slices, values)),
    [0, 1, 2, 0, 3, 3, 1, 3],
  );
  assert.deepEqual(
    [0, 1, 2, 3].map((code) => sliceValues(slices, code)),
    [
      ['a', 'b'],
      ['b', 'a'],
      ['a,b', ''],
      ['__other__', '__other__'],
    ],
  );
  assert.deepEqual(limitHits, { ...noLimitHits(), slices: 3 });
});

test('work in steps that is done at once gives its result', () => {
  const done: number[] = [];
  function* counting(): Steps<string> {
    for (const step of [1, 2, 3]) {
      done.push(step);
      yield;
    }
    return 'result';
  }
  assert.equal(finish(counting()), 'result');
  assert.deepEqual(done, [1, 2, 3]);
});
