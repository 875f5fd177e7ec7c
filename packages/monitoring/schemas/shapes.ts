import * as z from 'zod';

/** The shapes that numbers have in every output (docs/reference/outputs.md), and what several schemas share. */

export const rate: z.ZodType = z
  .strictObject({
    value: z.number().nullable().describe('numerator / denominator; null at 0/0.'),
    numerator: z.int().min(0),
    denominator: z.int().min(0),
    lower: z.number().min(0).max(1).nullable().describe('Lower end of the Wilson interval.'),
    upper: z.number().min(0).max(1).nullable().describe('Upper end of the Wilson interval.'),
    lower_always: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .optional()
      .describe('In window all: lower end that holds always.'),
    upper_always: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .optional()
      .describe('In window all: upper end that holds always.'),
  })
  .meta({ id: 'rate', description: 'A share, with its counts and its confidence interval.' });

export const mean: z.ZodType = z
  .strictObject({
    value: z.number().nullable().describe('sum / count; null at count 0.'),
    sum: z.number(),
    count: z.int().min(0),
  })
  .meta({ id: 'mean', description: 'A mean, with its sum and its count.' });

export const estimate: z.ZodType = z
  .strictObject({
    value: z.number().nullable().describe('Of all traffic; null where nothing was judged.'),
    lower: z.number().nullable().describe('Lower end of its interval; null for one event.'),
    upper: z.number().nullable().describe('Upper end of its interval; null for one event.'),
  })
  .meta({ id: 'estimate', description: 'What is estimated of all traffic from a part of it.' });

export const count: z.ZodType = z.int().min(0).meta({ id: 'count', description: 'A number of things.' });

/** A number that is null where there is nothing to divide by. */
export const number: z.ZodType = z
  .number()
  .nullable()
  .meta({ id: 'number', description: 'A number; null where there is nothing to compute it from.' });

export const band: z.ZodType = z.enum(['excellent', 'good', 'fair', 'poor']).nullable();

export const instant: z.ZodType = z.iso.datetime().describe('ISO 8601, UTC.');

/** Where a record lies, or an element of one that is an array. */
export const place: z.ZodType = z.union([
  z.strictObject({ topic: z.string(), partition: count, offset: count, element: count.optional() }),
  z.strictObject({ file: z.string(), line: z.int().min(1), element: count.optional() }),
]);

/** Fields by name, all of one schema. */
export function each(names: readonly string[], schema: z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(names.map((name) => [name, schema]));
}
