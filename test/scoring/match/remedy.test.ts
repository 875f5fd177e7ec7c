import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/scoring/json.ts';
import { match, type MatchOptions } from '../../../src/scoring/match/index.ts';
import { remedyFor } from '../../../src/scoring/match/remedy.ts';
import type { Verdict } from '../../../src/scoring/match/verdict.ts';
import type { Call } from '../../../src/scoring/prediction.ts';
import type { ExpectedCall, Truth } from '../../../src/scoring/truth.ts';
import { joined } from '../../support/joined.ts';
import { call, matchDefaults } from '../../support/match.ts';
import { runs } from '../../support/soak.ts';

function verdictOf(calls: readonly Call[], truth: Partial<Truth>, options: Partial<MatchOptions> = {}): Verdict {
  const family = match({ ...matchDefaults, ...options });
  const input = joined({ calls }, truth);
  return family.score(input, family.prepare(input.truth)!)!;
}

/** The truth with what a remedy says, as a person would put it in. */
function remedied(truth: Partial<Truth>, verdict: Verdict): Partial<Truth> | undefined {
  const remedy = remedyFor(verdict, truth.expected);
  if (remedy === undefined) return undefined;
  if ('alternatives' in remedy) {
    const more = remedy.alternatives as unknown as readonly ExpectedCall[];
    return { ...truth, alternatives: [...(truth.alternatives ?? []), more] };
  }
  const expected = truth.expected!.map((wanted, at) => {
    const found = remedy.accept.find(({ expected_call: place }) => place === at);
    return found === undefined ? wanted : { ...wanted, accept: found.rules };
  });
  return { ...truth, expected };
}

const value = fc.constantFrom<Json>(1, '1', 'a', 'A', null, [1, 2], [2, 1, 3], { k: 1 }, { k: { l: [1] } });
const args = fc.dictionary(fc.constantFrom('x', 'y', '__proto__', 'a b'), value, { maxKeys: 3, noNullPrototype: true });
const rule = fc.constantFrom<JsonObject>(
  { ignore_case: true },
  { any: ['a', 2] },
  { tolerance: 0 },
  { optional: true },
);
const accept = fc.option(fc.dictionary(fc.constantFrom('x', 'y', '*', 'x[0]', 'x.k'), rule, { maxKeys: 2 }), {
  nil: undefined,
});
const name = fc.constantFrom('f', 'g');
const expected = fc.array(
  fc.tuple(name, args, accept).map(([tool, given, rules]) => call(tool, given, rules)),
  { maxLength: 3 },
);
const calls = fc.array(
  fc.tuple(name, args).map(([tool, given]) => call(tool, given)),
  { maxLength: 3 },
);

test('law: what is said to admit an answer admits it, and what was right before still is', () => {
  const order = fc.constantFrom('any' as const, 'in_order' as const, 'exact' as const);
  const alternatives = fc.array(expected, { maxLength: 1 });
  fc.assert(
    fc.property(
      calls,
      fc.option(expected, { nil: undefined }),
      alternatives,
      order,
      (given, wanted, others, chosen) => {
        fc.pre(wanted !== undefined || others.length > 0);
        const truth = { expected: wanted, alternatives: others };
        const verdict = verdictOf(given, truth, { order: chosen });
        if (verdict.correct) return;
        const after = remedied(truth, verdict)!;
        assert.ok(verdictOf(given, after, { order: chosen }).correct, JSON.stringify(after));
        if (wanted !== undefined) assert.ok(verdictOf(wanted, after, { order: chosen }).correct);
      },
    ),
    { numRuns: runs(400) },
  );
});

test('the rules that a call has are kept beside the new one', () => {
  const truth = {
    expected: [call('book', { city: 'Oslo', day: 1 }, { city: { ignore_case: true, any: ['Bergen'] } })],
  };
  const verdict = verdictOf([call('book', { city: 'Oslo, Norway', day: 1 })], truth);
  assert.deepEqual(remedyFor(verdict, truth.expected), {
    accept: [{ expected_call: 0, rules: { city: { ignore_case: true, any: ['Bergen', 'Oslo, Norway'] } } }],
  });
});

/** What admits calls: rules by expected call, or that they are an alternative. */
function remedyOf(calls: readonly Call[], expected: readonly ExpectedCall[], options: Partial<MatchOptions> = {}) {
  const remedy = remedyFor(verdictOf(calls, { expected }, options), expected)!;
  if ('alternatives' in remedy) {
    assert.deepEqual(remedy.alternatives, calls);
    return 'alternative';
  }
  return Object.fromEntries(remedy.accept.map(({ expected_call, rules }) => [expected_call, rules]));
}

test('rules where arguments alone differ, but for the length of a list, and paths can name them', () => {
  const x = (value: Json) => [call('f', { x: value })];
  assert.deepEqual(remedyOf(x(2), x(1)), { 0: { x: { any: [2] } } });
  assert.deepEqual(remedyOf([call('f')], x(1)), { 0: { x: { optional: true } } });
  assert.deepEqual(remedyOf(x(1), [call('f')]), { 0: { x: { any: [1] } } });
  assert.deepEqual(remedyOf(x([1, 3]), x([1, 2])), { 0: { 'x[1]': { any: [3] } } });
  assert.deepEqual(remedyOf(x([{}]), x([{ id: 1 }])), { 0: { 'x[0].id': { optional: true } } });
  assert.equal(remedyOf(x([1]), x([1, 2])), 'alternative');
  assert.equal(remedyOf(x([1, 2]), x([1])), 'alternative');
  assert.equal(remedyOf([call('f', { 'x]': 2 })], [call('f', { 'x]': 1 })]), 'alternative');
  assert.equal(remedyOf([call('g')], [call('f')]), 'alternative');
});

test('rules where calls are in the order that is asked for', () => {
  const wanted = [call('f', { x: 1, y: 1 }), call('g', { x: 1 })];
  const [f, g] = [call('f', { x: 2, y: 2 }), call('g', { x: 2 })];
  const rules = { 0: { x: { any: [2] }, y: { any: [2] } }, 1: { x: { any: [2] } } };
  for (const order of ['any', 'in_order', 'exact'] as const)
    assert.deepEqual(remedyOf([f, g], wanted, { order }), rules);
  assert.deepEqual(remedyOf([g, f], wanted, { order: 'any' }), rules);
  for (const order of ['in_order', 'exact'] as const) assert.equal(remedyOf([g, f], wanted, { order }), 'alternative');
  const [first, extra] = [{ 0: rules[0] }, 'allowed' as const];
  assert.deepEqual(remedyOf([g, f], [wanted[0]!], { order: 'in_order', extraCalls: extra }), first);
  assert.equal(remedyOf([g, f], [wanted[0]!], { order: 'exact', extraCalls: extra }), 'alternative');
});

test('malformed and forbidden calls are not to be admitted', () => {
  const truth = { expected: [call('book', {})], forbidden: ['delete'] };
  for (const bad of [call('delete', {}), { name: 'book', arguments: undefined }])
    assert.equal(remedyFor(verdictOf([bad], truth), truth.expected), undefined);
});
