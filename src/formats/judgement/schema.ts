import * as z from 'zod';
import { isObject } from '../../scoring/json.ts';
import { type Failure, failures, type Judgement, usualScale } from '../../scoring/judgement/judgement.ts';
import { problemOf } from '../json/problem.ts';
import { eventSchema, idSchema, nameSchema } from '../prediction/schema.ts';

/** Least chance with which an event may have been chosen to be judged: squares of weights stay exact sums. */
export const leastProbability = 1e-6;

const { example_id, ts, model, agent, tags } = eventSchema.shape;

const amount = (of: z.ZodNumber) => of.min(0, 'must be a number of at least 0').nullish();

/** One judgement (docs/reference/judgements.md). For every field null means absent; unknown fields are left alone. */
export const judgementSchema = z
  .looseObject({
    judgement: nameSchema
      .refine((name) => name !== '', 'must not be empty')
      .describe('judge, semantic, or a name of your own.'),
    id: idSchema.nullish().describe('Identity for de-duplication: of prediction, judgement, judge and rubric.'),
    example_id,
    ts: ts.describe(
      'Event time of the prediction: ISO 8601 (without a zone: UTC) or epoch milliseconds, 2000 to 2100.',
    ),
    model: model.describe('That of the prediction.'),
    agent: agent.describe('That of the prediction.'),
    tags: tags.describe('Those of the prediction.'),
    score: z.number('must be a number').nullish().describe('Clamped to the scale. Absent where the judge failed.'),
    scale: z
      .tuple([z.number(), z.number()], 'must be two numbers')
      .refine(([least, greatest]) => least < greatest, 'must ascend')
      .nullish()
      .describe('Least and greatest score. Default: 1 and 7 for judge, -1 and 1 for semantic, else 0 and 1.'),
    failed: z
      .enum(failures, `must be one of ${failures.join(', ')}`)
      .nullish()
      .describe('Why there is no score.'),
    by: nameSchema.nullish().describe('Who judged: a model, or human:<name>. Default: unknown.'),
    rubric: z.string('must be a text').nullish().describe('Hash of the instructions of the judge.'),
    probability: z
      .number('must be a number')
      .min(leastProbability, `must be from ${leastProbability} to 1`)
      .max(1, `must be from ${leastProbability} to 1`)
      .nullish()
      .describe('The chance with which the prediction was chosen. Default: 1.'),
    exact: z.boolean('must be true or false').nullish().describe('Whether the rules call the prediction right.'),
    reference: z
      .boolean('must be true or false')
      .nullish()
      .describe('False: it was judged without truth, by the request alone. Default: true.'),
    reason: z.string('must be a text').nullish().describe('In the words of the judge; not read.'),
    cost: z
      .looseObject(
        {
          input_tokens: amount(z.int('must be an integer')),
          output_tokens: amount(z.int('must be an integer')),
          usd: amount(z.number('must be a number')),
        },
        'must be an object',
      )
      .nullish()
      .describe('What it cost.'),
  })
  .meta({ id: 'judgement' });

/** One judgement as JSON gives it. */
export type RawJudgement = Readonly<z.infer<typeof judgementSchema>>;

/** The problem of a value that is no judgement: place, expected, value; undefined where it is one. */
export function judgementProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'the judgement: must be a JSON object, or an array of objects';
  const problem = problemOf(judgementSchema, value);
  if (problem !== undefined) return problem;
  const { score = null, failed = null } = value as RawJudgement;
  if (score === null && failed === null) return 'score is absent, and failed names no reason; give one of them';
  return score === null || failed === null
    ? undefined
    : 'there is a score, and failed names a reason; give one of them';
}

/** The judgement of a value that has no problem. */
export function judgementOf(raw: RawJudgement): Judgement {
  const { judgement: name, scale, failed, probability, exact, cost, by } = raw;
  return {
    name,
    score: raw.score ?? undefined,
    scale: scale ?? usualScale(name),
    failed: (failed ?? undefined) as Failure | undefined,
    by: by || 'unknown',
    probability: probability ?? 1,
    exact: exact ?? undefined,
    hasReference: raw.reference ?? true,
    cost: {
      inputTokens: cost?.input_tokens ?? 0,
      outputTokens: cost?.output_tokens ?? 0,
      nanoUsd: Math.round(1e9 * (cost?.usd ?? 0)),
    },
  };
}
