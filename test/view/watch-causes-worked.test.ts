import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causes, told } from '../support/worked-causes.ts';

/* Worked examples: shares of the change, to the last digit, of spans that are told cell by cell. */

const called = 'decision.unknown_tool';

test('the example of the reference: a model by its rate, and the tool that it is attributed to', () => {
  const found = causes(called, {
    before: [
      { of: ['one', 'x'], n: 100, bad: 2, tools: { find: 1, book: 1 } },
      { of: ['two', 'x'], n: 100, bad: 2, tools: { find: 1, book: 1 } },
    ],
    since: [
      { of: ['one', 'x'], n: 100, bad: 2, tools: { find: 2 } },
      { of: ['two', 'x'], n: 100, bad: 62, tools: { book: 62 } },
    ],
  });
  assert.deepEqual(told(found), {
    'tool book': [1, 0, [200, 2], [200, 62]],
    'model two': [1, 0, [100, 2], [100, 62]],
  });
});

test('a newcomer by mix: a third of the cases, half of them bad', () => {
  const old = { of: ['old', 'x'], n: 200, bad: 4 };
  const found = causes(called, { before: [old], since: [old, { of: ['new', 'x'], n: 100, bad: 50 }] });
  // The rate grows by 0.16, all of it by the weights: (1/3) (0.5 - 0.1) for the new one, -(1/3) (0.02 - 0.1) for the old one.
  assert.deepEqual(told(found), { 'model new': [0, 0.833333333, [0, 0], [100, 50]] });
});

test('where nothing is known of before, or it was no better, each value had the baseline at its weight of now', () => {
  const since = [
    { of: ['one', 'x'], n: 100, bad: 10 },
    { of: ['two', 'x'], n: 300, bad: 150 },
  ];
  // Of 0.4 - 0.1: 3/4 (0.5 - 0.1).
  const wanted = { 'model two': [1, 0, undefined, [300, 150]] };
  assert.deepEqual(told(causes(called, { since, baseline: 0.1 })), wanted);
  for (const bad of [40, 60]) {
    const before = [{ of: ['one', 'x'], n: 100, bad }];
    assert.deepEqual(told(causes(called, { before, since, baseline: 0.1 })), wanted, `${bad} bad`);
  }
});

test('a dimension that was not read before is no cause, whatever its values do', () => {
  const since = [
    { of: ['m', 'x'], n: 100, bad: 2 },
    { of: ['m', 'y'], n: 100, bad: 62 },
  ];
  const before = (of: readonly (string | null)[]) => [{ of, n: 200, bad: 4 }];
  assert.deepEqual(Object.keys(told(causes(called, { before: before(['m', 'x']), since }))), ['agent y']);
  assert.deepEqual(causes(called, { before: before(['m', null]), since }), []);
  assert.deepEqual(causes(called, { before: before(['m']), since }), []);
});

test('an alarm of a group tells of the cases of that group alone, by the other dimensions', () => {
  const group = { dimensions: ['agent'], values: ['y'] };
  const found = causes(called, {
    group,
    before: ['one', 'two'].map((model) => ({ of: [model, 'y'], n: 100, bad: 2 })),
    since: [
      { of: ['one', 'y'], n: 100, bad: 2 },
      { of: ['two', 'y'], n: 100, bad: 62 },
      { of: ['one', 'z'], n: 100, bad: 100 },
    ],
  });
  assert.deepEqual(told(found), { 'model two': [1, 0, [100, 2], [100, 62]] });
});

const [call, ask, cannot] = ['tool_call', 'request_for_info', 'cannot_answer'].map((gold) => `${gold} → direct`) as [
  string,
  string,
  string,
];
const answers = (path: string, before: readonly number[] | undefined, since: readonly number[]) => {
  const cases = (counts: readonly number[]) => [
    { of: ['m', 'x'], n: 100, outcomes: { [call]: counts[0]!, [ask]: counts[1]!, [cannot]: counts[2]! } },
  ];
  return told(causes(path, { before: before && cases(before), since: cases(since) }));
};

test('an outcome is a cause where its share of the change is more than its part of the cases, and of the wrong ones before', () => {
  const path = 'decision.answer_hall';
  // The growth is 20, 5 and 5 of 100, of as many cases each; before, four fifths and one fifth were of the first two.
  assert.deepEqual(answers(path, [4, 1, 0], [24, 6, 5]), {});
  assert.deepEqual(answers(path, [1, 4, 0], [21, 9, 5]), { [call]: [0.666666667, 0, [100, 1], [100, 21]] });
  // Without a wrong one before, a third of the growth is to be expected of each.
  assert.deepEqual(answers(path, [0, 0, 0], [20, 5, 5]), { [call]: [0.666666667, 0, [100, 0], [100, 20]] });
  // Without any case before, each had a third of the baseline, 0.02: (0.2 - 0.02 / 3) / (0.3 - 0.02).
  assert.deepEqual(answers(path, undefined, [20, 5, 5]), { [call]: [0.69047619, 0, undefined, [100, 20]] });
  assert.deepEqual(answers(path, [0, 0, 0], [10, 10, 10]), {});
  // 14 of 24 may be by chance, where 8 are to be expected.
  assert.deepEqual(answers(path, [0, 0, 0], [14, 5, 5]), {});
  // Two outcomes have changed places: none has grown on the whole.
  assert.deepEqual(answers(path, [0, 0, 5], [5, 0, 0]), {});
});

test('where one outcome has grown by more than the rate, since another one fell, it has all of the change', () => {
  assert.deepEqual(answers('decision.answer_hall', [0, 10, 0], [30, 0, 0]), { [call]: [1, 0, [100, 0], [100, 30]] });
});

test('a rate names no outcome where its bad cases are of one kind, or are no outcomes', () => {
  for (const path of ['decision.param_hall', 'decision.tool_hall']) {
    const cases = (bad: number) => [{ of: ['m', 'x'], n: 100, bad }];
    assert.deepEqual(causes(path, { before: cases(1), since: cases(50) }), [], path);
  }
});
