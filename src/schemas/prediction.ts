import * as z from 'zod';
import { labels } from '../scoring/label.ts';

const id = z.string().min(1).max(512);
const name = z
  .string()
  .max(256)
  .regex(/^(?!__other__$)/);
const args = z.union([z.record(z.string(), z.unknown()), z.string()]);

const tool = z
  .union([
    z.string(),
    z.looseObject({ name: z.string(), parameters: z.unknown().optional().describe('JSON Schema of the arguments.') }),
    z.looseObject({
      type: z.literal('function').optional(),
      function: z.looseObject({ name: z.string().optional(), parameters: z.unknown().optional() }),
    }),
  ])
  .meta({ id: 'tool', description: 'A name, {name, parameters}, or the form of OpenAI.' });

const call = z
  .looseObject({
    name: z.string(),
    arguments: args.nullish().describe('An object, or its JSON text. Absent and null are {}.'),
    id: z.unknown().optional(),
  })
  .meta({
    id: 'call',
    description:
      'A tool call. One of another form is not refused: it counts as an attempted call that matches nothing.',
  });

/** One prediction event (docs/reference/events.md). For every optional field null means absent; other fields are ignored. */
const event = z
  .looseObject({
    example_id: id.nullish().describe('Joins the prediction with its truth. Default: the key of the record.'),
    event_id: id.nullish().describe('Identity for de-duplication.'),
    ts: z
      .union([z.string(), z.number()])
      .nullish()
      .describe(
        'Event time: ISO 8601 (without a zone: UTC) or epoch milliseconds, 2000 to 2100. Default: that of the record.',
      ),
    model: name.nullish().describe('Dimension; empty is absent. Default: unknown.'),
    agent: name.nullish().describe('Dimension; empty is absent. Default: unknown.'),
    tags: z.record(z.string(), z.unknown()).nullish().describe('Further dimensions: texts, numbers and booleans.'),
    run: z.number().min(0).multipleOf(1).nullish().describe('Index of the run of this example.'),
    label: z
      .string()
      .nullish()
      .describe(`${labels.join(', ')}; another text is scored as invalid. Default: tool_call where there is a call.`),
    tool_calls: z.array(call).nullish().describe('Calls in order; [] is none, absent is not recorded.'),
    tools: z.array(tool).nullish().describe('Tools that the agent could use.'),
    output: z.unknown().optional().describe('The answer: text, or any other JSON value.'),
    error: z.string().nullish().describe('The agent or its parser failed.'),
    success: z.boolean().nullish().describe("The run's own verdict."),
  })
  .meta({ id: 'event' });

export const prediction: z.ZodType = z
  .union([event, z.array(event).min(1)])
  .describe('Value of a record of predictions: one event, or an array of them.');

/** One truth record (docs/reference/truth.md). */
export const truthRecord: z.ZodType = z
  .looseObject({
    example_id: id.describe('Unique in a table.'),
    label: z.enum(labels).nullish().describe('Gold decision.'),
    tools: z.array(tool).nullish().describe('Tools available for the example; [] is none, null is not recorded.'),
    expected_tool_calls: z
      .array(z.looseObject({ name: z.string(), arguments: args.nullish() }))
      .nullish()
      .describe('Calls in the expected order; [] is none, null is not recorded.'),
    reference: z.unknown().optional().describe('Expected structured answer; null is none.'),
  })
  .describe('A line of truth: what was expected for one example.');
