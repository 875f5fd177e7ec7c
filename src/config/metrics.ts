import * as z from 'zod';
import type { Mode } from '../scoring/family.ts';
import { normalizations } from '../scoring/judgement/judgement.ts';
import { choice, duration, flag, key, number, whole } from './fields.ts';
import { match } from './match.ts';

/** A stability group keeps a label for each run: what a million groups hold must stay small. */
const runsMax = 32;

const confidence = 'is not a confidence level; give a number above 0 and below 1, such as 0.95';

const shared = {
  enabled: key(flag().default(true), false, 'Whether the family is scored and reported.'),
  mode: key(choice('spec', 'upstream').optional(), 'upstream', 'Overrides metrics.mode for this family.'),
};

const decision = z.strictObject({
  ...shared,
  invalid_as: key(
    choice('wrong', 'cannot_answer').optional(),
    'cannot_answer',
    'What a missing or invalid label counts as. Default: wrong; in mode upstream cannot_answer.',
  ),
});

const stability = z.strictObject({
  ...shared,
  k: key(whole(1, runsMax).default(5), 3, 'Runs of an example that make a complete group.'),
  form: key(
    choice('closed', 'rolling').default('closed'),
    'rolling',
    'closed: final once runs 0 to k-1 are there. rolling: the k runs with the highest indices.',
  ),
  keep: key(
    duration(1).prefault('7d'),
    '14d',
    'A group without a run for so long (event time) leaves memory; what it added stays.',
  ),
});

const toolCalls = z.strictObject({
  ...shared,
  threshold: key(number().default(0.8), 0.9, 'Least similarity of a flexible match.'),
});

const trajectory = z.strictObject({
  ...shared,
  weights: z
    .strictObject({
      name: key(number().default(0.4), 0.5, 'Weight of the names.'),
      params: key(number().default(0.4), 0.3, 'Weight of the parameters.'),
      order: key(number().default(0.2), 0.1, 'Weight of the order.'),
    })
    .prefault({})
    .describe(
      'Weights of the overall score, of any scale: they are divided by their sum. A missing key keeps its default.',
    ),
  param_threshold: key(number().default(0.6), 0.8, 'Least parameter score of every call for flexible success.'),
  order_threshold: key(number().default(0.5), 0.7, 'Least order score for flexible success.'),
  min_combination_count: key(whole(0).default(5), 1, 'Combinations of tools with fewer tasks are not listed.'),
});

const schema = z.strictObject({
  ...shared,
  weights: z
    .strictObject({
      tool_selection: key(number().default(0), 0.5, 'Weight of the choice of the tool.'),
      parameter_accuracy: key(number().default(0), 0.3, 'Weight of the parameters.'),
      execution_success: key(number().default(0), 0.2, 'Weight of calls that would run.'),
      response_quality: key(number().default(0), 0.1, 'Weight of the quality of the answer.'),
    })
    .default({ tool_selection: 0.4, parameter_accuracy: 0.35, execution_success: 0.25, response_quality: 0 })
    .describe(
      'Weights of the overall score, taken as they are. Given weights replace all of these: a missing key is 0.',
    ),
  deep: key(flag().default(false), true, 'Whether arguments are validated against the whole JSON Schema of the tool.'),
});

const fields = z.strictObject({
  ...shared,
  empty_leaves: key(
    flag().default(false),
    true,
    'Whether an empty object or array is a field of its own, with the text {} or [].',
  ),
});

const threshold = key(number().default(0.85), 0.7, 'Least score, as a share of its scale, that passes.');

const judge = z.strictObject({
  normalization: key(
    choice(...normalizations).default('div7'),
    'minmax',
    'A score as a share of its scale: divided by the greatest (div7: 6 of 1 to 7 is 6/7), or from the least on (minmax: 5/6).',
  ),
  threshold,
});

const written = z.strictObject({
  mode: key(
    choice('spec', 'upstream').default('spec'),
    'upstream',
    'Numbers by the published definition (spec), or as the defining system computes them (upstream).',
  ),
  decision: decision.prefault({}).describe('What did the agent decide to do?'),
  stability: stability.prefault({}).describe('Does the agent decide the same again?'),
  tool_calls: toolCalls.prefault({}).describe('F1 over calls, in any order.'),
  trajectory: trajectory.prefault({}).describe('Calls compared position by position.'),
  schema: schema.prefault({}).describe('Would the first call run?'),
  arguments: fields.prefault({}).describe('Fields of the arguments of one call.'),
  structured: fields.prefault({}).describe('Fields of a JSON answer.'),
  match: match.prefault({}).describe('Calls by the rules that the truth states.'),
  tool_use: z
    .strictObject({ enabled: shared.enabled })
    .prefault({})
    .describe('Rates of calls and their results that need no truth.'),
  semantic: z.strictObject({ threshold }).prefault({}).describe('Judgements of similarity, where they are read.'),
  judge: judge.prefault({}).describe('Judgements of models and people, where they are read.'),
  interval: key(
    z.number({ error: confidence }).gt(0, { error: confidence }).lt(1, { error: confidence }).default(0.95),
    0.99,
    'Confidence level of the intervals of rates.',
  ),
});

/** `metrics`: the families, their modes and options. `mode` of a family is `metrics.mode` unless the family has its own. */
export const metrics = written.transform((metrics) => {
  const withMode = <Own extends { enabled: boolean; mode?: Mode | undefined }>({
    enabled,
    mode = metrics.mode,
    ...options
  }: Own) => ({ enabled, mode, ...options });
  const decision = withMode(metrics.decision);
  const invalidAs = decision.mode === 'upstream' ? 'cannot_answer' : 'wrong';
  return {
    ...metrics,
    decision: { ...decision, invalid_as: decision.invalid_as ?? invalidAs },
    stability: withMode(metrics.stability),
    tool_calls: withMode(metrics.tool_calls),
    trajectory: withMode(metrics.trajectory),
    schema: withMode(metrics.schema),
    arguments: withMode(metrics.arguments),
    structured: withMode(metrics.structured),
  };
});
