import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelsOf, spikingModel } from '../../src/commands/demo/scenario.ts';
import { createTraffic } from '../../src/commands/demo/traffic.ts';

interface Work {
  readonly label: string;
  readonly tool_calls: readonly { readonly name: string }[];
  readonly results?: readonly { readonly call: number; readonly ok: boolean; readonly error?: string }[];
  readonly steps?: number;
  readonly output: unknown;
}

test('agents of the demonstration work in steps: a tool fails, the call is made again, an answer follows', () => {
  const traffic = createTraffic({ seed: 7, examples: 400, runs: 5, duplicates: 0, malformed: 0 });
  const events = Array.from({ length: 2_000 }, () => JSON.parse(traffic.next(0, undefined)[0]!.value) as Work);
  const runs = events.filter(({ label }) => label === 'tool_call');
  for (const { results, tool_calls: calls, steps, output } of runs) {
    assert.deepEqual(
      results!.map(({ call }) => call),
      calls.map((_, at) => at),
    );
    assert.equal(steps, calls.length + 1);
    assert.equal(typeof output, 'string');
  }
  const retried = runs.filter(({ tool_calls: calls, results }) =>
    results!.some(({ ok }, at) => !ok && calls[at + 1]?.name === calls[at]!.name && results![at + 1]!.ok),
  );
  const failed = runs.filter(({ results }) => results!.some(({ ok }) => !ok));
  assert.ok(retried.length > 0 && retried.length < failed.length, `${retried.length} of ${failed.length}`);
  assert.ok(failed.length < 0.1 * runs.length, `${failed.length} of ${runs.length}`);
  assert.ok(events.every(({ label, results }) => label === 'tool_call' || results === undefined));
});

test('the model that goes wrong is one of those that predict, however few there are', () => {
  assert.deepEqual([1, 2, 3, 60].map(spikingModel), ['atlas-large', 'atlas-mini', 'atlas-mini', 'atlas-mini']);
  assert.deepEqual(
    modelsOf(2).map(({ name }) => name),
    ['atlas-large', 'atlas-mini'],
  );
});
