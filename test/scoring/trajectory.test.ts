import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Joined, Mode } from '../../src/scoring/family.ts';
import type { JsonObject } from '../../src/scoring/json.ts';
import type { Call } from '../../src/scoring/prediction.ts';
import { rateWith, z95 } from '../../src/scoring/reading.ts';
import {
  strictSuccess,
  type TrajectoryOptions,
  trajectory,
  trajectoryProblem,
} from '../../src/scoring/trajectory/index.ts';
import { joined } from '../support/joined.ts';
import { near } from '../support/near.ts';
import { blockOf, isPerfect, rowOf, trajectoryDefaults, windowBlockOf } from '../support/scoring.ts';

const rate = rateWith(z95);
const call = (name: string, args: JsonObject = {}) => ({ name, arguments: args });
const event = (expected: readonly ReturnType<typeof call>[], calls?: readonly Call[]) =>
  joined(calls === undefined ? {} : { calls }, { expected });

interface Row {
  readonly strict: Record<string, unknown>;
  readonly flexible: Record<string, unknown>;
  readonly missing: string[];
  readonly extra: string[];
  readonly mismatches: unknown[];
}

const family = (options: Partial<TrajectoryOptions> = {}) => trajectory({ ...trajectoryDefaults, ...options });

function row(input: Joined, options: Partial<TrajectoryOptions> = {}): Row {
  return rowOf(family(options), input) as unknown as Row;
}

test('the worked example of the docstring', () => {
  const input = event(
    [call('find', { city: 'Rome', limit: 100 }), call('book', { id: 7 })],
    [call('find', { city: 'rome, italy', limit: 100 }), call('pay')],
  );
  const half = { success: false, name: 0.5, order: 0.5 };
  near(row(input), {
    strict: { ...half, param: 0.5, overall: 0.5 },
    flexible: { ...half, param: 1, overall: 0.7 },
    missing: ['book'],
    extra: ['pay'],
    mismatches: [{ tool: 'find', parameter: 'city', expected: 'Rome', actual: 'rome, italy' }],
  });
});

const perfect = { success: true, name: 1, param: 1, order: 1, overall: 1 };
const nothing = { success: false, name: 0, param: 0, order: 0, overall: 0 };

test('empty lists: both is a success at any threshold, one is none', () => {
  for (const mode of ['spec', 'upstream'] as const) {
    const options = { mode, paramThreshold: 2, orderThreshold: 2 };
    for (const calls of [undefined, []]) {
      assert.deepEqual(row(event([], calls), options).strict, perfect);
      assert.deepEqual(row(event([], calls), options).flexible, perfect);
    }
    assert.deepEqual(row(event([], [call('a')]), { mode }).strict, nothing);
    assert.deepEqual(row(event([], [call('a')]), { mode }).flexible, nothing);
    assert.equal(row(event([], [call('a')]), { mode, orderThreshold: 0 }).flexible['success'], true);
    assert.deepEqual(row(event([call('a')]), { mode, orderThreshold: -1 }).flexible, nothing);
  }
});

test('does not apply without expected calls, nor where calls were not recorded', () => {
  assert.equal(row(joined({ calls: [call('a')] }, {})), undefined);
  assert.equal(row(joined({ callsNotRecorded: true }, { expected: [call('a')] })), undefined);
  assert.equal(row(joined({ callsNotRecorded: true }, { expected: [] })), undefined);
  assert.equal(isPerfect(family(), joined({ calls: [call('a')] }, {})), undefined);
  assert.equal(strictSuccess(joined({ calls: [call('a')] }, {}), 'spec'), undefined);
  assert.equal(strictSuccess(joined({ callsNotRecorded: true }, { expected: [] }), 'spec'), undefined);
});

