import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blameKinds } from '../../src/scoring/blame.ts';
import { addBlame, addBlamesTo, blamesNothing, namesIn, othersOf, textOf } from '../../src/state/blame-set.ts';

const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', '3 ', 'tool 1:1 1 a'));
const said = fc.record({ slot: fc.nat(4), kind: fc.constantFrom(...blameKinds), tool: name, argument: name });

function setOf(all: readonly { slot: number; kind: (typeof blameKinds)[number]; tool: string; argument: string }[]) {
  const set = blamesNothing();
  for (const { slot, kind, tool, argument } of all) addBlame(set, slot, kind, tool, argument);
  return set;
}

test('a text stands for a set, whatever the names hold; a set added to none is the same', () => {
  fc.assert(
    fc.property(fc.array(said, { minLength: 1, maxLength: 12 }), (all) => {
      const set = setOf(all);
      assert.deepEqual(namesIn(textOf(set.names)), set.names);
      const copy = blamesNothing();
      for (let times = 0; times < 2; times++) addBlamesTo(copy, set);
      assert.equal(textOf(copy.names), textOf(set.names));
    }),
  );
});

test('of names too many each kind has one, with the cells of all', () => {
  const names = [
    { slot: 1, kind: 'tool', tool: 'a', argument: '' },
    { slot: 2, kind: 'tool', tool: 'a', argument: '' },
    { slot: 3, kind: 'argument', tool: 'a', argument: 'x' },
    { slot: 2, kind: 'tool', tool: 'b', argument: '' },
    { slot: 4, kind: 'argument', tool: 'b', argument: 'y' },
  ] as const;
  assert.deepEqual(othersOf(setOf(names).names), [
    { kind: 'tool', tool: '__other__', argument: '', slots: [1, 2] },
    { kind: 'argument', tool: '__other__', argument: '', slots: [3, 4] },
  ]);
});
