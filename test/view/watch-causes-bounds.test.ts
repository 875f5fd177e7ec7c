import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causeText } from '../../src/view/cause-text.ts';
import { createCauseMemory } from '../../src/view/cause-baselines.ts';
import { type Candidate, strongest } from '../../src/view/watch-causes.ts';
import { causes, rateAt } from '../support/worked-causes.ts';

/* What is named, and what is not: by a case more, or just so. */

const called = 'decision.unknown_tool';

const candidate = (value: string, excess: number): Candidate => ({
  excess,
  cause: {
    part: { dimension: 'agent', value },
    ...{ byRate: excess, byMix: 0, before: undefined, since: { n: 1, bad: 1 } },
  },
});

test('of a split the greatest excess comes first, and a tenth of the change is enough', () => {
  const split = [candidate('least', 0.1), candidate('none', 0.0999), candidate('most', 0.3), candidate('more', 0.2)];
  assert.deepEqual(strongest([split]).map(causeText), ['agent most', 'agent more', 'agent least']);
});

/** Agents of one model: so many cases and bad ones since, of 400 with 8 bad ones each before. */
const agents = (since: Readonly<Record<string, readonly [n: number, bad: number]>>) =>
  causes(called, {
    before: Object.keys(since).map((agent) => ({ of: ['m', agent], n: 400, bad: 8 })),
    since: Object.entries(since).map(([agent, [n, bad]]) => ({ of: ['m', agent], n, bad })),
  }).map(causeText);

test('a value is worse than others beyond three standard deviations of as many cases of all', () => {
  // 5 - 2.5 bad cases are 3 times the root of 5 / 4 · 5 / 9; of twice as many cases they are 4.4 deviations.
  assert.deepEqual(agents({ x: [5, 5], y: [5, 0] }), []);
  assert.deepEqual(agents({ x: [10, 10], y: [10, 0] }), ['agent x']);
});

test('values that are alike come by code unit', () => {
  const [good, bad] = [
    [100, 2],
    [100, 60],
  ] as const;
  assert.deepEqual(agents({ w: good, z: bad, v: good, a: bad }), ['agent a', 'agent z']);
});

/** Tools that bad cases are attributed to: of 10,000 before, and of 100 since. */
const tools = (
  before: Readonly<Record<string, number>>,
  since: Readonly<Record<string, number>>,
  memory = createCauseMemory(),
) => {
  const cases = (n: number, attributed: Readonly<Record<string, number>>) => {
    const bad = Object.values(attributed).reduce((sum, times) => sum + times, 0);
    return [{ of: ['m', 'x'], n, bad, tools: attributed }];
  };
  return causes(called, { before: cases(10_000, before), since: cases(100, since) }, memory).map(causeText);
};

test('a tool is named beyond three standard deviations of what its part of the cases before makes likely', () => {
  // Of 23 cases 6 in 23 are likely: 6 ± 3 · 2.1.
  assert.deepEqual(tools({ find: 5, book: 15 }, { find: 12, book: 11 }), []);
  assert.deepEqual(tools({ find: 5, book: 15 }, { find: 13, book: 10 }), ['tool find']);
  // Of 16 cases half are likely: 8 ± 3 · 2.
  assert.deepEqual(tools({ find: 9, book: 8 }, { find: 14, book: 2 }), []);
  assert.deepEqual(tools({ find: 9, book: 8 }, { find: 15, book: 1 }), ['tool find']);
});

test('tools that are alike come by name, whichever came first', () => {
  assert.deepEqual(tools({}, { zeta: 40, alpha: 40 }), ['tool alpha', 'tool zeta']);
});

test('names that other alarms know do not count among those of an alarm', () => {
  const memory = createCauseMemory();
  tools({}, Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`of another ${at}`, 1])), memory);
  assert.equal(memory.names.list.length, 60);
  assert.deepEqual(tools({}, { find: 25, book: 25 }, memory), []);
});

test('no tool is named where the rate has not grown since', () => {
  const before = [{ of: ['m', 'x'], n: 1_000, bad: 500, tools: { find: 300, book: 200 } }];
  for (const [bad, find] of [
    [499, 290],
    [500, 310],
  ] as const) {
    const since = [{ of: ['m', 'x'], n: 1_000, bad, tools: { find } }];
    assert.deepEqual(causes(called, { before, since }), [], `${bad} bad`);
  }
});

test('an outcome that has grown beyond its part is named, also of two', () => {
  const path = 'decision.answer_hall';
  const outcomes = (call: number, ask: number) => ({ 'tool_call → direct': call, 'request_for_info → direct': ask });
  const spans = {
    before: [{ of: ['m', 'x'], n: 100, outcomes: outcomes(1, 9) }],
    since: [{ of: ['m', 'x'], n: 100, outcomes: outcomes(21, 9) }],
  };
  const rate = rateAt(path);
  for (const watch of [rate, { ...rate, outcomes: rate.outcomes.slice(0, 2) }])
    assert.deepEqual(causes(watch, spans).map(causeText), ['tool_call → direct']);
});
