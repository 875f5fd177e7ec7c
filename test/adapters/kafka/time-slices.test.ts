import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTimeSlices } from '../../../src/adapters/kafka/time-slices.ts';

test('works that take their time are done in the order they came, each in a turn of its own', async () => {
  const slices = createTimeSlices(1);
  const done: string[] = [];
  const taken = ['a', 'b', 'c'].map((name) => slices.take(() => done.push(name) && lastMs(2)));
  assert.deepEqual(done, []);
  for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    await nextTurn();
    assert.deepEqual(done, expected);
  }
  await Promise.all(taken);
});

test('short works share a turn, and one knows when it should end', async () => {
  const slices = createTimeSlices(1_000);
  const seen: boolean[] = [];
  const taken = Array.from({ length: 100 }, () => slices.take(() => void seen.push(slices.isOver())));
  await nextTurn();
  assert.deepEqual(
    seen,
    Array.from({ length: 100 }, () => false),
  );
  await Promise.all(taken);
  const short = createTimeSlices(0);
  await short.take(() => assert.ok(short.isOver()));
});

test('one that throws is told so, and the others are done', async () => {
  const slices = createTimeSlices(5);
  const failing = slices.take(() => {
    throw new Error('no');
  });
  const [failed, done] = await Promise.allSettled([failing, slices.take(() => undefined)]);
  assert.equal(failed.status, 'rejected');
  assert.equal(done.status, 'fulfilled');
});

test('what is taken by a work waits for a later turn', async () => {
  const slices = createTimeSlices(0);
  const done: string[] = [];
  let inner: Promise<void> | undefined;
  await slices.take(() => {
    inner = slices.take(() => void done.push('inner'));
    done.push('outer');
  });
  await inner;
  assert.deepEqual(done, ['outer', 'inner']);
});

function lastMs(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
