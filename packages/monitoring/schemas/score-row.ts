import * as z from 'zod';
import type { AnyDeclaration } from '../../../src/scoring/family.ts';
import { rowSchema } from './declared.ts';
import { count, instant } from './shapes.ts';

const skipped = z.strictObject({ skipped: z.literal(true) });

/** A score row as NDJSON (docs/reference/outputs.md) of some families. */
export function scoreRowSchema(families: readonly AnyDeclaration[]): z.ZodType {
  const parts = families
    .filter(({ unit }) => unit === 'event')
    .map(
      ({ name, row }) =>
        [
          name,
          z
            .union([rowSchema(row), skipped])
            .nullable()
            .optional(),
        ] as const,
    );
  return z
    .strictObject({
      event_id: z.string().nullable(),
      example_id: z.string(),
      ts: instant.describe('Event time, UTC.'),
      model: z.string(),
      agent: z.string(),
      run: count.nullable(),
      scored: z
        .boolean()
        .describe(
          'False: it waits for its truth; the row has the families that need none, a later row has the others.',
        ),
      source: z.union([
        z.strictObject({ topic: z.string(), partition: count, offset: count }),
        z.strictObject({ file: z.string(), line: z.int().min(1) }),
      ]),
      tags: z.record(z.string(), z.string()).describe('Those that slices use, and those of snapshots.tags.'),
      success: z.boolean().nullable().describe("The run's own verdict."),
      expected_calls: count.nullable(),
      predicted_calls: count.nullable(),
      expected_tools: z.array(z.string()).nullable().describe('Names of the expected calls, in order.'),
      predicted_tools: z.array(z.string()).nullable().describe('Names of the calls made, in order.'),
      calls: z
        .array(z.strictObject({ name: z.string().nullable(), ok: z.boolean().nullable() }))
        .nullable()
        .describe('The calls made, in order; ok: false where its result is an error, null where no result is known.'),
      steps: z.int().min(1).describe('Answers of the model that the run is made of.'),
      run_seconds: z.number().min(0).nullable().describe('Time that the run took.'),
      ...Object.fromEntries(parts),
    })
    .describe('One event that families counted, and why. A family that does not apply is null, a disabled one absent.');
}
