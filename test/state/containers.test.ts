import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assert as assertHolds } from '../../src/state/containers/assert.ts';
import { codeOf, createDictionary } from '../../src/state/containers/dictionary.ts';
import { extended } from '../../src/state/containers/extended.ts';
import { getOrPut } from '../../src/state/containers/get-or-put.ts';
import { hexadecimal } from '../../src/state/containers/hexadecimal.ts';
import { keysBetween } from '../../src/state/containers/keys-between.ts';
import { appendText, createPendingLog, removeText } from '../../src/state/containers/pending-log.ts';
import { rowsOfZeros, sharedBytes, sharedDoubles, sharedIntegers } from '../../src/state/containers/shared-arrays.ts';

test('a dictionary gives a text the number of texts before its first', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('', 'a', 'b', '__proto__', 'c')), (texts) => {
      const dictionary = createDictionary();
      const distinct = [...new Set(texts)];
      for (const text of texts) assert.equal(codeOf(dictionary, text), distinct.indexOf(text));
      assert.deepEqual(dictionary.list, distinct);
      assert.equal(dictionary.saved, 0, 'none of them is in a checkpoint');
    }),
  );
});

test('a log holds what a list holds; what was added and removed since a checkpoint is the difference', () => {
  const steps = fc.array(fc.constantFrom('append', 'append', 'remove first', 'remove last', 'save'), {
    maxLength: 40,
    size: 'max',
  });
  fc.assert(
    fc.property(steps, (list) => {
      const log = createPendingLog();
      const model = new Map<number, string>();
      let saved = new Map<number, string>();
      list.forEach((step, number) => {
        if (step === 'append') model.set(appendText(log, `text ${number}`), `text ${number}`);
        else if (step === 'save') {
          log.added = new Set();
          log.removed = [];
          saved = new Map(model);
        } else if (model.size > 0) {
          const one = [...model.keys()].at(step === 'remove first' ? 0 : -1)!;
          removeText(log, one);
          model.delete(one);
        }
        assert.deepEqual([...log.texts], [...model]);
      });
      const delta = new Map(saved);
      for (const number of log.removed) assert.ok(delta.delete(number), 'what is removed was in the checkpoint');
      for (const number of log.added) delta.set(number, log.texts.get(number)!);
      assert.deepEqual([...delta], [...model]);
      assert.equal(log.next, list.filter((step) => step === 'append').length, 'numbers are not given again');
    }),
  );
});

test('a value is made once for its key', () => {
  const map = new Map([['a', 1]]);
  const made = (): number => getOrPut(map, 'b', () => 10 * map.size);
  assert.deepEqual([getOrPut(map, 'a', () => 5), made(), made()], [1, 10, 10]);
  assert.deepEqual(
    [...map],
    [
      ['a', 1],
      ['b', 10],
    ],
  );
});

test('rows of zeros do not overlap, and many share one buffer', () => {
  const next = rowsOfZeros(3);
  const rows = Array.from({ length: 200 }, () => next());
  rows.forEach((row, at) => {
    assert.deepEqual([...row], [0, 0, 0]);
    row.fill(at + 1);
  });
  assert.deepEqual(
    rows.map((row) => [...row]),
    rows.map((_, at) => [at + 1, at + 1, at + 1]),
  );
  assert.ok(new Set(rows.map(({ buffer }) => buffer)).size < 10);
});

test('the keys between two numbers are those of the map, whichever is shorter, and where an end is not finite', () => {
  const end = fc.oneof(
    fc.integer({ min: -5, max: 45 }),
    fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
  );
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(40)), end, end, (keys, first, last) => {
      const found = keysBetween(new Map(keys.map((key) => [key, ''])), first, last);
      assert.deepEqual(new Set(found), new Set(keys.filter((key) => key >= first && key <= last)));
      assert.equal(new Set(found).size, found.length);
    }),
  );
});

test('the ends are keys between themselves, in a map that is longer and in one that is shorter', () => {
  const [short, long] = [new Map([1, 9].map((key) => [key, ''])), new Map([1, 2, 3, 4, 5].map((key) => [key, '']))];
  assert.deepEqual([keysBetween(short, 1, 9), keysBetween(short, 2, 8), keysBetween(long, 2, 3)], [[1, 9], [], [2, 3]]);
  assert.deepEqual(keysBetween(long, Number.NEGATIVE_INFINITY, 2), [1, 2]);
});

test('what is shared is so many zeros; a longer array begins with the shorter one', () => {
  for (const make of [sharedDoubles, sharedIntegers, sharedBytes]) {
    const made = make(3);
    assert.deepEqual([...made], [0, 0, 0]);
    assert.ok(made.buffer instanceof SharedArrayBuffer);
  }
  assert.deepEqual([...extended(Int32Array.of(1, 2), sharedIntegers(3))], [1, 2, 0]);
});

test('words as text have eight digits each', () => {
  assert.equal(hexadecimal([]), '');
  assert.equal(hexadecimal([0, 0xdeadbeef, 255]), '00000000deadbeef000000ff');
  assert.equal(hexadecimal(Uint32Array.of(2 ** 31)), '80000000');
});

test('what contradicts itself is told as a bug', () => {
  assertHolds(true, 'never told');
  assert.throws(() => assertHolds(false, '1 is 2'), /^Error: assertion failed: 1 is 2$/);
});
