import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareSides, rowReaders, type Side } from '../../src/view/compare.ts';
import { type Examples, exampleReader, matchExamples } from '../../src/view/examples.ts';
import { flipsOf } from '../../src/view/flips.ts';
import { isProblem, type Slice } from '../../src/view/summary-lookup.ts';

const accuracy = 'decision.accuracy';
const f1 = 'tool_calls.strict.f1';
const paths = [accuracy, f1];

function row(id: string, correct: boolean, callF1?: number, rest: object = {}) {
  const label = correct ? 'direct' : 'tool_call';
  const strict = callF1 === undefined ? null : { f1: callF1 };
  const decision = { gold: 'direct', predicted: label, correct };
  return { example_id: id, run: null, model: 'm', agent: '', decision, tool_calls: strict && { strict }, ...rest };
}

function sideOf(rows: readonly object[], slice: Slice = new Map()): Side {
  const reader = exampleReader(slice, rowReaders(paths));
  for (const one of rows) assert.ok(reader.add({ ...one }));
  return { name: 'x', kind: 'scores', examples: reader.examples };
}

function compared(a: Side, b: Side) {
  const result = compareSides(a, b, paths, new Set());
  assert.ok(!isProblem(result), JSON.stringify(result));
  return result;
}

test('what is no score row is refused; a slice picks its rows', () => {
  const reader = exampleReader(new Map(), rowReaders(paths));
  assert.equal(reader.add({ id: 'a' }), false);
  const side = sideOf([row('a', true), row('a', false, 1, { model: 'other' })], new Map([['model', 'other']]));
  assert.ok(side.kind === 'scores');
  assert.deepEqual([side.examples.keys.length, side.examples.columns.get(accuracy)], [1, [0]]);
});

test('the same examples are compared in pairs, whatever their order; the worst changes come first', () => {
  const a = sideOf([
    row('gone', true),
    row('same', true, 1),
    row('lost', true, 1),
    row('half', true, 1),
    row('won', false, 0),
  ]);
  const b = sideOf([
    row('won', true, 1),
    row('half', true, 0.5),
    row('lost', false, 0),
    row('same', true, 1),
    row('new', true),
  ]);
  const { paired, flips, changes } = compared(a, b);
  assert.equal(paired, 4);
  assert.deepEqual(flips, [
    { example_id: 'lost', run: null, worse: [accuracy, f1], better: [] },
    { example_id: 'half', run: null, worse: [f1], better: [] },
    { example_id: 'won', run: null, worse: [], better: [accuracy, f1] },
  ]);
  assert.deepEqual(
    changes.map(({ metric, a: before, b: after, n_a, method }) => [metric, before, after, n_a, method]),
    [
      [accuracy, 0.75, 0.75, 4, 'newcombe_paired_mcnemar'],
      [f1, 0.75, 0.625, 4, 'jackknife_paired'],
    ],
  );
});

test('files with less than half of their examples in common are two samples', () => {
  const a = sideOf(['a', 'b', 'c', 'd', 'e'].map((id) => row(id, true, 1)));
  const b = sideOf(['a', 'b', 'x', 'y', 'z'].map((id) => row(id, false, 0)));
  const { paired, flips, changes } = compared(a, b);
  assert.deepEqual([paired, flips], [null, null]);
  assert.deepEqual(
    changes.map(({ n_b, method, change }) => [n_b, method, change]),
    [
      [5, 'newcombe', 'worse'],
      [5, 'jackknife', 'worse'],
    ],
  );
});

test('runs of an example are pairs by run, other repetitions by their order', () => {
  const a = sideOf([row('a', true, 1, { run: 1 }), row('a', false, 1, { run: 2 }), row('b', true), row('b', false)]);
  const b = sideOf([row('a', false, 1, { run: 2n }), row('b', true), row('b', true), row('a', true, 1, { run: 1n })]);
  assert.ok(a.kind === 'scores' && a.examples.hasRepeats);
  const { paired, flips } = compared(a, b);
  assert.equal(paired, 4);
  assert.deepEqual(flips, [{ example_id: 'b', run: null, worse: [], better: [accuracy] }]);
});

test('an event that only one side counts is in no pair of the metric', () => {
  const a = sideOf([row('a', true, 1), row('b', true, 1)]);
  const b = sideOf([row('a', true), row('b', true, 0.5)]);
  const [, change] = compared(a, b).changes;
  assert.deepEqual([change!.n_a, change!.a, change!.b], [1, 1, 0.5]);
});

test('what score rows do not say is left out, or a problem where it is asked for', () => {
  const a = sideOf([row('a', true)]);
  const path = 'decision.tool_hall';
  const some = compareSides(a, a, [accuracy, path], new Set());
  assert.deepEqual(isProblem(some) ? some : some.left_out, [path]);
  const problem = compareSides(a, a, [path], new Set([path]));
  assert.match(JSON.stringify(problem), /decision\.tool_hall: score rows do not say it; compare summaries/);
});

function examplesOf(ids: readonly (string | [id: string, run: number])[]): Examples {
  const reader = exampleReader(new Map(), new Map());
  for (const one of ids) {
    const [example_id, run] = typeof one === 'string' ? [one] : one;
    reader.add({ example_id, run });
  }
  return reader.examples;
}

test('repetitions of an example are events of their own', () => {
  const { keys, hasRepeats } = examplesOf(['a', 'b', 'a', 'a', ['a', 0]]);
  assert.deepEqual([new Set(keys).size, hasRepeats], [5, true]);
  assert.equal(examplesOf(['a', 'b']).hasRepeats, false);
});

test('files are matched that share at least half of the longer one', () => {
  const four = examplesOf(['a', 'b', 'c', 'd']);
  assert.deepEqual(matchExamples(four, examplesOf(['x', 'c', 'y', 'a'])), { a: [0, 2], b: [3, 1] });
  for (const [a, b] of [
    [four, examplesOf(['a', 'x', 'y'])],
    [examplesOf(['a', 'b']), examplesOf(['a', 'b', 'c', 'd', 'e'])],
    [examplesOf([]), examplesOf([])],
  ] as const) {
    assert.equal(matchExamples(a, b), undefined);
    assert.equal(matchExamples(b, a), undefined);
  }
});

test('flips come by what an event lost over all metrics, less what it gained; less of what is bad is a gain', () => {
  const keys = ['won', 'same', 'mixed', 'lost'].map((id) => `["${id}",null]0`);
  const side = (up: readonly number[], down: readonly number[]): Examples => ({
    keys,
    columns: new Map([
      ['up', up],
      ['down', down],
    ]),
    hasRepeats: false,
  });
  const places = { a: [0, 1, 2, 3], b: [0, 1, 2, 3] };
  const flips = flipsOf(side([0, 1, 1, 1], [1, 0, 1, 0]), side([1, 1, 0.5, 0], [0, 0, 0.25, 1]), places, [
    { path: 'up', better: 'higher' },
    { path: 'down', better: 'lower' },
  ]);
  assert.deepEqual(
    flips.map(({ example_id, worse, better }) => [example_id, worse, better]),
    [
      ['lost', ['up', 'down'], []],
      ['mixed', ['up'], ['down']],
      ['won', [], ['up', 'down']],
    ],
  );
});
