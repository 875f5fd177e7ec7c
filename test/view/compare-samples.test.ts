import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Change, compareSides, parseComparand, rowReaders, type Side } from '../../src/view/compare.ts';
import { exampleReader } from '../../src/view/examples.ts';
import { isProblem } from '../../src/view/summary-lookup.ts';

const [accuracy, macroF1, f1] = ['decision.accuracy', 'decision.macro_f1', 'tool_calls.strict.f1'];

/** Score rows of examples from `first` on: gold and predicted label, and F1 of the calls where it is known. */
function scores(
  first: number,
  rows: readonly (readonly [gold: string, predicted: string, f1?: number])[],
  paths = [accuracy, macroF1, f1],
): Side {
  const reader = exampleReader(new Map(), rowReaders(paths));
  rows.forEach(([gold, predicted, callF1], at) => {
    const decision = { gold, predicted, correct: gold === predicted };
    const calls = callF1 === undefined ? null : { strict: { f1: callF1 } };
    reader.add({ example_id: `e${first + at}`, run: null, decision, tool_calls: calls });
  });
  return { name: 'rows', kind: 'scores', examples: reader.examples };
}

function summary(blocks: object): Side {
  return { name: 'summary.json', kind: 'summary', group: { slice: {}, window: 'all', ...blocks } };
}

function changeOf(a: Side, b: Side, path: string): Change {
  const compared = compareSides(a, b, [path], new Set([path]));
  assert.ok(!isProblem(compared), JSON.stringify(compared));
  return compared.changes[0]!;
}

const rows = [
  ['direct', 'direct', 1],
  ['direct', 'tool_call', 0.5],
  ['tool_call', 'tool_call', 1],
  ['tool_call', 'tool_call'],
] as const;
const worse = rows.map(([gold], at) => [gold, 'direct', at / 4] as const);

test('a file may have any name, and a slice no file', () => {
  assert.deepEqual(parseComparand('model=a'), { file: 'model=a', slice: new Map() });
  assert.deepEqual(parseComparand('#model=a'), { file: '', slice: new Map([['model', 'a']]) });
});

test('rows against a summary, and rows of other examples, are two samples', () => {
  const rate = { value: 0.75, numerator: 3, denominator: 4 };
  for (const [a, b] of [
    [scores(0, rows), summary({ decision: { accuracy: rate } })],
    [summary({ decision: { accuracy: rate } }), scores(0, rows)],
    [scores(0, rows), scores(9, rows)],
  ] as const) {
    const compared = compareSides(a, b, [accuracy], new Set());
    assert.ok(!isProblem(compared));
    assert.deepEqual([compared.paired, compared.flips], [null, null]);
    const { a: first, b: second, n_a, n_b, method, change } = compared.changes[0]!;
    assert.deepEqual([first, second, n_a, n_b, method, change], [0.75, 0.75, 4, 4, 'newcombe', 'same']);
  }
});

test('a mean of rows is of those that have a value; a counted number is worked out from their cells', () => {
  const of = (path: string) => changeOf(scores(0, rows), scores(9, worse), path);
  const mean = of(f1);
  assert.deepEqual([mean.a, mean.b, mean.n_a, mean.n_b, mean.method], [2.5 / 3, 0.375, 3, 4, 'newcombe']);
  const counted = of(macroF1);
  // F1 2/3 and 4/5 of two labels of four; and 2/3 of one.
  assert.ok(Math.abs(counted.a! - (2 / 3 + 4 / 5) / 4) < 1e-12 && Math.abs(counted.b! - 2 / 3 / 4) < 1e-12);
  assert.equal(counted.method, 'jackknife');
});

test('in pairs the same; one event is but a cell of a counted number, and flips no such', () => {
  const compared = compareSides(scores(0, rows), scores(0, worse), [macroF1, accuracy], new Set());
  assert.ok(!isProblem(compared));
  assert.equal(compared.changes[0]!.method, 'jackknife_paired');
  assert.deepEqual(
    compared.flips!.map(({ example_id, worse: lost, better }) => [example_id, lost, better]),
    [
      ['e2', [accuracy], []],
      ['e3', [accuracy], []],
      ['e1', [], [accuracy]],
    ],
  );
});

