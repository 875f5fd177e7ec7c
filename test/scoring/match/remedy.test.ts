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
    { numRuns: 2_000 },
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

test('malformed and forbidden calls are not to be admitted', () => {
  const truth = { expected: [call('book', {})], forbidden: ['delete'] };
  for (const bad of [call('delete', {}), { name: 'book', arguments: undefined }])
    assert.equal(remedyFor(verdictOf([bad], truth), truth.expected), undefined);
});
