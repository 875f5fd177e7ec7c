import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isTaken, slotsIn } from '../../src/state/containers/id-segment.ts';
import {
  bucketMs,
  bucketOf,
  contentOf,
  createIds,
  enter,
  forgetBelow,
  type Ids,
  isKnown,
  meet,
  takenSegments,
} from '../../src/state/containers/ids.ts';
import { runs } from '../support/soak.ts';

/** Evenly spread; all of one home; few values, so that words are equal here and there. */
const anyId = fc.oneof(
  fc.tuple(fc.nat(2 ** 32 - 1), fc.constant(0), fc.nat(2)),
  fc.tuple(fc.constant(7), fc.nat(300), fc.constant(2 ** 32 - 1)),
  fc.tuple(fc.constantFrom(0xffffff, 2 ** 32 - 1), fc.nat(2), fc.nat(300)),
);
/** An id with the word of its content. */
const withContent = fc.tuple(anyId, fc.nat(2)).map(([id, content]) => [...id, content]);

test('ids are those of a map, whatever comes and leaves', () => {
  const step = fc.tuple(withContent, fc.nat(20), fc.nat(12));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 1_000, size: 'max' }), fc.nat(40), (steps, leaveEvery) => {
      const ids = createIds();
      const model = new Map<string, number>();
      const contents = new Map<string, number>();
      const words = new Uint32Array(6);
      const lowest = (): number => Math.max(ids.floor, 0);
      steps.forEach(([id, fifths, back], at) => {
        words.set(id, 1);
        const key = id.slice(0, 3).join();
        const known = remembered(ids, model, key);
        assert.equal(isKnown(ids, words, 1), known !== undefined);
        const ts = lowest() + (fifths * bucketMs) / 5;
        const horizon = Math.max(ids.floor, ts - (back * bucketMs) / 5);
        const met = known !== undefined && known >= horizon;
        assert.equal(meet(ids, words, 1, ts, horizon), met);
        if (!met) {
          model.set(key, ts);
          contents.set(key, id[3]!);
        }
        assert.equal(contentOf(ids, words, 1), contents.get(key), 'the content is that of the first');
        if (leaveEvery > 0 && at % leaveEvery === leaveEvery - 1)
          forgetBelow(ids, Math.floor(at / leaveEvery) * bucketMs);
      });
      for (const key of model.keys())
        assert.equal(
          isKnown(ids, Uint32Array.from(key.split(',').map(Number)), 0),
          remembered(ids, model, key) !== undefined,
        );
      const left = [...model].filter(([, known]) => known >= ids.floor);
      assert.deepEqual(idsIn(ids), left.map(([key]) => `${key},${contents.get(key)}`).sort(byWords));
      assert.equal(ids.size, left.length);
      const counts = new Map<number, number>();
      for (const [, known] of left) counts.set(bucketOf(known), (counts.get(bucketOf(known)) ?? 0) + 1);
      assert.deepEqual(ids.counts, counts);
    }),
    { numRuns: runs(10) },
  );
});

test('ids entered from rows lie where those lie that are met, in whatever order they come', () => {
  const entry = fc.tuple(withContent, fc.nat(9));
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 1_000, size: 'max' }), fc.boolean(), (entries, sorted) => {
      const [met, entered] = [createIds(), createIds()];
      const list = sorted ? entries.toSorted(([a], [b]) => byWords(a.join(), b.join())) : entries;
      for (const ids of [met, entered]) forgetBelow(ids, 2 * bucketMs);
      for (const [id, buckets] of list)
        meet(met, Uint32Array.from(id), 0, buckets * bucketMs, Number.POSITIVE_INFINITY);
      for (const [id, buckets] of list) enter(entered, Uint32Array.from(id), 0, buckets * bucketMs, list.length / 256);
      for (const ids of [met, entered]) forgetBelow(ids, 4 * bucketMs);
      assert.deepEqual(idsIn(entered), idsIn(met));
      assert.deepEqual(entered.counts, met.counts);
      assert.equal(entered.size, met.size);
      assert.equal(entered.changes.used, 0);
    }),
    { numRuns: runs(10) },
  );
});

test('ids of one home are remembered wherever it lies, as many as there are', () => {
  // The last home: what does not fit there lies in the slots behind it, and these are made more as often as need be.
  for (const home of [0, 0x800000, 0xffffff]) {
    const ids = createIds();
    const words = Uint32Array.of(home, 0, 0, 0);
    for (let number = 0; number < 600; number++) {
      words[1] = Math.imul(number, 0x9e3779b1);
      assert.equal(meet(ids, words, 0, 0, 0), false, `number ${number} of home ${home}`);
    }
    assert.equal(ids.size, 600);
    for (let number = 0; number < 600; number++) {
      words[1] = Math.imul(number, 0x9e3779b1);
      assert.ok(isKnown(ids, words, 0), `number ${number} of home ${home}`);
    }
  }
});

test('an id that is met or entered again counts at its new time alone', () => {
  const again = {
    meet: (ids: Ids) => meet(ids, words, 0, 7 * bucketMs, 6 * bucketMs),
    enter: (ids: Ids) => enter(ids, words, 0, 7 * bucketMs, 1),
  };
  const words = Uint32Array.of(1, 2, 3, 4);
  for (const [name, come] of Object.entries(again)) {
    const ids = createIds();
    meet(ids, words, 0, 3 * bucketMs, 0);
    come(ids);
    assert.deepEqual([ids.size, [...ids.counts]], [1, [[7, 1]]], name);
  }
});

test('what lies below the floor is not remembered', () => {
  const ids = createIds();
  const words = Uint32Array.of(1, 2, 3, 4);
  forgetBelow(ids, 2 * bucketMs);
  forgetBelow(ids, bucketMs);
  assert.equal(meet(ids, words, 0, 2 * bucketMs - 1, 2 * bucketMs), false);
  assert.equal(isKnown(ids, words, 0), false);
  assert.equal(meet(ids, words, 0, 2 * bucketMs, 2 * bucketMs), false);
  assert.equal(meet(ids, words, 0, 9 * bucketMs, 2 * bucketMs), true);
});

function remembered({ floor }: Ids, model: ReadonlyMap<string, number>, key: string): number | undefined {
  const ts = model.get(key);
  return ts !== undefined && ts >= floor ? ts : undefined;
}

/** Ids that are remembered, in the order in which they lie. */
function idsIn(ids: Ids): string[] {
  return takenSegments(ids).flatMap((slots) =>
    Array.from({ length: slotsIn(slots) }, (_, slot) => slot)
      .filter((slot) => isTaken(slots, slot, ids.floor))
      .map((slot) => slots.words.subarray(6 * slot, 6 * slot + 4).join()),
  );
}

function byWords(a: string, b: string): number {
  const [left, right] = [a.split(',').map(Number), b.split(',').map(Number)];
  const at = left.findIndex((word, index) => word !== right[index]);
  return at < 0 ? 0 : left[at]! - right[at]!;
}
