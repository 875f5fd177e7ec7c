import * as z from 'zod';
import type { Mode } from '../scoring/family.ts';
import type { MetricsConfig } from './config.ts';
import { choice, duration, flag, number, whole } from './fields.ts';

/** A stability group keeps a label for each run: what a million groups hold must stay small. */
export const runsMax = 32;

const confidence = 'is not a confidence level; give a number above 0 and below 1, such as 0.95';

const shared = {
  enabled: flag().default(true).describe('Whether the family is scored and reported.'),
  mode: choice('spec', 'upstream').optional().describe('Overrides metrics.mode for this family.'),
};

const emptyLeaves = flag()
  .default(false)
  .describe('Whether an empty object or array is a field of its own, with the text {} or [].');

const decision = z.strictObject({
  ...shared,
  invalid_as: choice('wrong', 'cannot_answer')
    .optional()
    .describe('What a missing or invalid label counts as. Default: wrong; in mode upstream cannot_answer.'),
});

const stability = z.strictObject({
  ...shared,
  k: whole(1, runsMax).default(5).describe('Runs of an example that make a complete group.'),
  form: choice('closed', 'rolling')
    .default('closed')
    .describe('closed: final once runs 0 to k-1 are there. rolling: the k runs with the highest indices.'),
  keep: duration(1)
    .prefault('7d')
    .describe('A group without a run for so long (event time) leaves memory; what it added stays.'),
});

const trajectory = z.strictObject({
  ...shared,
  weights: z
    .strictObject({
      name: number().default(0.4).describe('Weight of the names.'),
      params: number().default(0.4).describe('Weight of the parameters.'),
      order: number().default(0.2).describe('Weight of the order.'),
    })
    .prefault({})
    .describe(
      'Weights of the overall score, of any scale: they are divided by their sum. A missing key keeps its default.',
    ),
  param_threshold: number().default(0.6).describe('Least parameter score of every call for flexible success.'),
  order_threshold: number().default(0.5).describe('Least order score for flexible success.'),
  min_combination_count: whole(0).default(5).describe('Combinations of tools with fewer tasks are not listed.'),
});

const schema = z.strictObject({
  ...shared,
  weights: z
    .strictObject({
      tool_selection: number().default(0),
      parameter_accuracy: number().default(0),
      execution_success: number().default(0),
      response_quality: number().default(0),
    })
    .default({ tool_selection: 0.4, parameter_accuracy: 0.35, execution_success: 0.25, response_quality: 0 })
    .describe(
      'Weights of the overall score, taken as they are. Given weights replace all of these: a missing key is 0.',
    ),
  deep: flag().default(false).describe('Whether arguments are validated against the whole JSON Schema of the tool.'),
});

const fields = z.strictObject({ ...shared, empty_leaves: emptyLeaves });

const later = z.strictObject({
  enabled: z
    .literal(false, { error: 'cannot be switched on: this version does not have the family' })
    .default(false)
    .describe('Not in this version.'),
});

const written = z.strictObject({
  mode: choice('spec', 'upstream')
    .default('spec')
    .describe('Numbers by the published definition (spec), or as the defining system computes them (upstream).'),
  decision: decision.prefault({}).describe('What did the agent decide to do?'),
  stability: stability.prefault({}).describe('Does the agent decide the same again?'),
  tool_calls: z
    .strictObject({ ...shared, threshold: number().default(0.8).describe('Least similarity of a flexible match.') })
    .prefault({})
    .describe('F1 over calls, in any order.'),
  trajectory: trajectory.prefault({}).describe('Calls compared position by position.'),
  schema: schema.prefault({}).describe('Would the first call run?'),
  arguments: fields.prefault({}).describe('Fields of the arguments of one call.'),
  structured: fields.prefault({}).describe('Fields of a JSON answer.'),
  semantic: later.prefault({}).describe('Similarity of meaning.'),
  judge: later.prefault({}).describe('Verdict of a judging model.'),
  interval: z
    .number({ error: confidence })
    .gt(0, { error: confidence })
    .lt(1, { error: confidence })
    .default(0.95)
    .describe('Confidence level of the intervals of rates.'),
});

/** `metrics`: the families, their modes and options, with the defaults of the metric specification. */
export const metricsSchema: z.ZodType<MetricsConfig, unknown> = written.transform(resolveModes);

/** Gives each family its mode, and what follows from it. */
function resolveModes(metrics: z.output<typeof written>): MetricsConfig {
  const modeOf = <Own extends { enabled: boolean; mode?: Mode | undefined }>({
    enabled,
    mode = metrics.mode,
    ...options
  }: Own) => ({ enabled, mode, ...options });
  const decision = modeOf(metrics.decision);
  const invalidAs = decision.mode === 'upstream' ? 'cannot_answer' : 'wrong';
  return {
    ...metrics,
    decision: { ...decision, invalid_as: decision.invalid_as ?? invalidAs },
    stability: modeOf(metrics.stability),
    tool_calls: modeOf(metrics.tool_calls),
    trajectory: modeOf(metrics.trajectory),
    schema: modeOf(metrics.schema),
    arguments: modeOf(metrics.arguments),
    structured: modeOf(metrics.structured),
  };
}
