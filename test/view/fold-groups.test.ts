import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsOf } from '../../src/config/settings.ts';
import { compareValues } from '../../src/view/compare-values.ts';
import {
  foldedGroups,
  type GroupParts,
  groupKey,
  groupKeys,
  groupsOf,
  mostScored,
  presentGroups,
  rowOf,
} from '../../src/view/fold-groups.ts';
import type { SliceCells } from '../../src/view/merge-slices.ts';
import { madeUpLayout } from '../support/made-up-layout.ts';
import { viewConfig } from '../support/viewed-traffic.ts';

/** Scored predictions, and one count. */
const layout = madeUpLayout([['count'], []]);
const settings = { ...settingsOf(viewConfig(), undefined), layout, dimensions: ['model', 'agent'] };

/** A finest slice with rows of so many scored, `all` first; undefined: there is none. */
function slice(values: readonly [model: string, agent: string | null], ...scored: (number | undefined)[]): SliceCells {
  return {
    values,
    rows: scored.map((n) => (n === undefined ? undefined : Float64Array.of(n, 10 * n))),
    entries: new Map(),
    totals: new Float64Array(0),
  };
}

const slices = [
  slice(['b', 'x'], 4, 0),
  slice(['a', 'x'], 2, undefined),
  slice(['b', 'y'], 1, 1),
  slice(['c', null], 1),
  slice(['B', 'y'], 0),
];
const namesOf = (groups: readonly GroupParts[]) => groups.map(({ values }) => values.join());

test('the groups of a set of dimensions are its different values, by code unit; of none the total', () => {
  const of = (...set: string[]) => groupsOf(slices, settings, set);
  assert.deepEqual(namesOf(of('model')), ['B', 'a', 'b', 'c']);
  assert.deepEqual(of('model')[2]!.slices, [slices[0], slices[2]]);
  // Where the agent was not read, the slice is in no group by it.
  assert.deepEqual(namesOf(of('agent')), ['x', 'y']);
  assert.deepEqual(namesOf(of('agent', 'model')), ['x,a', 'x,b', 'y,B', 'y,b']);
  assert.deepEqual(of('tags.env'), [], 'a dimension that is not read');
  const total = { dimensions: [], values: [], key: '[[],[]]' };
  assert.deepEqual(of(), [{ ...total, slices }]);
  assert.deepEqual(groupsOf([], settings, []), [{ ...total, slices: [] }]);
});

test('a key tells a group from all others, also where it is made once for all that share their values', () => {
  const keyOf = groupKeys();
  const values = ['a'];
  const group = { dimensions: ['model'], values };
  assert.deepEqual([keyOf(group), keyOf(group)], [groupKey(group), groupKey(group)]);
  assert.equal(keyOf({ dimensions: [], values: [] }), groupKey({ dimensions: [], values: [] }));
  const all = [group, { dimensions: ['agent'], values: ['a'] }, { dimensions: ['model'], values: ['b'] }];
  assert.equal(new Set(all.map(groupKey)).size, 3);
  // It is not made again: nobody changes values.
  values[0] = 'z';
  assert.notEqual(keyOf(group), groupKey(group));
});

test('a window has the groups of which something is in it, and the total', () => {
  const present = (set: readonly string[], window: number) =>
    presentGroups(groupsOf(slices, settings, set), layout, window).map((group) => [
      namesOf([group])[0],
      group.scored,
      group.slices.length,
    ]);
  assert.deepEqual(present(['model'], 0), [
    ['a', 2, 1],
    ['b', 5, 2],
    ['c', 1, 1],
  ]);
  assert.deepEqual(present(['model'], 1), [['b', 1, 1]]);
  assert.deepEqual([present([], 0), present([], 1), present([], 2)], [[['', 8, 4]], [['', 1, 1]], [['', 0, 0]]]);
});

const byModel = presentGroups(groupsOf(slices, settings, ['model']), layout, 0);

test('the groups that are shown are those with the most scored, of equals the first', () => {
  const most = (number: number | undefined) => namesOf(mostScored(byModel, number));
  assert.deepEqual([most(1), most(2)], [['b'], ['b', 'a']]);
  const tied = presentGroups(groupsOf([...slices, slice(['0', 'x'], 2)], settings, ['model']), layout, 0);
  assert.deepEqual(namesOf(mostScored(tied.toReversed(), 2)), ['b', '0']);
  for (const number of [undefined, 3, 4]) assert.equal(mostScored(byModel, number), byModel);
});

test('what is not shown is summed as one more group', () => {
  assert.equal(foldedGroups(byModel, byModel), byModel);
  const shown = byModel.filter(({ values }) => values[0] === 'b');
  const folded = foldedGroups(byModel, shown);
  assert.deepEqual(namesOf(folded), ['__other__', 'b']);
  assert.deepEqual(folded[0]!.slices, [slices[1], slices[3]]);
  assert.equal(folded[0]!.key, groupKey({ dimensions: ['model'], values: ['__other__'] }));
  const byBoth = presentGroups(groupsOf(slices, settings, ['model', 'agent']), layout, 0);
  assert.deepEqual(namesOf(foldedGroups(byBoth, [])), ['__other__,__other__']);
  assert.deepEqual(foldedGroups([], []), []);
});

test('the row of a group is the sum of those of its slices in the window', () => {
  const newRow = () => new Float64Array(layout.width);
  const row = (window: number) =>
    rowOf(presentGroups(groupsOf(slices, settings, []), layout, window)[0]!, layout, newRow, window);
  assert.deepEqual([...row(0)], [8, 80]);
  assert.deepEqual([...row(1)], [1, 10]);
});

test('values are ordered one after the other, by code unit', () => {
  const sorted = [
    ['a', 'b'],
    ['B', 'z'],
    ['a', 'B'],
    ['a', 'a'],
  ].sort(compareValues);
  assert.deepEqual(sorted, [
    ['B', 'z'],
    ['a', 'B'],
    ['a', 'a'],
    ['a', 'b'],
  ]);
});
