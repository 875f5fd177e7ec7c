import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AvailableSince, availableSinceOf, unreadAt } from '../../src/state/available-since.ts';

const begun: readonly AvailableSince[] = [
  { kind: 'family', name: 'agent', sinceMs: 1_000, offset: 10 },
  { kind: 'dimension', name: 'agent', sinceMs: 2_000, offset: 20 },
  { kind: 'dimension', name: 'tags.env', sinceMs: 3_000, offset: 30 },
];

test('a part has begun when that of its kind and name has; one that is not told of holds all', () => {
  assert.deepEqual(
    [
      availableSinceOf(begun, 'family', 'agent'),
      availableSinceOf(begun, 'dimension', 'agent'),
      availableSinceOf(begun, 'dimension', 'tags.env'),
    ],
    [1_000, 2_000, 3_000],
  );
  assert.deepEqual(
    [
      availableSinceOf(begun, 'window', 'agent'),
      availableSinceOf(begun, 'family', 'tags.env'),
      availableSinceOf([], 'family', 'agent'),
    ],
    [undefined, undefined, undefined],
  );
});

test('dimensions are unread before the offset at which they began; families are no dimensions', () => {
  const unread = [5, 19, 20, 29, 30].map((offset) => unreadAt(begun, offset));
  assert.deepEqual(unread, [['agent', 'tags.env'], ['agent', 'tags.env'], ['tags.env'], ['tags.env'], []]);
});
