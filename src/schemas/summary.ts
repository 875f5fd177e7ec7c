import * as z from 'zod';
import type { AnyDeclaration } from '../scoring/family.ts';
import { rejectCodes } from '../state/reject.ts';
import { blockSchema } from './declared.ts';
import { noteKinds } from '../view/input-report.ts';
import { recordNames } from '../view/summary.ts';
import { count, each, instant, number, place, rate } from './shapes.ts';

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

/** The watch of one group. */
const watch = z
  .strictObject({
    watch: z.string().describe('Path of the rate in a group.'),
    slice: z.record(z.string(), z.string()).describe('Dimensions and their values; {} is the total.'),
    firing: z.boolean(),
    learning: z.boolean().describe('There is no baseline yet, or no rate of cases.'),
    since: instant.nullable().describe('While it fires: when the rate went up.'),
    rate: z
      .strictObject({ value: z.number(), numerator: count, denominator: count })
      .nullable()
      .describe('While it fires: bad cases since then.'),
    statistic: z.number().describe('It fires from the threshold on.'),
    threshold: number,
    baseline: number.describe('Share of bad cases while all is well.'),
    worst: number.describe('Share of bad cases that is caught soonest.'),
    false_alarm_cases: number.describe('Mean cases between false alarms.'),
    delay_cases: z
      .strictObject({ worst: z.number(), twice_worst: z.number() })
      .nullable()
      .describe('Mean cases until it fires at the worst rate, and at twice that.'),
    design_effect: z
      .number()
      .describe('What a case counts less because runs of an example are alike: 1 is independent.'),
  })
  .meta({ id: 'watch', description: 'How the watch of one rate of one group stands.' });

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
          recordNames.filter((name) => name !== 'rejected'),
          count,
        ),
        rejected: z.partialRecord(z.enum(rejectCodes), count),
      }),
      coverage: rate.describe('Scored events of those read, duplicates aside.'),
      input: z
        .array(
          z.strictObject({
            kind: z.enum(noteKinds as [string, ...string[]]),
            count,
            what: z.string().describe('What is counted.'),
            first: place.nullable().describe('The first place; null where this process saw none.'),
            value: z
              .string()
              .nullable()
              .describe('What was there, shortened; null where it is hidden or says nothing.'),
            remedy: z.string(),
          }),
        )
        .describe('What was wrong with the input: the kinds that occurred.'),
      groups: z
        .array(groupSchema(families))
        .describe('The total first, then set by set as configured; window all, then each ascending.'),
      watches: z.array(watch).describe('Rule by rule, set by set; empty where nothing is watched.'),
    })
    .describe('Summary of what was scored.');
}
