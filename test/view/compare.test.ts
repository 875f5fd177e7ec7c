import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Comparison, compareSummaries, parseComparand } from '../../src/view/compare.ts';
import { isProblem, type Slice } from '../../src/view/summary-lookup.ts';
import { near } from '../support/near.ts';
import { summary } from '../support/summaries.ts';

const total: Slice = new Map();
const of = (slice: Slice = total) => ({ summary, slice });

/** Summaries whose only number is args_exact_rate. */
function compare(a: number | null, b: number | null): Comparison {
  const side = (value: number | null) => ({
    summary: { groups: [{ slice: {}, window: 'all', arguments: { args_exact_rate: value } }] },
    slice: total,
  });
  const compared = compareSummaries(side(a), side(b), 'arguments.args_exact_rate');
  assert.ok(!isProblem(compared) && compared.length === 1);
  return compared[0]!;
}

test('the worked example of the docstring', () => {
  const moderate = compare(0.9, 0.8);
  assert.deepEqual(Object.keys(moderate), ['metric', 'a', 'b', 'gap', 'verdict', 'needs_tuning']);
  near(moderate, {
    metric: 'arguments.args_exact_rate',
    a: 0.9,
    b: 0.8,
    gap: 0.1,
    verdict: 'moderate',
    needs_tuning: false,
  });
  near(compare(0.9, 0.7), { ...moderate, b: 0.7, gap: 0.2, verdict: 'significant', needs_tuning: true });
});

test('verdicts', () => {
  const verdict = (a: number, b: number) => {
    const { verdict: text, needs_tuning } = compare(a, b);
    return [text, needs_tuning];
  };
  assert.deepEqual(verdict(0.5, 0.9), ['minimal', false]);
  assert.deepEqual(verdict(0.5, 0.5), ['minimal', false]);
  assert.deepEqual(verdict(0.049999, 0), ['minimal', false]);
  assert.deepEqual(verdict(0.05, 0), ['moderate', false]);
  assert.deepEqual(verdict(0.15, 0), ['moderate', false]);
  assert.deepEqual(verdict(0.15 + 1e-10, 0), ['significant', false]);
  assert.deepEqual(verdict(0.15 + 2e-9, 0), ['significant', true]);
  assert.deepEqual(compare(null, 0.5), {
    metric: 'arguments.args_exact_rate',
    a: null,
    b: 0.5,
    gap: null,
    verdict: null,
    needs_tuning: null,
  });
});

test('without a metric, those that both sides have', () => {
  const compared = compareSummaries(of(), of(new Map([['model', 'gpt-4o']])), undefined);
  near(compared, [
    { metric: 'arguments.args_exact_rate', a: 0.85, b: 0.9, gap: -0.05, verdict: 'minimal', needs_tuning: false },
  ]);
  const bare = { summary: { groups: [{ slice: {}, window: 'all' }] }, slice: total };
  assert.match(JSON.stringify(compareSummaries(bare, bare, undefined)), /name one with --metric/);
});

test('groups and metrics by name', () => {
  const compared = compareSummaries(
    of(new Map([['model', 'gpt-4o']])),
    of(new Map([['model', 'llama3:8b']])),
    'accuracy',
  );
  near(compared, [
    { metric: 'decision.accuracy', a: 0.9, b: 0.5, gap: 0.4, verdict: 'significant', needs_tuning: true },
  ]);
  const missing = new Map([['model', 'nope']]);
  assert.deepEqual(compareSummaries(of(missing), of(), undefined), {
    problem: 'the first summary has no group model=nope',
  });
  assert.deepEqual(compareSummaries(of(), of(missing), undefined), {
    problem: 'the second summary has no group model=nope',
  });
  assert.match(JSON.stringify(compareSummaries(of(), of(), 'acuracy')), /first summary: acuracy: no such number/);
});

test('FILE and FILE#SLICE', () => {
  const read = (text: string) => {
    const { file, slice } = parseComparand(text);
    return [file, ...slice].flat();
  };
  assert.deepEqual(read('a.json'), ['a.json']);
  assert.deepEqual(read('a.json#model=x'), ['a.json', 'model', 'x']);
  assert.deepEqual(read('a#b.json#model=x,agent=y'), ['a#b.json', 'model', 'x', 'agent', 'y']);
  assert.deepEqual(read('a#b.json'), ['a#b.json']);
});

test('where less is better, more is worse', () => {
  const side = (value: number) => ({
    summary: { groups: [{ slice: {}, window: 'all', decision: { answer_hall: value } }] },
    slice: total,
  });
  near(compareSummaries(side(0.1), side(0.5), 'decision.answer_hall'), [
    { metric: 'decision.answer_hall', a: 0.1, b: 0.5, gap: -0.4, verdict: 'significant', needs_tuning: true },
  ]);
});

test('what the second summary lacks is a problem of the second', () => {
  const bare = { summary: { groups: [{ slice: {}, window: 'all' }] }, slice: total };
  assert.match(
    JSON.stringify(compareSummaries(of(), bare, 'accuracy')),
    /^\{"problem":"second summary: accuracy: family decision is not in the summary/,
  );
  assert.deepEqual(compare(0.5, null).verdict, null);
});
