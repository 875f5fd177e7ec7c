import * as z from 'zod';
import type { AnyDeclaration } from '../scoring/family.ts';
import { rejectCodes } from '../state/reject.ts';
import { blockSchema } from './declared.ts';
import { count, each, instant } from './shapes.ts';

/** A group: one value of a set of dimensions in one window, with the block of each family. */
function groupSchema(families: readonly AnyDeclaration[]): z.ZodType {
  const blocks = families.map(({ name, metrics }) => [name, blockSchema(metrics).nullable().optional()] as const);
  return z
    .strictObject({
      slice: z.record(z.string(), z.string()).describe('Dimensions and their values; {} is the total.'),
      window: z.string().describe('all, or a window as configured.'),
      ...Object.fromEntries(blocks),
    })
    .meta({
      id: 'group',
      description:
        'One value of a set of dimensions in one window. A family that scored nothing is null, a disabled one absent.',
    });
}

/** The summary (docs/reference/outputs.md) of some families. */
export function summarySchema(families: readonly AnyDeclaration[]): z.ZodType {
  return z
    .strictObject({
      format: z.literal('assay.summary/1'),
      version: z.string().describe('Version of the program.'),
      config_hash: z.string(),
      mode: z.enum(['spec', 'upstream']),
      as_of: instant.nullable().describe('Time T of the view; null where nothing was read.'),
      truth: z.strictObject({ version: z.string(), rows: count }).nullable(),
      partitions: z.array(z.string()).describe('topic/partition; empty in replay.'),
      records: z.strictObject({
        ...each(
          ['read', 'scored', 'pending', 'expired', 'duplicates', 'late', 'unverified', 'calls_not_recorded'],
          count,
        ),
        rejected: z.partialRecord(z.enum(rejectCodes), count),
      }),
      groups: z
        .array(groupSchema(families))
        .describe('The total first, then set by set as configured; window all, then each ascending.'),
    })
    .describe('Summary of what was scored.');
}
