import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns } from '../../../src/adapters/kafka/turns.ts';

test('works that take their time are done in the order they came, each in a turn of its own', async () => {
  const turns = createTurns(1);
  const done: string[] = [];
  const taken = ['a', 'b', 'c'].map((name) => turns.take(() => done.push(name) && lastMs(2)));
  assert.deepEqual(done, []);
  for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
    await nextTurn();
    assert.deepEqual(done, expected);
  }
  await Promise.all(taken);
});

test('short works share a turn, and one knows when it should end', async () => {
  const turns = createTurns(1_000);
  const seen: boolean[] = [];
  const taken = Array.from({ length: 100 }, () => turns.take(() => void seen.push(turns.isOver())));
  await nextTurn();
  assert.deepEqual(
    seen,
    Array.from({ length: 100 }, () => false),
  );
  await Promise.all(taken);
  const short = createTurns(0);
  await short.take(() => assert.ok(short.isOver()));
});

test('one that throws is told so, and the others are done', async () => {
  const turns = createTurns(5);
  const failing = turns.take(() => {
    throw new Error('no');
  });
  const [failed, done] = await Promise.allSettled([failing, turns.take(() => undefined)]);
  assert.equal(failed.status, 'rejected');
  assert.equal(done.status, 'fulfilled');
});

test('what is taken by a work waits for a later turn', async () => {
  const turns = createTurns(0);
  const done: string[] = [];
  let inner: Promise<void> | undefined;
  await turns.take(() => {
    inner = turns.take(() => void done.push('inner'));
    done.push('outer');
  });
  await inner;
  assert.deepEqual(done, ['outer', 'inner']);
});

function lastMs(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
