import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slotsIn, timeIn } from '../../src/state/containers/id-segment.ts';
import {
  bucketMs,
  bucketOf,
  clearIdChanges,
  createIds,
  forgetBelow,
  type Ids,
  meet,
  takenSegments,
} from '../../src/state/containers/ids.ts';

test('memory stays where as many ids leave as come', () => {
  const ids = createIds();
  const words = new Uint32Array(4);
  const slots: number[] = [];
  for (let at = 0; at < 600_000; at++) {
    for (let i = 0; i < 4; i++) words[i] = Math.imul(at + 1, 0x9e3779b1 + 2 * i);
    const ts = at * 100;
    forgetBelow(ids, (bucketOf(ts) - 1_000) * bucketMs);
    meet(ids, words, 0, ts, ids.floor);
    if (at % 100_000 === 99_999) slots.push(takenSegments(ids).reduce((sum, each) => sum + slotsIn(each), 0));
  }
  assert.ok(ids.size > 49_950 && ids.size <= 50_050, `${ids.size} ids`);
  for (const count of slots) assert.ok(count < 2.2 * 50_000, `${count} slots for 50,000 ids`);
});

test('what was met since a checkpoint is a list in that order; of more than a million ids all is to be saved', () => {
  const ids = createIds();
  const words = new Uint32Array(5);
  const meetNumber = (number: number, ts: number): boolean => {
    for (let i = 0; i < 4; i++) words[1 + i] = Math.imul(number + 1, 0x9e3779b1 + 2 * i);
    return meet(ids, words, 1, ts, 0);
  };
  const listedIn = ({ changes }: Ids): string[] =>
    Array.from({ length: changes.used }, (_, at) => {
      return `${changes.words.subarray(6 * at, 6 * at + 4).join()} ${timeIn(changes, at)}`;
    });
  const met = [3, 1, 2].map((number) => {
    meetNumber(number, 10 * number);
    return `${words.subarray(1).join()} ${10 * number}`;
  });
  assert.equal(meetNumber(1, 50), true, 'a duplicate is no change');
  assert.deepEqual(listedIn(ids), met);
  const { changes } = ids;
  clearIdChanges(ids);
  assert.deepEqual(listedIn(ids), []);
  assert.equal(ids.changes, changes, 'as much is to be expected until the next');
  for (let number = 4; number < 100_004; number++) meetNumber(number, number);
  assert.equal(ids.changes.used, 100_000);
  clearIdChanges(ids);
  assert.ok(slotsIn(ids.changes) < 1_000, 'a long list is let go');
  for (let number = 200_000; number < 200_000 + 2 ** 20; number++) meetNumber(number, number);
  assert.deepEqual([ids.changes.used, ids.changedAll], [2 ** 20, false]);
  meetNumber(5_000_000, 1);
  meetNumber(5_000_001, 1);
  assert.deepEqual([ids.changes.used, ids.changedAll], [0, true]);
  assert.ok(slotsIn(ids.changes) < 1_000);
  clearIdChanges(ids);
  meetNumber(5_000_002, 1);
  assert.deepEqual([ids.changes.used, ids.changedAll], [1, false]);
});
