import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Judging, matchingOf, mostPairs, type Wanted } from '../../../src/scoring/match/matching.ts';
import { noRules } from '../../../src/scoring/match/rules.ts';
import { call, matchRow } from '../../support/match.ts';

const strict: Judging = { order: 'any', extraCalls: 'wrong', missingCalls: 'wrong' };

function wanted(name: string, more: Partial<Wanted> = {}): Wanted {
  return { name, arguments: {}, mode: 'exact', scope: noRules, defaults: {}, ...more };
}

test('no more pairs than calls of a name, by either name of a tool', () => {
  const counts: readonly (readonly [expected: readonly string[], predicted: readonly string[], pairs: number])[] = [
    [['a', 'a'], ['a'], 1],
    [['a'], ['a', 'a'], 1],
    [['a', 'a', 'b'], ['a', 'b', 'a'], 3],
    [['a'], ['b'], 0],
    [['m.f'], ['c'], 0],
    [['m.f'], ['m_f'], 1],
    [['m.f', 'm.f'], ['m_f', 'm.f'], 2],
    [['m.f', 'm.f'], ['m_f'], 1],
    [[], ['a'], 0],
  ];
  for (const [expected, predicted, pairs] of counts) {
    const tools = expected.map((name) => wanted(name, name.includes('.') ? { otherName: name.replace('.', '_') } : {}));
    const calls = predicted.map((name) => call(name));
    assert.equal(mostPairs(tools, calls), pairs, `${expected} ${predicted}`);
  }
  assert.equal(mostPairs([wanted('a')], [{ name: undefined, arguments: {} }]), 0);
});

test('without steps nothing fits, but where arguments are not looked at; nothing is paired', () => {
  const found = (left: number, mode: 'exact' | 'ignore') => {
    const matching = matchingOf(0, [wanted('a', { mode })], [call('a')], strict, { left, depth: 0 });
    return [matching.pairs.length, matching.fits(0, 0)];
  };
  assert.deepEqual(found(0, 'exact'), [1, true]);
  assert.deepEqual(found(0, 'ignore'), [1, true]);
  assert.deepEqual(found(-1, 'exact'), [0, false]);
  assert.deepEqual(found(-1, 'ignore'), [0, true]);
});

test('greedy both ways: where not all are paired, those found from the expected calls stay', () => {
  const f = call('f', { x: 1 });
  const more = call('f', { x: 1, y: 2 });
  const matched = (expected: readonly (typeof f)[], calls: readonly (typeof f)[]) =>
    matchRow(calls, { expected }, { greedy: 'both', arguments: 'superset', defaults: false }).matched;
  assert.equal(matched([f, call('g')], [more]), 1);
  assert.equal(matched([f], [more, call('g')]), 1);
  assert.equal(matched([f], [more]), 0);
  assert.equal(matched([f], [f]), 1);
});