test('parameters: names as they are, absent ones without a mismatch, unimportant ones only in strict', () => {
  const names = row(event([call('f', { City: 'a' })], [call('f', { city: 'a' })]));
  assert.deepEqual([names.strict['param'], names.flexible['param'], names.mismatches], [0, 0, []]);
  const unimportant = { x: 1, n: null, e: '', l: [], d: {} };
  const scored = row(event([call('f', unimportant)], [call('f', { x: 1 })]));
  assert.deepEqual([scored.strict['param'], scored.flexible['param'], scored.mismatches], [0.2, 1, []]);
  const proto = JSON.parse('{"__proto__":"x","constructor":2}') as JsonObject;
  const hazards = row(event([call('f', proto)], [call('f')]));
  assert.deepEqual([hazards.strict['param'], hazards.flexible['param'], hazards.mismatches], [0, 0, []]);
  // What an object has from its prototype is no argument: it is empty too.
  const inherited = event([call('f', JSON.parse('{"__proto__":{}}') as JsonObject)], [call('f')]);
  assert.equal(strictSuccess(inherited, 'spec'), false);
});

test('malformed calls: the name counts, the parameters are 0 even where none are expected', () => {
  const text = row(event([call('a')], [{ name: 'a', arguments: undefined }]));
  near(text.strict, { success: false, name: 1, param: 0, order: 1, overall: 0.6 });
  near(text.flexible, { success: false, name: 1, param: 0, order: 1, overall: 0.6 });
  assert.deepEqual([text.missing, text.extra, text.mismatches], [[], [], []]);
  assert.equal(strictSuccess(event([call('a')], [{ name: 'a', arguments: undefined }]), 'spec'), false);
  const nameless = row(event([call('a')], [{ name: undefined, arguments: {} }]));
  assert.deepEqual([nameless.strict, nameless.missing, nameless.extra], [nothing, ['a'], []]);
  assert.equal(row(event([call('')], [call('')])).strict['success'], true);
});

test('strict success: what may follow the expected calls', () => {
  const again = event([call('a', { x: 1 })], [call('a', { x: 1 }), call('a', { x: 9 })]);
  const other = event([call('a', { x: 1 })], [call('a', { x: 1 }), call('b')]);
  const nameless = event([call('a', { x: 1 })], [call('a', { x: 1 }), { name: undefined, arguments: {} }]);
  const success = (mode: Mode) =>
    [again, other, nameless].map((input) => {
      const scored = row(input, { mode });
      assert.equal(strictSuccess(input, mode), scored.strict['success']);
      assert.equal(scored.flexible['success'], true);
      return scored.strict['success'];
    });
  assert.deepEqual(success('spec'), [false, false, false]);
  assert.deepEqual(success('upstream'), [true, false, false]);
});

test('flexible success: every call reaches the threshold, inclusive; a mean that does is not enough', () => {
  const one = [call('f', { x: 'foo', y: 'bar', z: 1, w: 2, v: 3 })];
  const three = event(one, [call('f', { x: 'no', y: 'no', z: 1, w: 2 })]);
  assert.equal(row(three).flexible['param'], 0.6);
  assert.equal(row(three).flexible['success'], true);
  const uneven = event([call('f'), call('f', { x: 'a' })], [call('f'), call('f', { x: 'b' })]);
  assert.equal(row(uneven).flexible['param'], 0.75);
  assert.equal(row(uneven).flexible['success'], false);
  assert.equal(row(event(one, one), { orderThreshold: 1.1 }).flexible['success'], false);
});

test('weights: divided by their sum beyond 0.001, a sum of 0 refused', () => {
  const input = event([call('a', { x: 'no' }), call('b')], [call('a', { x: 'yes' }), call('b')]);
  const overall = (name: number, params: number, order: number) =>
    row(input, { weights: { name, params, order } }).strict['overall'];
  near([overall(2, 1, 1), overall(0.5, 0.25, 0.25), overall(0.4, 0.4, 0.2009)], [0.875, 0.875, 0.8009]);
  near(overall(0.4, 0.4, 0.202), 0.802 / 1.002);
  const zero = { ...trajectoryDefaults, weights: { name: 1, params: 1, order: -2 } };
  assert.match(trajectoryProblem(zero)!, /name 1 \+ params 1 \+ order -2 is 0/);
  assert.throws(() => trajectory(zero), /give weights with a sum other than 0/);
  assert.ok(trajectoryProblem({ weights: { name: 1e308, params: 1e308, order: 0 } }));
  assert.equal(trajectoryProblem(trajectoryDefaults), undefined);
});

