import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Joined, Mode } from '../../src/scoring/family.ts';
import { isObject, type Json, type JsonObject } from '../../src/scoring/json.ts';
import type { Call } from '../../src/scoring/prediction.ts';
import type { Rate } from '../../src/scoring/reading.ts';
import { type SchemaWeights, schema } from '../../src/scoring/schema/index.ts';
import type { ExpectedCall } from '../../src/scoring/truth.ts';
import { recordedCases } from '../support/fixtures.ts';
import { joined } from '../support/joined.ts';
import { near } from '../support/near.ts';
import { blockOf, rowOf } from '../support/scoring.ts';

interface Sample {
  readonly expected: ExpectedCall[] | null;
  readonly predicted: JsonObject[];
  readonly tools: Json[] | null;
  readonly backend_error?: string;
}

interface Case {
  readonly name: string;
  readonly tags?: readonly string[];
  readonly input: { readonly samples: Sample[] };
  readonly config: { readonly weights: Partial<SchemaWeights> | null };
  readonly expected: {
    readonly per_sample: {
      expected_tool: string | null;
      predicted_tool: string | null;
      tool_selection_correct: boolean;
      parameters_correct: boolean;
      execution_valid: boolean;
      error: boolean;
    }[];
    readonly metrics: Record<string, number>;
  };
  readonly expected_spec?: { readonly summary: unknown; readonly rows: unknown[] };
}

test('the recorded cases of DeepFabric', (t) => {
  const cases = recordedCases<Case>('deepfabric');
  assert.ok(cases.length >= 30);
  for (const one of cases) {
    for (const mode of ['spec', 'upstream'] as const) {
      check(
        one,
        mode,
        one.input.samples.map((sample) => eventOf(sample, 'event')),
      );
      // A truth table keeps no descriptions, so tools with odd ones are odd in an event only.
      if (one.tags?.includes('odd_tool')) continue;
      check(
        one,
        mode,
        one.input.samples.map((sample) => eventOf(sample, 'truth')),
      );
    }
  }
  t.diagnostic(`${cases.length} cases`);
});

function eventOf({ expected, predicted, tools, backend_error }: Sample, toolsOf: 'event' | 'truth'): Joined {
  return joined(
    {
      calls: predicted.map(readCall),
      error: backend_error,
      tools: toolsOf === 'event' ? (tools ?? undefined) : undefined,
    },
    { expected: expected ?? [], tools: toolsOf === 'truth' ? (tools ?? undefined) : undefined },
  );
}

function readCall(call: JsonObject): Call {
  const name = call['name'];
  const args = call['arguments'] ?? {};
  return { name: typeof name === 'string' ? name : undefined, arguments: isObject(args) ? args : undefined };
}

function check(one: Case, mode: Mode, events: readonly Joined[]): void {
  const family = schema({ mode, weights: weightsOf(one.config.weights), deep: undefined });
  const rows = events.map((event) => rowOf(family, event)!);
  const block = blockOf(family, events)!;
  const spec = inSpec[one.name];
  if (mode === 'spec' && spec === undefined && one.expected_spec) {
    near(rows, one.expected_spec.rows, one.name);
    const { unchecked_arguments: _, ...recorded } = block;
    near(recorded, one.expected_spec.summary, one.name);
    return;
  }
  if (mode === 'spec' && spec !== undefined) {
    const found = rows.map((row) => (row['skipped'] ? 'skipped' : [row['selection'], row['parameters']]));
    assert.deepEqual(found, spec, one.name);
    return;
  }
  const { metrics, per_sample } = one.expected;
  for (const name of ['tool_selection_accuracy', 'parameter_accuracy', 'execution_success_rate']) {
    near((block[name] as Rate).value, metrics[name], `${one.name} ${name}`);
  }
  near(block['overall'], metrics['overall_score'], one.name);
  near(
    [block['n'], block['processing_errors']],
    [metrics['samples_evaluated'], metrics['processing_errors']],
    one.name,
  );
  rows.forEach((row, i) => {
    const sample = per_sample[i]!;
    const found = [row['selection'], row['parameters'], row['execution'], row['error'] !== null];
    const { tool_selection_correct, parameters_correct, execution_valid, error } = sample;
    assert.deepEqual(found, [tool_selection_correct, parameters_correct, execution_valid, error], `${one.name} ${i}`);
    const names = error ? [null, null] : [sample.expected_tool, sample.predicted_tool];
    if (mode === 'upstream') assert.deepEqual([row['expected_tool'], row['predicted_tool']], names, `${one.name} ${i}`);
  });
}

/** What mode spec says (docs/reference/scoring.md, "schema") where the recording has none of its own: selection and parameters of each sample, or skipped. */
const inSpec: Readonly<Record<string, readonly unknown[]>> = {
  df05_empty_expected_and_empty_predicted_shortcut: [
    [false, false],
    [true, false],
  ],
  df08_no_tool_expected_and_none_called: ['skipped', [true, true]],
  df11_hallucinated_tool_falls_back_to_value_compare: [
    [false, false],
    [false, false],
    [false, false],
  ],
  df18_null_in_ground_truth_args: [[true, true]],
  df20_unknown_type_defaults_to_str: [
    [true, true],
    [true, false],
  ],
  // A missing or unknown type accepts any value; type null only null, and String only text.
  ho_df_adv_type_matrix_4_unknown_types: [1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1].map((fits) => [true, fits === 1]),
};

function weightsOf(given: Partial<SchemaWeights> | null): SchemaWeights {
  const none = { tool_selection: 0, parameter_accuracy: 0, execution_success: 0, response_quality: 0 };
  const usual = { tool_selection: 0.4, parameter_accuracy: 0.35, execution_success: 0.25, response_quality: 0 };
  return { ...none, ...(given ?? usual) };
}
