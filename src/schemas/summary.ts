import * as z from 'zod';
import { labels, predictedNames } from '../scoring/label.ts';
import { rejectCodes } from '../state/reject.ts';
import { band, count, each, instant, mean, number, rate } from './shapes.ts';

const fixed = (names: readonly string[], schema: z.ZodType): z.ZodType => z.strictObject(each(names, schema));
/** Keys are names from the data. */
const named = (schema: z.ZodType): z.ZodType => z.record(z.string(), schema);

const decision = z.strictObject({
  n: count,
  accuracy: rate,
  ...each(['macro_f1', 'macro_f1_no_direct', 'macro_f1_present'], number),
  confusion: fixed(labels, fixed(predictedNames, count)).describe('Gold label, then predicted label.'),
  per_class: fixed(labels, z.strictObject({ ...each(['precision', 'recall', 'f1'], z.number()), support: count })),
  ...each(['tool_hall', 'answer_hall', 'param_hall', 'tool_hall_any', 'unknown_tool'], rate),
  ...each(['missing', 'invalid'], count),
});

const stabilityMeasures = {
  k: count,
  ...each(['groups_seen', 'groups_complete'], count),
  ...each(['coverage', 'stability', 'stable_correct', 'stable_wrong', 'mode_correct'], rate),
  ...each(['mean_consistency', 'mean_accuracy', 'entropy', 'entropy_norm', 'flip_rate'], mean),
  pass_hat_k: z.record(z.string().regex(/^[1-9]\d*$/), mean),
};
const stability = z.strictObject({
  ...stabilityMeasures,
  ...each(['ignored_runs', 'dropped_groups'], count),
  per_label: fixed(labels, z.strictObject(stabilityMeasures)),
});

const counted = each(['tp', 'fp', 'fn'], count);
const pooled = each(['precision', 'recall'], number);
const matched = z.strictObject({ f1: mean, band, ...pooled, f1_pooled: number, ...counted });
const tool_calls = z.strictObject({ strict: matched, flexible: matched, skipped: count });

const course = z.strictObject({ success: rate, ...each(['name', 'param', 'order', 'overall'], mean) });
const successes = fixed(['strict', 'flexible'], rate);
const occurrences = fixed(['tasks', 'occurrences'], count);
const trajectory = z.strictObject({
  ...each(['tasks', 'tasks_with_matching_tools'], count),
  strict: course,
  flexible: course,
  parameter_mismatches: named(named(count)).optional(),
  tools: named(z.strictObject({ success: rate })).optional(),
  by_call_count: named(successes).optional(),
  by_combination: named(successes).optional(),
  missing_tools: named(occurrences).optional(),
  extra_tools: named(occurrences).optional(),
});

const schema = z.strictObject({
  n: count,
  ...each(['tool_selection_accuracy', 'parameter_accuracy', 'execution_success_rate'], rate),
  response_quality: z.literal(0).describe('Nothing measures it.'),
  overall: number,
  band,
  ...each(['processing_errors', 'skipped_no_expected_tool'], count),
});

const fields = { ...pooled, f1: number, ...counted };
const args = z.strictObject({
  ...each(['n', 'skipped'], count),
  ...each(['valid_call_rate', 'name_match_rate', 'args_exact_rate', 'call_exact_rate'], rate),
  ...fields,
});
const structured = z.strictObject({ n: count, ...each(['json_valid_rate', 'exact_match_rate'], rate), ...fields });

const block = (of: z.ZodType): z.ZodType => of.nullable().optional();

const group = z
  .strictObject({
    slice: named(z.string()).describe('Dimensions and their values; {} is the total.'),
    window: z.string().describe('all, or a window as configured.'),
    decision: block(decision),
    stability: block(stability),
    tool_calls: block(tool_calls),
    trajectory: block(trajectory),
    schema: block(schema),
    arguments: block(args),
    structured: block(structured),
  })
  .meta({
    id: 'group',
    description:
      'One value of a set of dimensions in one window. A family that scored nothing is null, a disabled one absent.',
  });

/** The summary (spec: outputs, section 2). */
export const summary: z.ZodType = z
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
    groups: z.array(group).describe('The total first, then set by set as configured; window all, then each ascending.'),
  })
  .describe('Summary of what was scored.');
