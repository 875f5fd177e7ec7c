import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Change,
  compareSides,
  comparisonOf,
  headlinePaths,
  parseComparand,
  type Side,
} from '../../src/view/compare.ts';
import { findGroup, isProblem, type Slice } from '../../src/view/summary-lookup.ts';
import { meanOf, rateWith, z95 } from '../../src/scoring/reading.ts';
import { near } from '../support/near.ts';
import { summary } from '../support/summaries.ts';

const rate = rateWith(z95);
const args = 'arguments.args_exact_rate';

function sideOf(blocks: object): Side {
  return { name: 'x.json', kind: 'summary', group: { slice: {}, window: 'all', ...blocks } };
}

function changesOf(a: Side, b: Side, paths: readonly string[]): readonly Change[] {
  const compared = compareSides(a, b, paths, new Set(paths));
  assert.ok(!isProblem(compared), JSON.stringify(compared));
  return compared.changes;
}

/** Summaries whose only number is args_exact_rate. */
function compare(a: number | null, b: number | null) {
  const side = (value: number | null) => sideOf({ arguments: { args_exact_rate: value } });
  return comparisonOf(changesOf(side(a), side(b), [args])[0]!);
}

test('the rule of 15 points', () => {
  const moderate = compare(0.9, 0.8);
  assert.deepEqual(Object.keys(moderate), ['metric', 'a', 'b', 'gap', 'verdict', 'needs_tuning']);
  near(moderate, { metric: args, a: 0.9, b: 0.8, gap: 0.1, verdict: 'moderate', needs_tuning: false });
  near(compare(0.9, 0.7), { ...moderate, b: 0.7, gap: 0.2, verdict: 'significant', needs_tuning: true });
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
  const nothing = { metric: args, gap: null, verdict: null, needs_tuning: null };
  assert.deepEqual(compare(null, 0.5), { ...nothing, a: null, b: 0.5 });
  assert.deepEqual(compare(0.5, null), { ...nothing, a: 0.5, b: null });
});

test('the worked example of the docstring', () => {
  const side = (right: number) => sideOf({ arguments: { args_exact_rate: rate(right, 100) } });
  const [change] = changesOf(side(90), side(80), [args]);
  const { lower, upper, ...rest } = change!;
  assert.deepEqual([lower!.toFixed(4), upper!.toFixed(4)], ['-0.1995', '-0.0001']);
  near(rest, {
    ...{ metric: args, better: 'higher', a: 0.9, b: 0.8, n_a: 100, n_b: 100, p: null, method: 'newcombe' },
    ...{ difference: -0.1, gap: 0.1, verdict: 'moderate', needs_tuning: false, change: 'worse' },
  });
  assert.equal(changesOf(side(9), side(8), [args])[0]!.change, 'unclear');
});

test('headline metrics of both sides; what one of them lacks is left out', () => {
  const side = (model: string): Side => ({
    name: model,
    kind: 'summary',
    group: findGroup(summary, new Map([['model', model]]))!,
  });
  const compared = compareSides(side('gpt-4o'), side('llama3:8b'), headlinePaths, new Set());
  assert.ok(!isProblem(compared));
  assert.deepEqual(
    compared.changes.map(({ metric, better, n_a, method, change }) => [metric, better, n_a, method, change]),
    [
      ['decision.accuracy', 'higher', 20, 'newcombe', 'worse'],
      ['decision.macro_f1', 'higher', null, null, null],
      ['tool_calls.strict.f1', 'higher', 12, 'newcombe', 'same'],
      [args, 'higher', 20, 'newcombe', 'worse'],
      ['stability.stability', 'higher', 2, 'newcombe', 'same'],
    ],
  );
  assert.ok(compared.left_out.includes('decision.param_hall'));
  assert.deepEqual([compared.paired, compared.flips], [null, null]);
  const bare = sideOf({});
  assert.match(
    JSON.stringify(compareSides(bare, bare, headlinePaths, new Set())),
    /no value in common of match\.correct, decision/,
  );
});

test('where less is better, more is worse; labels have directions too', () => {
  const side = (value: number) =>
    sideOf({
      decision: { answer_hall: rate(value, 100), per_class: { direct: { f1: value / 100 } } },
      stability: { entropy: meanOf(value, 100), per_label: { direct: { flip_rate: meanOf(value, 100) } } },
    });
  const paths = ['decision.answer_hall', 'decision.per_class.direct.f1', 'stability.per_label.direct.flip_rate'];
  assert.deepEqual(
    changesOf(side(10), side(50), paths).map(({ better, verdict, change }) => [better, verdict, change]),
    [
      ['lower', 'significant', 'worse'],
      ['higher', 'minimal', null],
      ['lower', 'significant', null],
    ],
  );
  assert.equal(changesOf(side(50), side(10), ['decision.answer_hall'])[0]!.change, 'better');
  // Entropy may be above 1: its sum bounds nothing.
  assert.equal(changesOf(side(50), side(10), ['stability.entropy'])[0]!.method, null);
});

test('what a side lacks is a problem that names its file', () => {
  const full = sideOf({ decision: { accuracy: rate(1, 2) } });
  const problem = (path: string) =>
    JSON.stringify(compareSides(full, { ...sideOf({}), name: 'b.json' }, [path], new Set([path])));
  assert.match(problem('decision.accuracy'), /^\{"problem":"b\.json: decision\.accuracy: family decision is not in/);
  assert.match(problem('decision.acuracy'), /^\{"problem":"x\.json: decision\.acuracy: no such number/);
});

test('FILE and FILE#SLICE', () => {
  const read = (text: string) => {
    const { file, slice } = parseComparand(text);
    return [file, ...(slice satisfies Slice)].flat();
  };
  assert.deepEqual(read('a.json'), ['a.json']);
  assert.deepEqual(read('a.json#model=x'), ['a.json', 'model', 'x']);
  assert.deepEqual(read('a#b.json#model=x,agent=y'), ['a#b.json', 'model', 'x', 'agent', 'y']);
  assert.deepEqual(read('a#b.json'), ['a#b.json']);
});
