import * as z from 'zod';
import type { AnyDeclaration } from '../scoring/family.ts';
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
      source: z.union([
        z.strictObject({ topic: z.string(), partition: count, offset: count }),
        z.strictObject({ file: z.string(), line: z.int().min(1) }),
      ]),
      ...Object.fromEntries(parts),
    })
    .describe('One scored event, and why. A family that does not apply is null, a disabled one absent.');
}
