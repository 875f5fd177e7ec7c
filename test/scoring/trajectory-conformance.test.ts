import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Joined, Mode } from '../../src/scoring/family.ts';
import type { JsonObject } from '../../src/scoring/json.ts';
import { trajectory } from '../../src/scoring/trajectory/index.ts';
import { recordedCases, recordedTraffic } from '../support/fixtures.ts';
import { joined } from '../support/joined.ts';
import {
  type Block,
  type ByMode,
  type Case,
  checkRow,
  countsOf,
  mapped,
  type RecordedAverages,
  type RecordedCalls,
  type RecordedTask,
  type Row,
} from '../support/mcpeval.ts';
import { near } from '../support/near.ts';
import { blockOf, rowOf, trajectoryDefaults } from '../support/scoring.ts';

test('the recorded cases of MCPEval', (t) => {
  const cases = recordedCases<Case>('mcpeval');
  assert.ok(cases.length > 30);
  for (const one of cases) {
    checkCase(one, 'upstream');
    checkCase(one, 'spec');
  }
  t.diagnostic(`${cases.length} cases`);
});

function checkCase(one: Case, mode: Mode): void {
  const { weights, thresholds } = one.config;
  const family = trajectory({
    mode,
    weights,
    paramThreshold: thresholds.flexible_param,
    orderThreshold: thresholds.flexible_order,
    minCombinationCount: 1,
  });
  const events = eventsOf(one);
  const block = blockOf(family, events) as unknown as Block;
  const rows = events.map((event) => rowOf(family, event) as unknown as Row);
  const where = `${one.name} (${mode})`;
  if (one.expected_spec && mode === 'spec') {
    near(rows, one.expected_spec.rows, where);
    near(block, one.expected_spec.summary, where);
    return;
  }
  one.expected.task_results.forEach((task, index) => {
    checkRow(rows[index]!, task, mode, `${where} task ${index}`);
    if (mode === 'upstream') {
      const { parameter_mismatches } = blockOf(family, [events[index]!]) as unknown as Block;
      near(parameter_mismatches, countsOf(task.param_mismatches), where);
    }
  });
  checkSummary(block, one, mode, where);
  if (mode === 'upstream') checkBreakdowns(block, one.expected, where);
}

function checkSummary(block: Block, one: Case, mode: Mode, where: string): void {
  const { summary, task_results } = one.expected;
  near([block.tasks, block.tasks_with_matching_tools], [summary.total_tasks, summary.tasks_with_matching_tools], where);
  const averages = (found: Block['strict'], recorded: RecordedAverages, successes: number): void => {
    assert.equal(found['success']!.numerator, successes, where);
    near(
      ['name', 'param', 'order', 'overall'].map((key) => found[key]!.value),
      [
        recorded.average_name_match_score,
        recorded.average_param_match_score,
        recorded.average_order_match_score,
        recorded.average_overall_score,
      ],
      where,
    );
  };
  const exact = task_results.filter((task) => task.strict.success && task.counts.tool_count_match).length;
  const strict = mode === 'upstream' ? summary.exact_match.tasks_with_complete_success : exact;
  averages(block.strict, summary.exact_match, strict);
  averages(block.flexible, summary.flexible_match, summary.flexible_match.tasks_with_complete_success);
}

function checkBreakdowns(block: Block, expected: Case['expected'], where: string): void {
  const { parameter_mismatches, tool_usage, success_patterns } = expected;
  if (parameter_mismatches) near(block.parameter_mismatches, parameter_mismatches, where);
  if (tool_usage) {
    near(
      mapped(block.missing_tools, (tool) => tool.occurrences),
      tool_usage.missing_tools,
      where,
    );
    near(
      mapped(block.extra_tools, (tool) => tool.occurrences),
      tool_usage.extra_tools,
      where,
    );
  }
  if (!success_patterns) return;
  const tools = mapped(block.tools, ({ success }) => [success.numerator, success.denominator]);
  near(
    tools,
    mapped(success_patterns.by_tool, (tool) => [tool.successful_tasks, tool.total_tasks]),
    where,
  );
  checkPatterns(block.by_call_count, success_patterns.by_tool_count, where);
  checkPatterns(block.by_combination, success_patterns.by_tool_combination, where);
}

function checkPatterns(found: Block['by_call_count'], recorded: ByMode, where: string): void {
  for (const mode of ['strict', 'flexible'] as const) {
    const { success, failure } = recorded[mode];
    const keys = [...new Set([...Object.keys(success), ...Object.keys(failure)])];
    const fractions = keys.map((key) => {
      const successes = Object.hasOwn(success, key) ? success[key]! : 0;
      const failures = Object.hasOwn(failure, key) ? failure[key]! : 0;
      return [key, [successes, successes + failures]] as const;
    });
    near(
      mapped(found, (entry) => [entry[mode].numerator, entry[mode].denominator]),
      Object.fromEntries(fractions),
      where,
    );
  }
}

function eventsOf(one: Case): readonly Joined[] {
  const predictions = new Map(one.input.predictions.map((prediction) => [prediction.task_id, prediction]));
  return one.input.ground_truth.flatMap((truth) => {
    const prediction = predictions.get(truth.id);
    return prediction ? [joined({ calls: callsOf(prediction) }, { expected: callsOf(truth) })] : [];
  });
}

function callsOf({ tool_calls }: RecordedCalls): { name: string; arguments: JsonObject }[] {
  return tool_calls.map((call) => ({ name: call.tool_name, arguments: call.tool_parameters ?? {} }));
}

interface NativeCall {
  readonly name: string;
  readonly arguments: JsonObject;
}
interface TruthLine {
  readonly example_id: string;
  readonly expected_tool_calls: readonly NativeCall[];
}
interface PredictionLine {
  readonly example_id: string;
  readonly tool_calls: readonly NativeCall[];
  readonly oracle: RecordedTask;
}

test("MCPEval's own scores of 310 recorded trajectories", (t) => {
  const family = trajectory({ ...trajectoryDefaults, mode: 'upstream' });
  const truths = new Map(
    recordedTraffic<TruthLine>('mcpeval-truth').map((truth) => [truth.example_id, truth.expected_tool_calls]),
  );
  const predictions = recordedTraffic<PredictionLine>('mcpeval-predictions');
  for (const prediction of predictions) {
    const event = joined({ calls: prediction.tool_calls }, { expected: truths.get(prediction.example_id)! });
    checkRow(rowOf(family, event) as unknown as Row, prediction.oracle, 'upstream', prediction.example_id);
    const block = blockOf(family, [event]) as unknown as Block;
    near(block.parameter_mismatches, countsOf(prediction.oracle.param_mismatches), prediction.example_id);
  }
  assert.equal(predictions.length, 310);
  t.diagnostic(`${predictions.length} trajectories`);
});
