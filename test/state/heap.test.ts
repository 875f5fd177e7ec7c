import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createHeap, delayFirst, heapBytes, popItem, pushItem } from '../../src/state/containers/heap.ts';
import { runs } from '../support/soak.ts';

type Entry = readonly [time: number, item: number];

/** Few times, so that many are equal. */
const steps = fc.array(
  fc.oneof(
    { arbitrary: fc.record({ push: fc.nat(5) }), weight: 3 },
    { arbitrary: fc.constant('pop' as const), weight: 2 },
    { arbitrary: fc.record({ delay: fc.nat(3) }), weight: 1 },
  ),
  { maxLength: 200, size: 'max' },
);

test('a heap gives the least time first, of equal times the item that its order puts first', () => {
  fc.assert(
    fc.property(steps, fc.boolean(), (list, ascending) => {
      const isBefore = (item: number, other: number): boolean => (ascending ? item < other : item > other);
      const heap = createHeap(isBefore);
      const model: Entry[] = [];
      const sort = (): void => {
        model.sort(([time, item], [otherTime, other]) => time - otherTime || (isBefore(item, other) ? -1 : 1));
      };
      list.forEach((step, number) => {
        if (typeof step !== 'string' && 'push' in step) {
          // Items come in no order of their own.
          const item = (number * 7_919) % 1_009;
          pushItem(heap, step.push, item);
          model.push([step.push, item]);
        } else if (model.length > 0) {
          const [time, item] = model.shift()!;
          assert.deepEqual([heap.times[0], heap.items[0]], [time, item]);
          if (step === 'pop') popItem(heap);
          else {
            delayFirst(heap, time + step.delay);
            model.push([time + step.delay, item]);
          }
        }
        sort();
        assert.equal(heap.size, model.length);
      });
      for (const [time, item] of model) {
        assert.deepEqual([heap.times[0], heap.items[0]], [time, item]);
        popItem(heap);
      }
      assert.equal(heap.size, 0);
    }),
    { numRuns: runs(60) },
  );
});

test('the bytes of a heap are those that it takes', () => {
  for (const items of [1, 16, 17, 1_000]) {
    const heap = createHeap(() => false);
    for (let item = 0; item < items; item++) pushItem(heap, item, item);
    assert.equal(heapBytes(items), heap.times.byteLength + heap.items.byteLength, `${items} items`);
  }
});
