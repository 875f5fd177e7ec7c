import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contentOf, entryOf, sharedLength, type StepEntry, textOf } from '../../src/state/step-text.ts';

const id = fc.option(fc.string({ minLength: 1 }), { nil: undefined });
const ms = fc.integer({ min: 0, max: 4_102_444_800_000 });
const entries: fc.Arbitrary<StepEntry> = fc.record({
  ...{ offset: fc.nat(), element: fc.integer({ min: -1, max: 9 }), part: fc.constantFrom('model', 'tool', 'context') },
  ...{ id, parent: id, follows: id, ts: ms, start: ms, ends: fc.boolean() },
  ...{ lagMs: fc.nat(), tools: fc.integer({ min: -1, max: 99 }), shared: fc.nat(99) },
});

test('the text of a step gives its entry and its content again', () => {
  const property = fc.property(
    entries,
    fc.oneof(fc.nat(), fc.string({ unit: 'binary' })),
    fc.json(),
    (entry, run, given) => {
      const text = textOf(run, entry, given);
      assert.deepEqual(entryOf(text).entry, { ...entry });
      assert.equal(typeof run === 'string' ? entryOf(text).key : entryOf(text).first, run);
      assert.equal(contentOf(text), given);
    },
  );
  fc.assert(property);
});

test('texts share the characters that they begin with, and no half of one', () => {
  const cases = [
    ['', 'a', 0],
    ['ab', 'ac', 1],
    ['ab', 'abc', 2],
    ['a😀', 'a😁', 1],
    ['a😀b', 'a😀c', 3],
  ] as const;
  for (const [text, other, length] of cases) assert.equal(sharedLength(text, other), length, `${text} ${other}`);
});
