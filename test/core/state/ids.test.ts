import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createIds, type Ids, isRemembered, meet, metAt, slotsIn, takenSegments } from '../../../src/core/state/ids.ts';

/** Evenly spread; all of one home; few values, so that words are equal here and there. */
const anyId = fc.oneof(
  fc.tuple(fc.nat(2 ** 32 - 1), fc.constant(0), fc.constant(0), fc.nat(2)),
  fc.tuple(fc.constant(7), fc.nat(1), fc.nat(300), fc.constant(2 ** 32 - 1)),
  fc.tuple(fc.constantFrom(0xffffff, 2 ** 32 - 1), fc.nat(2), fc.nat(2), fc.nat(300)),
);

test('ids are those of a map, whatever comes and leaves', () => {
  const step = fc.tuple(anyId, fc.nat(20));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2_000 }), fc.nat(40), (steps, leaveEvery) => {
      const ids = createIds();
      const model = new Map<string, number>();
      const words = new Uint32Array(6);
      steps.forEach(([id, ts], at) => {
        words.set(id, 1);
        assert.equal(metAt(ids, words, 1), fromFloor(ids, model.get(id.join())));
        meet(ids, words, 1, ids.floor > ts ? ids.floor + ts : ts);
        model.set(id.join(), ids.floor > ts ? ids.floor + ts : ts);
        if (leaveEvery > 0 && at % leaveEvery === leaveEvery - 1) ids.floor = at / leaveEvery;
      });
      for (const [key, known] of model)
        assert.equal(metAt(ids, Uint32Array.from(key.split(',').map(Number)), 0), fromFloor(ids, known));
      const remembered = [...model].filter(([, known]) => known >= ids.floor).map(([key]) => key);
      assert.deepEqual(idsIn(ids), remembered.sort(byWords));
    }),
    { numRuns: 100 },
  );
});

test('memory stays where as many ids leave as come', () => {
  const ids = createIds();
  const words = new Uint32Array(4);
  const slots: number[] = [];
  for (let at = 0; at < 600_000; at++) {
    for (let i = 0; i < 4; i++) words[i] = Math.imul(at + 1, 0x9e3779b1 + 2 * i);
    ids.floor = at - 50_000;
    meet(ids, words, 0, at);
    if (at % 100_000 === 99_999) slots.push(takenSegments(ids).reduce((sum, each) => sum + slotsIn(each), 0));
  }
  for (const count of slots) assert.ok(count < 2.2 * 50_000, `${count} slots for 50,000 ids`);
});

function fromFloor({ floor }: Ids, ts: number | undefined): number | undefined {
  return ts !== undefined && ts >= floor ? ts : undefined;
}

/** Ids that are remembered, in the order in which they lie. */
function idsIn(ids: Ids): string[] {
  return takenSegments(ids).flatMap((slots) =>
    Array.from({ length: slotsIn(slots) }, (_, slot) => slot)
      .filter((slot) => isRemembered(ids, slots, slot))
      .map((slot) => slots.words.subarray(6 * slot, 6 * slot + 4).join()),
  );
}

function byWords(a: string, b: string): number {
  const [left, right] = [a.split(',').map(Number), b.split(',').map(Number)];
  const at = left.findIndex((word, index) => word !== right[index]);
  return at < 0 ? 0 : left[at]! - right[at]!;
}
