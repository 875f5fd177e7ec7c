import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  findGroup,
  isProblem,
  parseSlice,
  readMetric,
  sliceText,
  startsWithFamily,
} from '../../src/view/summary-lookup.ts';

const slices: readonly [string, Record<string, string> | undefined][] = [
  ['model=a,agent=b', { model: 'a', agent: 'b' }],
  ['tags.team=x,tags.env=prod', { 'tags.team': 'x', 'tags.env': 'prod' }],
  [' model=a\nb', { model: 'a\nb' }],
  ['model=a,b', { model: 'a,b' }],
  ['model=a,model=b', undefined],
  ['x model=a', undefined],
  ['model=', { model: '' }],
  ['model', undefined],
  ['model=a,agent', { model: 'a,agent' }],
  ['', undefined],
];
test('slices as a user writes them', () => {
  for (const [text, wanted] of slices) {
    const slice = parseSlice(text);
    assert.deepEqual(slice && Object.fromEntries(slice), wanted, text);
  }
  assert.equal(sliceText(new Map()), 'the total');
  assert.equal(sliceText(parseSlice('model=a,agent=b')!), 'model=a,agent=b');
});

test('a path begins with a family, and goes on', () => {
  assert.deepEqual(['decision.n', ' decision.n', 'decision', 'n', 'other.n'].map(startsWithFamily), [
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('the three nearest paths of families are named, ties by name', () => {
  const group = { slice: {}, window: 'all', decision: { na: 1, nd: 2, nb: 3, nc: 4 } };
  assert.deepEqual(readMetric(group, 'nx'), {
    problem: 'nx: no such number in the summary; nearest: decision.na, decision.nb, decision.nc',
  });
});

const mean = { value: 0.5, sum: 1, count: 2 };
const rate = { value: null, numerator: 0, denominator: 0, lower: null, upper: null };
const summaryGroup = {
  slice: {},
  window: 'all',
  other_total: 7,
  decision: {
    n: 4,
    macro_f1: null,
    accuracy: rate,
    band: 'good',
    alike: { value: 3 },
    named: { value: 'x', count: 2 },
  },
  tool_calls: { strict: { f1: mean } },
  trajectory: { tools: { 'a.b': { success: rate }, a: { 'b.success': mean } } },
  schema: null,
};
const readings: readonly (readonly [path: string, value: number | null, counts: string | undefined])[] = [
  ['n', 4, undefined],
  ['decision.n', 4, undefined],
  ['macro_f1', null, undefined],
  ['accuracy', null, '0 of 0'],
  ['accuracy.lower', null, '0 of 0'],
  ['accuracy.denominator', 0, '0 of 0'],
  ['tool_calls.strict.f1', 0.5, 'sum 1 of 2'],
  ['tool_calls.strict.f1.sum', 1, 'sum 1 of 2'],
  ['alike.value', 3, undefined],
  ['trajectory.tools.a.b.success', 0.5, 'sum 1 of 2'],
  ['trajectory.tools.a.b.success.upper', null, '0 of 0'],
  ['trajectory.tools.unseen.success', null, undefined],
  ['schema.anything', null, undefined],
];
const absent = [
  '',
  'accuracy.',
  'n.value',
  'band',
  'band.length',
  'alike',
  'named',
  'tool_calls',
  'tool_calls.strict',
  'strict.f1',
];

test('a path leads to a number, with the counts that it is read from; keys may hold dots', () => {
  for (const [path, value, counts] of readings) {
    const read = readMetric(summaryGroup, path);
    assert.ok(!isProblem(read), path);
    assert.deepEqual([read.value, read.counts], [value, counts], path);
  }
  for (const path of absent) {
    const read = readMetric(summaryGroup, path);
    assert.match(isProblem(read) ? read.problem : `${path} was read`, /no such number in the summary; nearest: /);
  }
  assert.deepEqual(readMetric(summaryGroup, 'other_tota'), {
    problem:
      'other_tota: no such number in the summary; nearest: decision.accuracy, decision.macro_f1, decision.named.count',
  });
  assert.deepEqual(readMetric(summaryGroup, 'structured.f1'), {
    problem: 'structured.f1: family structured is not in the summary (is it enabled?)',
  });
});

test('a group is that of window all with exactly these dimensions and values', () => {
  const slices = [{}, { model: 'a' }, { model: 'b' }, { model: 'a', agent: 'x' }, { model: 'a', agent: 'y' }];
  const groups = ['5m', 'all'].flatMap((window) => slices.map((slice) => ({ window, slice })));
  const found = (slice: Readonly<Record<string, string>>) =>
    findGroup({ groups: groups as never }, new Map(Object.entries(slice)));
  for (const slice of slices) assert.deepEqual(found(slice), { window: 'all', slice });
  assert.deepEqual(found({ agent: 'y', model: 'a' }), { window: 'all', slice: slices[4] });
  for (const slice of [{ model: 'c' }, { agent: 'x' }, { toString: 'a' }, { model: 'a', agent: 'z' }])
    assert.equal(found(slice), undefined);
});

test('only numbers of families are near to a path', () => {
  const group = { slice: {}, window: 'all', totals: { n: 1 }, decision: { nn: 2 } };
  assert.deepEqual(readMetric(group, 'totals.n'), {
    problem: 'totals.n: no such number in the summary; nearest: decision.nn',
  });
});