test('what the rows of a side do not say is a problem, in pairs and in samples', () => {
  for (const first of [0, 9])
    for (const [ofA, ofB, path] of [
      [[accuracy, f1], [accuracy], f1],
      [[accuracy], [accuracy, f1], f1],
      [[accuracy], [accuracy], 'decision.tool_hall'],
      [[accuracy], [accuracy], 'decision.nothing'],
    ] as const) {
      const compared = compareSides(scores(0, rows, [...ofA]), scores(first, rows, [...ofB]), [path], new Set([path]));
      assert.deepEqual(compared, { problem: `${path}: score rows do not say it; compare summaries` });
    }
  // Nor of a metric that is of no single events, whatever a column says.
  const examples = { keys: ['["a",null]0'], columns: new Map([['decision.n', [1]]]), hasRepeats: false };
  const side: Side = { name: 'x', kind: 'scores', examples };
  for (const other of [side, summary({ decision: { n: 1 } })])
    assert.match(JSON.stringify(compareSides(side, other, ['decision.n'], new Set(['decision.n']))), /do not say it/);
  assert.deepEqual([...rowReaders([accuracy, 'decision.tool_hall', 'decision.nothing']).keys()], [accuracy]);
});

test('what has no value on a side is left out, unless it is asked for: then nothing is said of the change', () => {
  const known = summary({ decision: { accuracy: { value: 0.5, numerator: 1, denominator: 2 }, macro_f1: 0.5 } });
  const unknown = summary({ decision: { accuracy: { value: null, numerator: 0, denominator: 0 }, macro_f1: 0.4 } });
  for (const [a, b] of [
    [known, unknown],
    [unknown, known],
  ] as const) {
    const compared = compareSides(a, b, [accuracy, macroF1], new Set());
    assert.ok(!isProblem(compared));
    assert.deepEqual([compared.left_out, compared.changes.map(({ metric }) => metric)], [[accuracy], [macroF1]]);
    const { difference, gap, verdict, change, method } = changeOf(a, b, accuracy);
    assert.deepEqual([difference, gap, verdict, change, method], [null, null, null, null, null]);
  }
  assert.deepEqual(compareSides(unknown, unknown, [accuracy, f1], new Set()), {
    problem: `summary.json and summary.json have no value in common of ${accuracy}, ${f1}`,
  });
  const empty = scores(0, [['direct', 'direct']]);
  assert.equal(changeOf(empty, scores(9, [['direct', 'direct', 1]]), f1).a, null);
});

test('a summary tells the interval of a mean of events between 0 and 1, and of macro-F1 by its confusion', () => {
  const of = (sum: number, count: number) =>
    summary({ tool_calls: { strict: { f1: { value: sum / count, sum, count } } } });
  for (const [sum, method] of [
    [0, 'newcombe'],
    [1, 'newcombe'],
    [2, 'newcombe'],
    [3, null],
    [-1, null],
  ] as const)
    assert.equal(changeOf(of(sum, 2), of(1, 2), f1).method, method, String(sum));
  const confusion = (right: number) => ({
    direct: { direct: right, tool_call: 50 - right },
    tool_call: { direct: 0, tool_call: 50 },
  });
  const withCells = (right: number) => summary({ decision: { macro_f1: right / 50, confusion: confusion(right) } });
  assert.equal(changeOf(withCells(50), withCells(10), macroF1).method, 'jackknife');
  assert.equal(changeOf(withCells(50), withCells(10), macroF1).change, 'worse');
});

test('the interval of a difference ends where the metric does', () => {
  const of = (right: number) => {
    const confusion = {
      direct: { direct: right, tool_call: 6 - right },
      tool_call: { direct: 6 - right, tool_call: right },
    };
    return summary({ decision: { macro_f1_present: right / 6, confusion } });
  };
  const ends = [0, 1, 2, 3, 4, 5, 6].flatMap((a) =>
    [0, 1, 5, 6].flatMap((b) => {
      const { lower, upper } = changeOf(of(a), of(b), 'decision.macro_f1_present');
      return [lower!, upper!];
    }),
  );
  assert.deepEqual([Math.min(...ends), Math.max(...ends)], [-1, 1]);
});

test('what is not declared has no direction, and no verdict beyond chance', () => {
  const of = (numerator: number) =>
    summary({
      decision: {
        extra: { value: numerator / 100, numerator, denominator: 100 },
        mean: { value: 0.5, sum: 1, count: 2 },
      },
    });
  const { better, change, method } = changeOf(of(90), of(20), 'decision.extra');
  assert.deepEqual([better, change, method], [null, null, 'newcombe']);
  assert.equal(changeOf(of(90), of(20), 'decision.mean').method, null);
});
