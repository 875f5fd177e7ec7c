import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ScoreRow, scoreRow } from '../../src/formats/snapshot/score-row.ts';
import { truthFromRecords } from '../../src/formats/truth/table.ts';
import { configWith, foldingOf } from '../support/folding.ts';

const ts = Date.UTC(2026, 4, 1);
const calls = ['find', 'find', 'book', 'pay'].map((name) => ({ name, arguments: {} }));

const truth = {
  example_id: 'e',
  label: 'tool_call' as const,
  tools: null,
  expected_tool_calls: calls,
  reference: null,
};

/** The row of an event of an example with truth. */
function rowOf(event: object): ScoreRow {
  const { fold, state, add } = foldingOf(configWith(), truthFromRecords([truth]));
  const rows: ScoreRow[] = [];
  fold.out.onScored = (scored) => void rows.push(scoreRow(scored, state.settings.layout, {}));
  add([{ example_id: 'e', ts, ...event }]);
  return rows[0]!;
}

test('a row of a run has its calls with what came back, its steps and its time', () => {
  const results = [
    { call: 0, ok: false, error: 'timeout' },
    { call: 1, ok: true, output: 'AZ 12' },
    { call: 2, output: 'Error: sold out' },
    { call: 3, ok: null },
  ];
  const row = rowOf({ tool_calls: calls, results, steps: 4, run_seconds: 2.5, output: 'Booked.' });
  assert.deepEqual(row['calls'], [
    { name: 'find', ok: false },
    { name: 'find', ok: true },
    { name: 'book', ok: false },
    { name: 'pay', ok: null },
  ]);
  assert.deepEqual([row['steps'], row['run_seconds']], [4, 2.5]);
});

test('a row of one answer has one step; calls without a name or without results have null', () => {
  const row = rowOf({ tool_calls: [{ arguments: {} }, { name: 'find' }] });
  assert.deepEqual(row['calls'], [
    { name: null, ok: null },
    { name: 'find', ok: null },
  ]);
  assert.deepEqual([row['steps'], row['run_seconds']], [1, null]);
  assert.equal(rowOf({ label: 'direct' })['calls'], null);
});
