import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RunSteps, runSteps } from '../../../src/formats/summary/run-steps.ts';
import { truthFromRecords } from '../../../src/formats/truth/table.ts';
import type { Redacted } from '../../../src/formats/json/preview.ts';
import { configWith, foldingOf } from '../../support/folding.ts';

const calls = Array.from({ length: 14 }, (_, at) => ({ name: `tool ${at}`, arguments: {} }));
const results = [
  { call: 0, ok: false, error: `timeout ${'x'.repeat(300)}` },
  { call: 1, ok: true, output: 'secret' },
  { call: 2, ok: false },
];
const run = { tool_calls: calls, results, steps: 15, run_seconds: 7, output: 'Done.' };

/** The steps of an event, as a page shows them that hides some arguments. */
function shown(event: object, redact: Redacted = new Set()): RunSteps | null {
  const truth = { example_id: 'e', label: 'direct' as const, tools: null, expected_tool_calls: null, reference: null };
  const { fold, add } = foldingOf(configWith(), truthFromRecords([truth]));
  const steps: (RunSteps | null)[] = [];
  fold.out.onScored = (scored) => void steps.push(runSteps(scored.event, { charactersMax: 200, redact }));
  add([{ example_id: 'e', ts: Date.UTC(2026, 4, 1), ...event }]);
  assert.equal(steps.length, 1);
  return steps[0]!;
}

test('a run has its first calls with their results, in short texts', () => {
  const { calls: first, ...rest } = shown(run)!;
  assert.deepEqual(rest, { answers: 15, seconds: 7, more_calls: 2, answered: true });
  assert.equal(first.length, 12);
  assert.equal(first[0]!.error!.length, 201);
  assert.deepEqual(first.slice(1, 4), [
    { name: 'tool 1', ok: true, error: null },
    { name: 'tool 2', ok: false, error: null },
    { name: 'tool 3', ok: null, error: null },
  ]);
});

test('errors are hidden where arguments are; an event of one answer has no steps', () => {
  assert.equal(shown(run, new Set(['card']))!.calls[0]!.error, '[hidden]');
  assert.equal(shown(run, 'all')!.calls[0]!.error, '[hidden]');
  assert.equal(shown({ tool_calls: calls }), null);
});
