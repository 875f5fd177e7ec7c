import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editDistance, nearest, nearestOf } from '../../src/view/near.ts';

const names = ['brokers', 'client_id', 'group_id', 'topics', 'truth_topic'];

test('a typo finds the name that was meant', () => {
  assert.equal(nearest('broker', names), 'brokers');
  assert.equal(nearest('topcis', names), 'topics');
  assert.equal(nearest('groupid', names), 'group_id');
  assert.equal(nearest('Brokers', names), 'brokers');
});

test('what is near to nothing finds nothing', () => {
  assert.equal(nearest('password', names), undefined);
  assert.equal(nearest('', names), undefined);
  assert.equal(nearest('x', []), undefined);
});

test('edits are insertions, deletions, substitutions and swaps of neighbours', () => {
  const distances: readonly [string, string, number][] = [
    ['', '', 0],
    ['', 'abc', 3],
    ['ab', 'ba', 1],
    ['abc', 'acb', 1],
    ['abcd', 'badc', 2],
    ['abc', 'cba', 2],
    ['ab', 'cd', 2],
    ['abc', 'bcd', 2],
    ['aab', 'aba', 1],
    ['xaby', 'ybax', 3],
    ['kitten', 'sitting', 3],
    ['ca', 'abc', 3],
  ];
  for (const [a, b, distance] of distances) {
    assert.equal(editDistance(a, b), distance, `${a} ${b}`);
    assert.equal(editDistance(b, a), distance, `${b} ${a}`);
  }
});

test('of equally near names the first is meant; a third of a text may be wrong', () => {
  assert.equal(nearest('cat', ['bat', 'hat']), 'bat');
  assert.equal(nearest('truth_tpoci', names), 'truth_topic');
  assert.equal(nearest('abcdef', ['abcdxy']), 'abcdxy');
});

test('the nearest few come by their edits, equal ones by name', () => {
  const known = ['d', 'abcd', 'abx', 'abc', 'abb', 'ab'];
  assert.deepEqual(nearestOf('abc', known, 4), ['abc', 'ab', 'abb', 'abcd']);
  assert.deepEqual(nearestOf('abc', known, 10), ['abc', 'ab', 'abb', 'abcd', 'abx', 'd']);
  assert.deepEqual(known, ['d', 'abcd', 'abx', 'abc', 'abb', 'ab'], 'the list stays as it is');
});
