import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/scoring/json.ts';
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

test('few calls that differ at a glance are not hashed', () => {
  const numbered = (count: number) => Array.from({ length: count }, (_, x) => call('f', { x }));
  assert.deepEqual(
    [0, 1, 2, 16, 17].map((count) => hashesFor(numbered(count))),
    [0, 0, 0, 0, 17],
  );
  const differing: readonly (readonly [JsonObject, JsonObject])[] = [
    [{ x: 'ab' }, { x: 'ac' }],
    [{ x: 'a' }, { x: 'aa' }],
    [{ x: '' }, { x: 'a' }],
    [{ x: 1 }, { xx: 1 }],
    [
      { x: 1, yy: 2 },
      { x: 2, yy: 1 },
    ],
    [{ x: 1 }, { x: 1, y: 1 }],
    [{}, { x: 1 }],
  ];
  for (const [one, other] of differing)
    assert.equal(hashesFor([call('f', one), call('f', other)]), 0, JSON.stringify([one, other]));
  assert.equal(hashesFor([call('f', { x: 1 }), call('find', { x: 1 })]), 0);
});

test('calls that are alike at a glance are told apart by hash and comparison', () => {
  const alike: readonly (readonly [JsonObject, JsonObject])[] = [
    [{ x: [1] }, { x: [2] }],
    [{ x: 0.1 }, { x: 0.2 }],
    [{ x: 'ab' }, { x: 'bb' }],
  ];
  for (const [one, other] of alike)
    assert.equal(hashesFor([call('f', one), call('f', other)]), 2, JSON.stringify([one, other]));
  assert.equal(hashesFor([call('f'), call('g')]), 2);
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