test('the block in the order of the contract; no breakdowns in windows; null over nothing', () => {
  const all = family({ minCombinationCount: 1 });
  assert.equal(blockOf(all, []), null);
  const input = event([call('b', { x: 1 }), call('a')], [call('b', { x: 2 }), call('c'), call('c')]);
  const block = blockOf(all, [input])!;
  const sums = ['tasks', 'tasks_with_matching_tools', 'strict', 'flexible'];
  const breakdowns = [
    'parameter_mismatches',
    'tools',
    'by_call_count',
    'by_combination',
    'missing_tools',
    'extra_tools',
  ];
  assert.deepEqual(Object.keys(block), [...sums, ...breakdowns]);
  assert.deepEqual(Object.keys(block['strict'] as object), ['success', 'name', 'param', 'order', 'overall']);
  assert.deepEqual(Object.keys(windowBlockOf(all, [input])!), sums);
  assert.deepEqual(block['parameter_mismatches'], { b: { x: 1 } });
  assert.deepEqual(block['tools'], { a: { success: rate(0, 1) }, b: { success: rate(0, 1) } });
  assert.deepEqual(block['by_call_count'], { 2: { strict: rate(0, 1), flexible: rate(0, 1) } });
  assert.deepEqual(block['by_combination'], { '1x a, 1x b': { strict: rate(0, 1), flexible: rate(0, 1) } });
  assert.deepEqual(block['missing_tools'], { a: { tasks: 1, occurrences: 1 } });
  assert.deepEqual(block['extra_tools'], { c: { tasks: 1, occurrences: 2 } });
});

test('combinations: from the minimum count on; the empty one has key ""; sorted by code unit or by appearance', () => {
  const one = event([call('b'), call('a'), call('b')], []);
  const empty = event([]);
  const keys = (options: Partial<TrajectoryOptions>) =>
    Object.keys(blockOf(family(options), [one, one, empty])!['by_combination'] as object);
  assert.deepEqual(keys({}), []);
  assert.deepEqual(keys({ minCombinationCount: 2 }), ['1x a, 2x b']);
  assert.deepEqual(keys({ minCombinationCount: 1 }), ['', '1x a, 2x b']);
  assert.deepEqual(keys({ minCombinationCount: 2, mode: 'upstream' }), ['2x b, 1x a']);
});

test('mismatches of a tool that gold repeats: one key, or one per position; rows name the tool', () => {
  const gold = [call('a', { x: 1 }), call('a', { x: 2 }), call('b', { y: 1 })];
  const input = event(gold, [call('a', { x: 9 }), call('a', { x: 9 }), call('b', { y: 9 })]);
  assert.deepEqual(blockOf(family(), [input])!['parameter_mismatches'], { a: { x: 2 }, b: { y: 1 } });
  const upstream = { a_0: { x: 1 }, a_1: { x: 1 }, b: { y: 1 } };
  assert.deepEqual(blockOf(family({ mode: 'upstream' }), [input])!['parameter_mismatches'], upstream);
  for (const mode of ['spec', 'upstream'] as const) {
    assert.deepEqual(row(input, { mode }).mismatches, [
      { tool: 'a', parameter: 'x', expected: 1, actual: 9 },
      { tool: 'a', parameter: 'x', expected: 2, actual: 9 },
      { tool: 'b', parameter: 'y', expected: 1, actual: 9 },
    ]);
  }
});
