import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoom } from '../../../src/adapters/checkpoint-store/room.ts';

test('what was taken is given again after all is let go, to files of about its length only', () => {
  const room = createRoom();
  const small = room.take(100);
  const large = room.take(10_000);
  assert.notEqual(room.take(10_000).buffer, large.buffer, 'it is held');
  room.empty();
  const [first, second, third] = [room.take(110), room.take(120), room.take(9_000)];
  assert.deepEqual([first.length, second.length, third.length], [110, 120, 9_000]);
  assert.equal(first.buffer, small.buffer);
  assert.notEqual(second.buffer, large.buffer, 'a short file leaves it to a long one');
  assert.equal(third.buffer, large.buffer);
  room.empty();
  room.empty();
  assert.notEqual(room.take(9_000).buffer, large.buffer, 'what a folder does not take is let go');
});
