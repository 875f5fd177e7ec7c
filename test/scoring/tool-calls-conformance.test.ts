import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mode } from '../../src/scoring/family.ts';
import type { JsonObject } from '../../src/scoring/json.ts';
import { toolCalls } from '../../src/scoring/tool-calls.ts';
import { recordedCases } from '../support/fixtures.ts';
import { joined } from '../support/joined.ts';
import { near } from '../support/near.ts';
import { blockOf, rowOf } from '../support/scoring.ts';

interface RecordedCall {
  readonly name: string;
  readonly arguments: JsonObject | null;
}

interface Case {
  readonly name: string;
  readonly input: { readonly toolCalls: RecordedCall[] | null; readonly referenceToolCalls: RecordedCall[] | null };
  readonly config: { readonly mode?: 'STRICT' | 'FLEXIBLE'; readonly argumentMatchThreshold?: number };
  readonly expected: {
    readonly score: number | null;
    readonly truePositives?: number;
    readonly falsePositives?: number;
    readonly falseNegatives?: number;
  };
  readonly expected_spec?: {
    readonly options: { threshold: number };
    readonly summary: unknown;
    readonly rows: unknown[];
  };
}

test('the recorded cases of spring-ai-ragas', (t) => {
  const cases = recordedCases<Case>('spring-ai-ragas');
  assert.ok(cases.length > 30);
  for (const one of cases) {
    check(one, 'upstream');
    check(one, 'spec');
  }
  t.diagnostic(`${cases.length} cases`);
});

function check(one: Case, mode: Mode): void {
  const family = toolCalls({ mode, threshold: one.config.argumentMatchThreshold ?? 0.8 });
  const calls = one.input.toolCalls;
  const event = joined(calls === null ? {} : { calls: calls.map(read) }, {
    expected: (one.input.referenceToolCalls ?? []).map(read),
  });
  const row = rowOf(family, event);
  const block = blockOf(family, [event]);
  if (one.expected_spec && mode === 'spec') {
    near([row], one.expected_spec.rows, one.name);
    near(block, one.expected_spec.summary, one.name);
    return;
  }
  const compared = one.config.mode === 'FLEXIBLE' ? 'flexible' : 'strict';
  const { score, truePositives = 0, falsePositives = 0 } = one.expected;
  if (score === null) {
    near(row, { skipped: true }, one.name);
    return;
  }
  const falseNegatives = one.expected.falseNegatives ?? event.truth.expected!.length;
  const counts = { f1: score, tp: truePositives, fp: falsePositives, fn: falseNegatives };
  near((row as JsonObject)[compared], counts, one.name);
  const { f1, tp, fp, fn } = (block as Record<string, Record<string, unknown>>)[compared]!;
  near({ f1: (f1 as { value: number }).value, tp, fp, fn }, counts, one.name);
}

function read(call: RecordedCall): { name: string; arguments: JsonObject } {
  return { name: call.name, arguments: call.arguments ?? {} };
}
