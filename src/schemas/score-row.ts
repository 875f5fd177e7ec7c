import * as z from 'zod';
import { labels, labelStatuses, predictedNames } from '../scoring/label.ts';
import { count, each, instant } from './shapes.ts';

const skipped = z.strictObject({ skipped: z.literal(true) });
const names = z.array(z.string());

const counted = each(['tp', 'fp', 'fn'], count);
const matched = z.strictObject({ f1: z.number(), ...counted });
const course = z.strictObject({ success: z.boolean(), ...each(['name', 'param', 'order', 'overall'], z.number()) });

const decision = z.strictObject({
  gold: z.enum(labels),
  predicted: z.enum(predictedNames as [string, ...string[]]),
  label_status: z.enum(labelStatuses),
  correct: z.boolean(),
  hallucinations: z.array(z.enum(['tool', 'param', 'answer', 'unknown_tool'])),
});
const tool_calls = z.strictObject({ strict: matched, flexible: matched });
const trajectory = z.strictObject({
  strict: course,
  flexible: course,
  missing: names,
  extra: names,
  mismatches: z.array(
    z.strictObject({ tool: z.string(), parameter: z.string(), expected: z.unknown(), actual: z.unknown() }),
  ),
});
const schema = z.strictObject({
  ...each(['selection', 'parameters', 'execution'], z.boolean()),
  ...each(['expected_tool', 'predicted_tool', 'error'], z.string().nullable()),
});
const args = z.strictObject({
  ...each(['valid_call', 'name_match', 'args_exact', 'call_exact'], z.boolean()),
  ...counted,
  issues: names,
});
const structured = z.strictObject({ ...each(['json_valid', 'exact_match'], z.boolean()), ...counted, issues: names });

const part = (of: z.ZodType): z.ZodType => z.union([of, skipped]).nullable().optional();

/** A score row as NDJSON (spec: outputs, section 3). */
export const scoreRow: z.ZodType = z
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
    decision: part(decision),
    tool_calls: part(tool_calls),
    trajectory: part(trajectory),
    schema: part(schema),
    arguments: part(args),
    structured: part(structured),
  })
  .describe('One scored event, and why. A family that does not apply is null, a disabled one absent.');
