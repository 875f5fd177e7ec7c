import type { Mode } from '../../src/scoring/family.ts';
import type { Json, JsonObject } from '../../src/scoring/json.ts';
import { near } from './near.ts';

/** The forms in which MCPEval records calls and scores. */
export interface RecordedCalls {
  readonly tool_calls: readonly { readonly tool_name: string; readonly tool_parameters: JsonObject | null }[];
}

export interface RecordedScore {
  readonly success: boolean;
  readonly overall_score: number;
  readonly tool_name_score: number;
  readonly param_match_score: number;
  readonly order_score: number;
}

export interface RecordedTask {
  readonly counts: { readonly tool_count_match: boolean };
  readonly strict: RecordedScore;
  readonly flexible: RecordedScore;
  readonly missing_tools: readonly string[];
  readonly extra_tools: readonly string[];
  readonly param_mismatches: Readonly<Record<string, Readonly<Record<string, readonly [Json, Json]>>>>;
}

export interface RecordedAverages {
  readonly tasks_with_complete_success: number;
  readonly average_name_match_score: number;
  readonly average_param_match_score: number;
  readonly average_order_match_score: number;
  readonly average_overall_score: number;
}

export type Numbers = Readonly<Record<string, number>>;
export interface ByMode {
  readonly strict: { readonly success: Numbers; readonly failure: Numbers };
  readonly flexible: { readonly success: Numbers; readonly failure: Numbers };
}

export interface Case {
  readonly name: string;
  readonly input: {
    readonly ground_truth: readonly ({ readonly id: string } & RecordedCalls)[];
    readonly predictions: readonly ({ readonly task_id: string } & RecordedCalls)[];
  };
  readonly config: {
    readonly weights: { readonly name: number; readonly params: number; readonly order: number };
    readonly thresholds: { readonly flexible_param: number; readonly flexible_order: number };
  };
  readonly expected: {
    readonly task_results: readonly RecordedTask[];
    readonly summary: {
      readonly total_tasks: number;
      readonly tasks_with_matching_tools: number;
      readonly exact_match: RecordedAverages;
      readonly flexible_match: RecordedAverages;
    };
    readonly parameter_mismatches?: Readonly<Record<string, Numbers>>;
    readonly tool_usage?: { readonly missing_tools: Numbers; readonly extra_tools: Numbers };
    readonly success_patterns?: {
      readonly by_tool_count: ByMode;
      readonly by_tool_combination: ByMode;
      readonly by_tool: Readonly<Record<string, { readonly total_tasks: number; readonly successful_tasks: number }>>;
    };
  };
  readonly expected_spec?: { readonly summary: unknown; readonly rows: readonly unknown[] };
}

export interface Row {
  readonly strict: Json;
  readonly flexible: Json;
  readonly missing: Json;
  readonly extra: Json;
  readonly mismatches: readonly { readonly parameter: string; readonly expected: Json; readonly actual: Json }[];
}

export interface Block {
  readonly tasks: number;
  readonly tasks_with_matching_tools: number;
  readonly strict: Readonly<Record<string, { readonly value: number; readonly numerator: number }>>;
  readonly flexible: Readonly<Record<string, { readonly value: number; readonly numerator: number }>>;
  readonly parameter_mismatches: unknown;
  readonly tools: Readonly<Record<string, { readonly success: Fraction }>>;
  readonly by_call_count: Readonly<Record<string, { readonly strict: Fraction; readonly flexible: Fraction }>>;
  readonly by_combination: Readonly<Record<string, { readonly strict: Fraction; readonly flexible: Fraction }>>;
  readonly missing_tools: Readonly<Record<string, { readonly occurrences: number }>>;
  readonly extra_tools: Readonly<Record<string, { readonly occurrences: number }>>;
}

export interface Fraction {
  readonly numerator: number;
  readonly denominator: number;
}

/** Mode spec asks strict success for equal counts, which is all that a row of these cases differs in. */
export function checkRow(row: Row, task: RecordedTask, mode: Mode, where: string): void {
  const strict = {
    ...task.strict,
    success: task.strict.success && (mode === 'upstream' || task.counts.tool_count_match),
  };
  near(row.strict, scoresOf(strict), `${where} strict`);
  near(row.flexible, scoresOf(task.flexible), `${where} flexible`);
  near(row.missing, task.missing_tools, `${where} missing`);
  near(row.extra, task.extra_tools, `${where} extra`);
  const recorded = Object.values(task.param_mismatches).flatMap((fields) =>
    Object.entries(fields).map(([parameter, [expected, actual]]) => ({ parameter, expected, actual })),
  );
  const found = row.mismatches.map(({ parameter, expected, actual }) => ({ parameter, expected, actual }));
  near(sorted(found), sorted(recorded), `${where} mismatches`);
}

function sorted(mismatches: readonly unknown[]): readonly unknown[] {
  return [...mismatches].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function scoresOf(score: RecordedScore): unknown {
  return {
    success: score.success,
    name: score.tool_name_score,
    param: score.param_match_score,
    order: score.order_score,
    overall: score.overall_score,
  };
}

export function mapped<V, T>(record: Readonly<Record<string, V>>, value: (entry: V) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).map(([key, entry]) => [key, value(entry)]));
}

export function countsOf(mismatches: RecordedTask['param_mismatches']): unknown {
  return mapped(mismatches, (fields) => mapped(fields, () => 1));
}
