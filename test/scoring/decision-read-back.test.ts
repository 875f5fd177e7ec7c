import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DecisionSums, decisionMetrics } from '../../src/scoring/decision/metrics.ts';
import type { OfRow, RowPart } from '../../src/scoring/metric.ts';

const { accuracy, answer_hall, macro_f1, macro_f1_no_direct, macro_f1_present, param_hall, per_class, tool_hall_any } =
  decisionMetrics;

const row = (gold: unknown, predicted: unknown): RowPart => ({ gold, predicted, correct: gold === predicted });

/** What each rate reads from a row; `-`: the event is not counted. */
const rows: readonly (readonly [row: RowPart, accuracy: string, answer: string, param: string, any: string])[] = [
  [row('direct', 'direct'), '1', '0', '-', '-'],
  [row('tool_call', 'direct'), '0', '1', '-', '-'],
  [row('tool_call', 'tool_call'), '1', '0', '-', '-'],
  [row('request_for_info', 'tool_call'), '0', '0', '1', '-'],
  [row('request_for_info', 'direct'), '0', '1', '0', '-'],
  [row('cannot_answer', 'tool_call'), '0', '0', '-', '1'],
  [row('cannot_answer', 'invalid'), '0', '0', '-', '0'],
  // Rows of another program: no label of ours.
  [{ gold: 'refuse', predicted: 'direct' }, '-', '-', '-', '-'],
  [{ predicted: 'direct' }, '-', '-', '-', '-'],
  [{ gold: 'invalid', predicted: 'direct' }, '-', '-', '-', '-'],
];

test('rates read from score rows count the events that they are of', () => {
  for (const [given, ...wanted] of rows) {
    const read = [accuracy, answer_hall, param_hall, tool_hall_any].map(({ ofRow }) => (ofRow as OfRow)(given) ?? '-');
    assert.deepEqual(read.map(String), wanted, JSON.stringify(given));
  }
});

test('the cell of a row is that of its labels; a row without them has none', () => {
  for (const { counted } of [macro_f1, macro_f1_no_direct, macro_f1_present]) {
    const { ofRow } = counted!;
    assert.equal(ofRow(row('direct', 'direct')), 0);
    assert.equal(ofRow(row('direct', 'invalid')), 4);
    assert.equal(ofRow(row('cannot_answer', 'tool_call')), 3 * 5 + 1);
    assert.equal(ofRow(row('cannot_answer', 'nonsense')), undefined);
    assert.equal(ofRow(row('nonsense', 'tool_call')), undefined);
    assert.equal(ofRow({}), undefined);
  }
});

test('a matrix that lacks cells has none there; a block without a matrix says nothing', () => {
  const { ofBlock, of } = macro_f1.counted!;
  const counts = ofBlock({ confusion: { tool_call: { tool_call: 3, direct: 'many' }, cannot_answer: 7 } })!;
  assert.deepEqual(
    counts.map((count, cell) => count && `${cell}: ${count}`),
    Array.from({ length: 20 }, (_, cell) => (cell === 6 ? '6: 3' : 0)),
  );
  assert.equal(of(counts), 1 / 4);
  const { f1, recall } = per_class.metrics;
  for (const confusion of [undefined, null, 5, []]) {
    assert.equal(ofBlock({ confusion }), undefined);
    assert.equal(f1.ofBlock!({ beside: {}, block: { confusion }, label: 1 }), undefined);
  }
  const of1 = { beside: {}, block: { confusion: { tool_call: { tool_call: 3, direct: 1 } } }, label: 1 };
  assert.deepEqual([f1.ofBlock!(of1), recall.ofBlock!(of1)], [6 / 7, 3 / 4]);
});

test('precision and recall are shares of events, F1 is none', () => {
  const { precision, recall, f1 } = per_class.metrics;
  const counts = { gold: 4, predicted: 5, correct: 3 };
  assert.deepEqual([precision.share!(counts), recall.share!(counts), f1.share], [[3, 5], [3, 4], undefined]);
});

test('nothing scored: no mean over labels', () => {
  const zeros = [0, 0, 0, 0];
  const sums = { gold: zeros, predicted: zeros, correct: zeros, n: 0 } as unknown as DecisionSums;
  for (const metric of [macro_f1, macro_f1_no_direct, macro_f1_present]) assert.equal(metric.of(sums), null);
});
