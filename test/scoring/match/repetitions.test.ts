import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repetitionsOf } from '../../../src/scoring/match/repetitions.ts';
import type { Call } from '../../../src/scoring/prediction.ts';
import { call } from '../../support/match.ts';

const none = { repeated: 0, loop: false };

/** How many hashes it takes to tell that no call is repeated. */
function hashesFor(calls: readonly Call[]): number {
  const hashed = new Set<number>();
  const found = repetitionsOf(calls, (place) => {
    hashed.add(place);
    return 0;
  });
  assert.deepEqual(found, none);
  return hashed.size;
}

test('few calls are not hashed', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, x) => call('f', { x }));
  assert.deepEqual(
    [0, 1, 2, 4, 5].map((count) => hashesFor(numbered(count))),
    [0, 0, 0, 0, 5],
  );
});

test('calls are repeated whatever the order of their keys; malformed ones are not', () => {
  const calls = [call('f', { x: 1, y: 'a' }), call('f', { y: 'a', x: 1 })];
  assert.deepEqual(
    repetitionsOf(calls, () => 0),
    { repeated: 1, loop: false },
  );
  const malformed = [
    { name: undefined, arguments: {} },
    { name: 'f', arguments: undefined },
  ];
  assert.deepEqual(
    repetitionsOf([...malformed, ...malformed, ...malformed], () => 0),
    none,
  );
});
