import * as z from 'zod';
import { attributionKinds } from '../../../src/scoring/attribution.ts';
import type { AnyDeclaration } from '../../../src/scoring/family.ts';
import { argumentErrors } from '../../../src/scoring/match/kinds.ts';
import { rejectCodes } from '../../../src/state/reject.ts';
import { blockSchema } from './declared.ts';
import { noteKinds } from '../../../src/view/input-report.ts';
import { recordNames } from '../../../src/view/summary.ts';
import { count, each, instant, number, place, rate } from './shapes.ts';

const slice = z.record(z.string(), z.string()).describe('Dimensions and their values; {} is the total.');
const share = z
  .strictObject({ value: z.number(), numerator: count, denominator: z.int().min(1) })
  .meta({ id: 'share', description: 'A share of something, with its counts.' });

/** A group: one value of a set of dimensions in one window, with the block of each family. */
function groupSchema(families: readonly AnyDeclaration[]): z.ZodType {
  const blocks = families.map(({ name, metrics }) => [name, blockSchema(metrics).nullable().optional()] as const);
  return z
    .strictObject({
      slice,
      window: z.string().describe('all, or a window as configured.'),
      since: z
        .record(z.string(), instant)
        .optional()
        .describe('Families whose numbers hold nothing of before, although the window reaches further back.'),
      ...Object.fromEntries(blocks),
    })
    .meta({
      id: 'group',
      description:
        'One value of a set of dimensions in one window. A family that scored nothing is null, a disabled one absent.',
    });
}

const cause = z
  .strictObject({
    text: z.string().describe('In a few words.'),
    slice: z.record(z.string(), z.string()).nullable().describe('A value of another dimension.'),
    outcome: z.strictObject({ gold: z.string(), predicted: z.string() }).nullable().describe('Or what events came to.'),
    attributed: z
      .strictObject({ kind: z.enum(attributionKinds), tool: z.string(), argument: z.string().nullable() })
      .nullable()
      .describe('Or what bad cases are attributed to: a tool, or an argument of it.'),
    share: z.number().describe('Of the change: by_rate + by_mix.'),
    by_rate: z.number().describe('Because its own rate changed.'),
    by_mix: z.number().describe('Because it became more frequent.'),
    before: share.nullable(),
    since: share,
    event: z
      .strictObject({
        event_id: z.string().nullable(),
        example_id: z.string(),
        ts: instant,
        slice: z.record(z.string(), z.string()),
        link: z.string().nullable().describe('By links.trace.'),
      })
      .nullable()
      .describe('One of the latest failed events; null where none is kept.'),
  })
  .meta({ id: 'cause', description: 'What the change of a rate is due to.' });

const times = {
  since: instant.describe('When the rate went up.'),
  begin: instant.describe('When the alarm began.'),
  until: instant.describe('Until when the rate was up.'),
  end: instant.nullable().describe('When the alarm ended; null while it fires.'),
};

const recovering = z
  .strictObject({ since: instant, rate: share })
  .nullable()
  .describe('While it fires and the rate is down again, but the end is not sure yet: the rate since then.');

const alarm = z
  .strictObject({
    watch: z.string().describe('Path of the rate in a group.'),
    ...times,
    rate: share.describe('Bad cases from since to until.'),
    recovering,
    before: share.nullable().describe('Bad cases of the reference span of now; null where it has none.'),
    baseline: z.number().describe('Share of bad cases while all is well.'),
  })
  .meta({ id: 'alarm', description: 'An alarm of a watch, or several within half an hour, read from the panes.' });

/** An incident of the last 24 hours. */
const incident = z
  .strictObject({
    slice,
    watch: z.string().describe('Path of the rate whose alarm was first.'),
    ...times,
    text: z.string().describe('Who, which rates, since when, due to what, and who else because of it.'),
    rates: z.array(alarm).describe('Of the group, the greatest change first.'),
    due_to: z.array(cause).describe('Of the rate in which it is clearest, the strongest first.'),
    also: z
      .array(z.strictObject({ slice, rates: z.array(alarm) }))
      .describe('Groups that are worse because of it, the greatest change first.'),
  })
  .meta({ id: 'incident', description: 'Alarms that began together and that one group explains.' });

/** The watch of one group. */
const watch = z
  .strictObject({
    watch: z.string().describe('Path of the rate in a group.'),
    slice,
    firing: z.boolean(),
    learning: z.boolean().describe('There is no baseline yet, or no rate of cases.'),
    learning_until: instant
      .nullable()
      .describe(
        'While it learns: until which event time, if cases go on to come as they did; null where none has come before the newest pane.',
      ),
    since: instant.nullable().describe('While it fires: when the rate went up.'),
    rate: share.nullable().describe('While it fires: bad cases since then, until the last bad pane.'),
    before: share
      .nullable()
      .describe('While it fires: bad cases of the time before, which baselines are learned from.'),
    recovering,
    causes: z.array(cause).describe('While it fires: what the change is due to, the strongest first.'),
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

const calls = z.array(
  z.strictObject({
    name: z.string().nullable().describe('null where the call has none.'),
    arguments: z.unknown().describe('Hidden where http.redact says so.'),
    accept: z.record(z.string(), z.unknown()).optional(),
  }),
);
const rulesByPath = z.record(z.string(), z.record(z.string(), z.unknown()));

const suspect = z
  .strictObject({
    example_id: z.string(),
    expected: calls.nullable().describe('null where the truth has no calls, or too many to be kept.'),
    said: calls.describe('The answer that the rules hold wrong, its calls in an order of their own.'),
    models: z.array(z.string()).describe('That gave it.'),
    of_models: count.describe('Models that answered.'),
    events: count.describe('In which it was given.'),
    right_models: count.describe('Models that were right at least once.'),
    judges: z.array(z.string()).describe('That pass it.'),
    remedy: z
      .union([
        z.strictObject({ accept: z.array(z.strictObject({ expected_call: count, rules: rulesByPath })) }),
        z.strictObject({ alternatives: calls }),
      ])
      .nullable()
      .describe(
        'What the truth would have to say; null where calls are malformed or forbidden, or some of it is hidden.',
      ),
  })
  .meta({ id: 'suspect', description: 'An example whose truth several models contradict alike, or a judge.' });

const wrongEvent = z
  .strictObject({
    example_id: z.string(),
    ts: instant,
    slice: z.record(z.string(), z.string()),
    link: z.string().nullable().describe('By links.trace.'),
    errors: z.array(
      z.strictObject({
        error: z.enum(argumentErrors),
        tool: z.string(),
        path: z.string(),
        expected: z.string().nullable().describe('Beginning of its JSON; null where the argument is absent.'),
        actual: z.string().nullable().describe('The same of what came.'),
        rule: z.string().nullable().describe('In force there.'),
      }),
    ),
  })
  .meta({ id: 'wrong_event', description: 'An event with arguments that do not match.' });

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
      incidents: z.array(incident).describe('Those of the last 24 hours, by begin.'),
      suspects: z
        .array(suspect)
        .describe(
          'Examples whose truth may be wrong, those first that most more models gave than were right; at most 20.',
        ),
      wrong_arguments: z
        .array(wrongEvent)
        .describe('Two events or less for each argument that does not match, by model; at most 100.'),
    })
    .describe('Summary of what was scored.');
}
