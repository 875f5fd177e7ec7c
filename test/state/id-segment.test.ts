import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createSegment,
  find,
  type IdSegment,
  isAt,
  isTaken,
  listed,
  put,
  renewed,
  segmentBytes,
  setTime,
  slotsIn,
  timeIn,
} from '../../src/state/containers/id-segment.ts';

type Id = readonly [number, number, number, number];
type Held = readonly [slot: number, id: string, ts: number];

const free = Number.NEGATIVE_INFINITY;
const lastWord = 0xffffff;

/** What the slots hold. */
function heldIn(segment: IdSegment): Held[] {
  return Array.from({ length: slotsIn(segment) }, (_, slot) => slot)
    .filter((slot) => timeIn(segment, slot) !== free)
    .map((slot) => [slot, segment.words.slice(6 * slot, 6 * slot + 4).join(), timeIn(segment, slot)]);
}

/** By definition: in their order, each at its home or behind the one before it. */
function expectedIn(homes: number, ids: readonly (readonly [Id, number])[]): Held[] {
  let next = 0;
  const ascending = ids.toSorted(([a], [b]) => {
    const at = a.findIndex((word, index) => word !== b[index]);
    return a[at]! - b[at]!;
  });
  return ascending.map(([id, ts]) => {
    const slot = Math.max(next, Math.floor((id[0] * homes) / 2 ** 24));
    next = slot + 1;
    return [slot, id.join(), ts];
  });
}

/** Puts an id where `find` would have it. Behind it lies what is greater than any id and its time. */
function enter(segment: IdSegment, id: Id, ts: number): boolean {
  const words = Uint32Array.of(7, ...id, 2 ** 32 - 1, 2 ** 32 - 1);
  const slot = find(segment, words, 1);
  assert.equal(isAt(segment, slot, words, 1), false);
  const isIn = put(segment, slot, words, 1, ts);
  if (!isIn) return false;
  assert.equal(find(segment, words, 1), slot);
  assert.ok(isAt(segment, slot, words, 1));
  return true;
}

function segmentOf(homesFor: number, ids: readonly (readonly [Id, number])[]): IdSegment {
  const segment = createSegment(homesFor);
  for (const [id, ts] of ids) assert.ok(enter(segment, id, ts), id.join());
  return segment;
}

/** So many ids, evenly spread or all of the last home; their times are their numbers. */
const spread = (count: number): [Id, number][] =>
  Array.from({ length: count }, (_, at) => [[Math.floor((at * 2 ** 24) / count), 1, 2, 3], at]);
const crowded = (count: number): [Id, number][] => Array.from({ length: count }, (_, at) => [[lastWord, at, 2, 3], at]);

test('a segment has slots for so many ids, and some to spare', () => {
  for (const [count, homes, slots] of [
    [0, 128, 144],
    [51, 128, 144],
    [52, 130, 146],
    [127, 318, 345],
    [128, 214, 235],
    [6_000, 10_000, 10_633],
  ] as const) {
    const segment = createSegment(count);
    assert.deepEqual([segment.homes, slotsIn(segment), segment.used], [homes, slots, 0]);
    assert.deepEqual(heldIn(segment), []);
  }
  assert.deepEqual([0, 6, 6_000].map(segmentBytes), [0, 24 * 11, 24 * 10_625]);
});

test('a free slot holds no id, not even that of the words that lie in it', () => {
  const segment = createSegment(0);
  for (const words of [segment.words.slice(0, 4), new Uint32Array(4)]) assert.equal(isAt(segment, 0, words, 0), false);
  assert.equal(isTaken(segment, 0, free), false);
  put(segment, 0, new Uint32Array(4), 0, 5);
  assert.ok(isAt(segment, 0, new Uint32Array(4), 0));
  for (let word = 0; word < 4; word++) {
    const other = new Uint32Array(4);
    other[word] = 1;
    assert.equal(isAt(segment, 0, other, 0), false, `word ${word}`);
  }
  assert.deepEqual(
    [free, 4, 5, 6].map((floor) => isTaken(segment, 0, floor)),
    [true, true, true, false],
  );
  setTime(segment, 0, 6);
  assert.ok(isTaken(segment, 0, 6));
});

test('the home of an id is the place of its first word, of which the highest byte does not count', () => {
  const segment = createSegment(0);
  const words = [0, 2 ** 17 - 1, 2 ** 17, 0x800000, 0xff800000, lastWord, 2 ** 32 - 1];
  assert.deepEqual(
    words.map((word) => find(segment, Uint32Array.of(word, 0, 0, 0), 0)),
    [0, 0, 1, 64, 64, 127, 127],
  );
});

