import assert from 'node:assert/strict';
import { test } from 'node:test';
import { causeText } from '../../src/view/cause-text.ts';
import { createCauseMemory } from '../../src/view/cause-baselines.ts';
import { type Candidate, candidatesOf, type Part, strongest } from '../../src/view/cause-parts.ts';
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

test('of a split the greatest excess comes first', () => {
  const split = [candidate('least', 0.1), candidate('most', 0.3), candidate('more', 0.2)];
  assert.deepEqual(strongest([split]).map(causeText), ['agent most', 'agent more', 'agent least']);
});

/** A part of a change from 10 to 510 bad of 1,000 cases, of which no bad case is usual. */
const part = (value: string, byRate: number, expected: number, bad = 1_000 * byRate): Part => ({
  part: { dimension: 'agent', value },
  ...{
    byRate,
    byMix: 0,
    expected,
    expectedMost: expected,
    usual: 0,
    before: { n: 1_000, bad: 0 },
    since: { n: 1_000, bad },
  },
});
const change = { before: { n: 1_000, bad: 10 }, since: { n: 1_000, bad: 510 }, baseline: 0.01 };

test('a tenth of the change more than is to be expected is enough', () => {
  const found = candidatesOf([part('enough', 0.325, 0.225), part('less', 0.325, 0.2251)], change);
  assert.deepEqual(
    found.map(({ cause }) => causeText(cause)),
    ['agent enough'],
  );
});

test('shares of which there would be more than there is are brought down, of parts that overlap no further than they may', () => {
  const shares = (parts: readonly Part[], overlapping?: boolean) =>
    candidatesOf(parts, change, overlapping).map(({ cause }) => Math.round(1_000 * cause.byRate) / 1_000);
  const two = [part('one', 1.2, 0, 600), part('two', 0.4, 0, 200), part('down', -0.6, 0, 0)];
  assert.deepEqual(shares(two), [0.75, 0.25]);
  // Disjoint names have at most 0.51 of a change of 0.5.
  assert.deepEqual(shares(two, true), [1.176, 0.392]);
  assert.deepEqual(shares([part('one', 0.6, 0, 300), part('two', 0.4, 0, 200)]), [0.6, 0.4]);
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
  memory = createCauseMemory([]),
) => {
  const cases = (n: number, attributed: Readonly<Record<string, number>>) => {
    const bad = Object.values(attributed).reduce((sum, times) => sum + times, 0);
    return [{ of: ['m', 'x'], n, bad, tools: attributed }];
  };
  return causes(called, { before: cases(10_000, before), since: cases(100, since) }, memory).map(causeText);
};

test('a tool is named beyond three standard deviations of what its part of the cases before makes likely, which they tell the less the fewer they are', () => {
  // Before 6 in 23 were, at most 0.26 + 3 · 0.094 = 0.54 of them: of 23 cases 12.4 ± 3 · 2.4.
  assert.deepEqual(tools({ find: 5, book: 15 }, { find: 19, book: 4 }), []);
  assert.deepEqual(tools({ find: 5, book: 15 }, { find: 20, book: 3 }), ['tool find']);
  // Before about half were; beyond 0.8 it is nearly all of them: of 42 cases 33.6 ± 3 · 2.6.
  assert.deepEqual(tools({ find: 9, book: 8 }, { find: 41, book: 1 }), []);
  assert.deepEqual(tools({ find: 9, book: 8 }, { find: 42 }), ['tool find']);
});

test('tools that are alike come by name, whichever came first', () => {
  const since = { zeta: 40, alpha: 40, find: 2 };
  assert.deepEqual(tools({ zeta: 1, alpha: 1, find: 100 }, since), ['tool alpha', 'tool zeta']);
});

test('names that other alarms know do not count among those of an alarm', () => {
  const memory = createCauseMemory([]);
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
