import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Json, jsonEqual } from '../../../src/scoring/json.ts';
import { match, type MatchOptions } from '../../../src/scoring/match/index.ts';
import { hashOf } from '../../../src/scoring/similarity.ts';
import type { ExpectedCall, Truth } from '../../../src/scoring/truth.ts';
import type { Call } from '../../../src/scoring/prediction.ts';
import { joined } from '../../support/joined.ts';
import { call, matchDefaults, matchRow } from '../../support/match.ts';
import { mergeTallies, tallyEvents } from '../../support/tally.ts';
import { runs } from '../../support/soak.ts';

const value: fc.Arbitrary<Json> = fc.constantFrom<Json>(1, 2, '1', 'a', 'A', null, [1, 2], [2, 1], { k: 1 });
const args = fc.dictionary(fc.constantFrom('x', 'y', '__proto__'), value, { maxKeys: 2, noNullPrototype: true });
const name = fc.constantFrom('f', 'g');
const predicted: fc.Arbitrary<Call> = fc.record({
  name: fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: fc.constant(undefined) }),
  arguments: fc.oneof({ weight: 9, arbitrary: args }, { weight: 1, arbitrary: fc.constant(undefined) }),
});
const rule = fc.constantFrom(
  { ignore_case: true },
  { any: ['a', 2] },
  { coerce: true },
  { unordered: true },
  { optional: true },
);
const accept = fc.option(fc.dictionary(fc.constantFrom('x', 'y', '*', 'x[0]'), rule, { maxKeys: 2 }), {
  nil: undefined,
});
const expected: fc.Arbitrary<ExpectedCall> = fc
  .tuple(name, args, accept)
  .map(([tool, given, rules]) => call(tool, given, rules));
const calls = fc.array(predicted, { maxLength: 6 });
const expectedCalls = fc.array(expected, { maxLength: 6 });
const truth: fc.Arbitrary<Partial<Truth>> = fc.record({
  expected: expectedCalls,
  alternatives: fc.array(expectedCalls, { maxLength: 2 }),
  forbidden: fc.constantFrom<readonly string[]>([], [], ['g*']),
});
const options: fc.Arbitrary<MatchOptions> = fc.record({
  order: fc.constantFrom('any', 'in_order', 'exact'),
  extraCalls: fc.constantFrom('wrong', 'allowed'),
  missingCalls: fc.constantFrom('wrong', 'allowed'),
  arguments: fc.constantFrom('exact', 'superset', 'subset', 'ignore'),
  defaults: fc.boolean(),
  rules: fc.constantFrom({}, { '*': { '*': { ignore_case: true } } }),
  forbidden: fc.constant([]),
});

const holds = (property: fc.IProperty<never>): void =>
  fc.assert(property as fc.IProperty<unknown>, { numRuns: runs(60) });

test('law: without rules calls are right exactly if both sides hold the same calls, as often', () => {
  const same = (given: readonly Call[], wanted: readonly ExpectedCall[]): boolean => {
    const left = [...wanted];
    for (const one of given) {
      const at = left.findIndex((other) => other.name === one.name && jsonEqual(other.arguments, one.arguments));
      if (at < 0) return false;
      left.splice(at, 1);
    }
    return left.length === 0;
  };
  const plain = fc.array(expected, { maxLength: 4 }).map((list) => list.map((one) => call(one.name, one.arguments)));
  const shuffled = plain.chain((wanted) =>
    fc.oneof(fc.shuffledSubarray(wanted, { minLength: wanted.length }), calls).map((given) => ({ wanted, given })),
  );
  holds(
    fc.property(shuffled, ({ wanted, given }) => {
      assert.equal(matchRow(given, { expected: wanted }).correct, same(given, wanted));
    }) as never,
  );
});

test('law: in any order the order of the predicted calls changes neither verdict nor counts', () => {
  const numbers = ({ correct, list, matched, errors }: ReturnType<typeof matchRow>) => [
    correct,
    list,
    matched,
    errors.length,
  ];
  holds(
    fc.property(calls, truth, options, fc.nat(), (given, wanted, chosen, seed) => {
      const turned = given.map((_, i) => given[(i + seed) % given.length]!).reverse();
      const any = { ...chosen, order: 'any' as const };
      assert.deepEqual(numbers(matchRow(turned, wanted, any)), numbers(matchRow(given, wanted, any)));
    }) as never,
  );
});

test('law: to accept more, to add an alternative or to allow more never makes right calls wrong', () => {
  holds(
    fc.property(calls, truth, options, expectedCalls, (given, wanted, chosen, another) => {
      if (!matchRow(given, wanted, chosen).correct) return;
      const stays = (more: Partial<Truth>, other: Partial<MatchOptions> = {}): void =>
        assert.ok(
          matchRow(given, { ...wanted, ...more }, { ...chosen, ...other }).correct,
          JSON.stringify([more, other]),
        );
      stays({ alternatives: [...(wanted.alternatives ?? []), another] });
      stays({}, { extraCalls: 'allowed' });
      stays({}, { missingCalls: 'allowed' });
      stays({}, { arguments: 'ignore' });
      const widened = wanted.expected!.map((one): ExpectedCall => {
        const [x, all] = [one.accept?.['x'], one.accept?.['*']] as ({ readonly any?: readonly Json[] } | undefined)[];
        // A nearer rule takes the place of a farther one, key by key.
        return { ...one, accept: { ...one.accept, x: { ...x, any: [...(x?.any ?? all?.any ?? []), 'more'] } } };
      });
      stays({ expected: widened });
    }) as never,
  );
});

