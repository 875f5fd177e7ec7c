import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { attributionKinds } from '../../src/scoring/attribution.ts';
import {
  addAttribution,
  type AttributedName,
  noAttributions,
  cutName,
  namesIn,
  othersOf,
  textOf,
} from '../../src/state/attribution-set.ts';

const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', '3 ', 'tool 1:1 1 a'));
const said = fc.record({ slot: fc.nat(4), kind: fc.constantFrom(...attributionKinds), tool: name, argument: name });

type Said = Omit<AttributedName, 'slots'> & { readonly slot: number };

function setOf(all: readonly Said[]) {
  const set = noAttributions();
  for (const { slot, kind, tool, argument } of all) addAttribution(set, slot, kind, tool, argument);
  return set;
}

test('a text stands for a set, whatever the names hold', () => {
  fc.assert(
    fc.property(fc.array(said, { minLength: 1, maxLength: 12 }), (all) => {
      const set = setOf(all);
      assert.deepEqual(namesIn(textOf(set.names)), set.names);
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

/** By definition: each name once, with the cells that had fewer than 16 names when it came. */
function expectedNames(all: readonly Said[]): AttributedName[] {
  const names: AttributedName[] = [];
  for (const { slot, ...name } of all) {
    const key = JSON.stringify(name);
    const of = (list: readonly AttributedName[]) =>
      list.find(({ slots: _, ...other }) => JSON.stringify(other) === key)?.slots;
    const ofCell = names.filter(({ slots }) => slots.includes(slot));
    if (of(ofCell) !== undefined || ofCell.length === 16) continue;
    const slots = of(names);
    if (slots === undefined) names.push({ ...name, slots: [slot] });
    else slots.push(slot);
  }
  return names;
}

test('a set holds each name once, and by each cell the first 16 that come', () => {
  const few = fc.constantFrom('', 'a', 'b');
  const one = fc.record({
    slot: fc.nat(1),
    kind: fc.constantFrom('tool', 'argument', 'wrong_type'),
    tool: few,
    argument: few,
  });
  let full = 0;
  fc.assert(
    fc.property(fc.array(one, { maxLength: 80, size: 'max' }), (all) => {
      const { names } = setOf(all);
      assert.deepEqual(names, expectedNames(all));
      if (names.filter(({ slots }) => slots.includes(0)).length === 16) full++;
    }),
  );
  assert.ok(full > 10, `${full} sets of a full cell`);
});

test('of a name the first 200 characters are kept', () => {
  for (const length of [0, 1, 199, 200, 201, 5_000])
    assert.equal(cutName('x'.repeat(length)), 'x'.repeat(Math.min(length, 200)));
  assert.equal(cutName(`a${'b'.repeat(199)}c`), `a${'b'.repeat(199)}`);
});