test('a segment is full at 85 % of its homes', () => {
  const segment = createSegment(56);
  assert.equal(segment.homes, 140);
  spread(130).forEach(([id, ts], at) => {
    assert.equal(enter(segment, id, ts), at < 119, `number ${at}`);
  });
  assert.equal(segment.used, 119);
});

test('the last slot stays free: what finds no other has no room', () => {
  const segment = createSegment(0);
  crowded(20).forEach(([id, ts], at) => {
    assert.equal(enter(segment, id, ts), at < 16, `number ${at}`);
  });
  assert.deepEqual(heldIn(segment), expectedIn(128, crowded(16)));
  assert.equal(slotsIn(segment), 144);
  const before = Uint32Array.of(lastWord, 0, 0, 0);
  assert.equal(put(segment, find(segment, before, 0), before, 0, 1), false, 'nor is room made before others');
  assert.deepEqual(heldIn(segment), expectedIn(128, crowded(16)));
});

test('a segment is renewed in its place if what is kept is of its size, else in one of the right size', () => {
  for (const [kept, homes, isSame] of [
    [63, 158, false],
    [64, 140, true],
    [90, 140, true],
    [91, 228, false],
    [40, 128, false],
    [0, 128, false],
  ] as const) {
    const all = spread(110);
    const old = segmentOf(56, all);
    const made = renewed(old, 110 - kept);
    assert.deepEqual([made.homes, made === old, made.used], [homes, isSame, kept], `${kept} kept`);
    assert.deepEqual(heldIn(made), expectedIn(homes, all.slice(110 - kept)));
  }
});

test('what lies too far behind the last home has a longer segment', () => {
  // In 144 slots, of which 8 behind the last id are free.
  for (const [before, behind, isSame] of [
    [60, 9, true],
    [59, 10, false],
    [50, 16, false],
  ] as const) {
    const all = [...spread(300).slice(0, before), ...crowded(behind)];
    const old = segmentOf(0, all);
    const made = renewed(old, 0);
    assert.equal(made === old, isSame, `${behind} behind`);
    assert.deepEqual(heldIn(made), expectedIn(128, all));
    assert.deepEqual([made.homes, slotsIn(made)], [128, isSame ? 144 : 127 + behind + 16]);
  }
});

test('a list holds what came, in that order, and has always room', () => {
  let list = createSegment(0);
  const sizes = new Set<number>();
  for (let at = 0; at < 700; at++) {
    list = listed(list, Uint32Array.of(7, at, 1, 2, 3), 1, at / 2);
    assert.equal(list.used, at + 1);
    assert.ok(list.used < slotsIn(list));
    sizes.add(slotsIn(list));
  }
  assert.deepEqual([...sizes], [144, 304, 624, 1_264]);
  for (let at = 0; at < 700; at++) {
    assert.deepEqual([...list.words.subarray(6 * at, 6 * at + 4)], [at, 1, 2, 3]);
    assert.equal(timeIn(list, at), at / 2);
  }
});

test('ids lie in their order, each at its home or behind the one before it; what is renewed too', () => {
  const word = fc.oneof(fc.integer({ min: 0, max: lastWord }), fc.constantFrom(0, 0x700000, 0x700001, lastWord));
  const id = fc.tuple(word, fc.nat(1), fc.nat(1), fc.constantFrom(0, 1, 2 ** 32 - 1));
  const entries = fc.uniqueArray(fc.tuple(id, fc.nat(9)), {
    maxLength: 120,
    size: 'max',
    selector: ([of]) => of.join(),
  });
  fc.assert(
    fc.property(entries, fc.constantFrom(0, 52, 100), fc.nat(10), (list, expected, floor) => {
      const segment = createSegment(expected);
      const { homes } = segment;
      const held: (readonly [Id, number])[] = [];
      for (const [of, ts] of list) if (enter(segment, of, ts)) held.push([of, ts]);
      assert.deepEqual(heldIn(segment), expectedIn(homes, held));
      assert.equal(segment.used, held.length);
      const kept = held.filter(([, ts]) => ts >= floor);
      const made = renewed(segment, floor);
      assert.deepEqual(heldIn(made), expectedIn(made.homes, kept));
      assert.equal(made.used, kept.length);
      for (const [of, ts] of kept) assert.equal(timeIn(made, find(made, Uint32Array.from(of), 0)), ts);
    }),
  );
});