test('law: right at their places is right in order, and that is right in any order', () => {
  holds(
    fc.property(calls, truth, options, (given, wanted, chosen) => {
      const correct = (order: MatchOptions['order']) => matchRow(given, wanted, { ...chosen, order }).correct;
      assert.ok(!correct('exact') || correct('in_order'));
      assert.ok(!correct('in_order') || correct('any'));
    }) as never,
  );
});

test('law: there are errors where calls are wrong, and none where they are right', () => {
  holds(
    fc.property(calls, truth, options, (given, wanted, chosen) => {
      const row = matchRow(given, wanted, chosen);
      assert.equal(row.errors.length === 0, row.correct, JSON.stringify(row));
      assert.ok(row.matched <= Math.min(row.expected, row.predicted));
    }) as never,
  );
});

test('law: any parts of the events give the same sums', () => {
  const event = fc.tuple(calls, truth).map(([given, wanted]) => joined({ calls: given }, wanted));
  holds(
    fc.property(fc.array(event, { maxLength: 8 }), options, fc.nat(8), (all, chosen, cut) => {
      const family = match({ ...matchDefaults, ...chosen });
      const parts = [all.slice(cut), all.slice(0, cut)].map((part) => tallyEvents(family, part));
      assert.deepEqual(mergeTallies(family, parts).contents(), tallyEvents(family, all).contents());
    }) as never,
  );
});

/** Calls of tools that nobody expects, malformed ones among them. */
const strange = fc.array(
  fc.record({
    name: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom('h', 'i', 'go') },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    arguments: fc.oneof({ weight: 9, arbitrary: args }, { weight: 1, arbitrary: fc.constant(undefined) }),
  }),
  { maxLength: 8 },
);

test('law: calls of which none is of an expected tool stand for the expected ones in an order of their own', () => {
  holds(
    fc.property(strange, expectedCalls, options, (given, wanted, chosen) => {
      const row = matchRow(given, { expected: wanted }, chosen);
      const { order = 'any', missingCalls, extraCalls } = chosen;
      const places = [...given.keys()];
      const nameAt = (place: number) => given[place]!.name ?? '';
      const hashAt = (place: number) => hashOf(given[place]!.arguments ?? null);
      if (order === 'any')
        places.sort((a, b) =>
          nameAt(a) < nameAt(b) ? -1 : nameAt(a) > nameAt(b) ? 1 : hashAt(a) - hashAt(b) || a - b,
        );
      const isRight =
        (wanted.length === 0 || missingCalls === 'allowed') && (given.length === 0 || extraCalls === 'allowed');
      const isMalformed = (place: number) => given[place]!.name === undefined || given[place]!.arguments === undefined;
      const named = places.filter((place) => !isMalformed(place));
      const told = Array.from({ length: Math.max(wanted.length, named.length) }, (_, at) => {
        const [i, j] = [wanted[at], named[at]];
        if (i !== undefined && j !== undefined) return ['wrong_tool', i.name, at, j];
        if (i !== undefined) return missingCalls === 'wrong' ? ['missing_call', i.name, at, null] : undefined;
        return extraCalls === 'wrong' ? ['extra_call', given[j!]!.name, null, j] : undefined;
      });
      const malformed = places
        .filter(isMalformed)
        .map((place) => ['malformed_call', given[place]!.name ?? null, null, place]);
      assert.equal(row.matched, 0);
      assert.equal(row.correct, isRight);
      assert.deepEqual(
        row.errors.map(({ error, tool, expected_call, predicted_call }) => [
          error,
          tool,
          expected_call,
          predicted_call,
        ]),
        isRight ? [] : [...malformed, ...told.filter((one) => one !== undefined)],
      );
    }) as never,
  );
});

test('law: calls are repeated that are equal to an earlier one, however few differ', () => {
  const alike = fc.array(
    fc.record({
      name: fc.constantFrom('f', 'h'),
      arguments: fc.dictionary(
        fc.constantFrom('x', 'y', ''),
        fc.constantFrom<Json>(0, -0, 0.1, 0.2, 1e308 * 10, '', 'ab', 'cb', [1], [2]),
        {
          noNullPrototype: true,
        },
      ),
    }),
    { maxLength: 20 },
  );
  holds(
    fc.property(alike, (given) => {
      const times = given.map(
        (one, at) =>
          given.slice(0, at + 1).filter((other) => other.name === one.name && jsonEqual(other.arguments, one.arguments))
            .length,
      );
      const row = matchRow(given, { expected: [call('none')] });
      assert.equal(row.repeated_calls, times.filter((count) => count > 1).length);
      assert.equal(
        row.loop,
        times.some((count) => count > 2),
      );
    }) as never,
  );
});
