import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { type FeedbackFact, feedbackKinds, type FeedbackKind } from '../../scoring/feedback/fact.ts';
import { type LabelCode, labelCode } from '../../scoring/label.ts';
import { hash128OfText } from '../../state/containers/hash128.ts';
import { hexadecimal } from '../../state/containers/hexadecimal.ts';
import type { About, ExpectedFields, Feedback } from '../../stream/feedback-book.ts';
import { jsonText } from '../json/json-text.ts';
import { readJson } from '../json/parsed.ts';
import { problemOf } from '../json/problem.ts';
import { shortened } from '../json/shortened.ts';
import { leastProbability } from '../judgement/schema.ts';
import { isFuture, timeOf } from '../prediction/event.ts';
import { nearField } from '../prediction/near-names.ts';
import { eventSchema, idSchema, nameSchema } from '../prediction/schema.ts';
import { readTopicTruth, truthOfRow } from '../truth/topic.ts';
import { type TruthReader, truthReader } from '../truth/record.ts';

/** First byte of the key of a feedback record that lies among records of truth. */
export const feedbackMark = 1;

const outcomesMax = 20;

/** One feedback record (docs/reference/feedback.md). For every field null means absent; unknown fields are left alone. */
export const feedbackSchema = z
  .looseObject({
    about: z
      .looseObject(
        {
          event_id: idSchema.nullish().describe('Id of the event.'),
          trace_id: idSchema.nullish().describe('Id of the trace or run.'),
          example_id: idSchema
            .nullish()
            .describe('Example of the event; without event_id every event of it, or of its run.'),
          run: eventSchema.shape.run,
        },
        'must be an object that names event_id, trace_id or example_id',
      )
      .describe('The event or run that it is about.'),
    ts: eventSchema.shape.ts.describe(
      'Its own time, as of events, at the latest that of the record; of two expectations the newest holds. Default: that of the record.',
    ),
    by: nameSchema.nullish().describe('Its giver: human:<name>, shadow:<model>, system:<name>. Default: other.'),
    id: idSchema
      .nullish()
      .describe('Identity: a second record with it is a duplicate. Default: a hash of the content.'),
    correct: z.boolean('must be true or false').nullish().describe('The agent did right, or not.'),
    probability: z
      .number('must be a number')
      .min(leastProbability, `must be from ${leastProbability} to 1`)
      .max(1, `must be from ${leastProbability} to 1`)
      .nullish()
      .describe('The chance with which the event was chosen to be judged. Default: not known.'),
    expected: z
      .looseObject({}, 'must be an object such as {"tool_calls": […]}')
      .nullish()
      .describe('What should have been done: tool_calls, label, reference, or any field of a truth record.'),
    outcome: z
      .record(nameSchema, z.union([z.boolean(), z.number()], 'must be true, false or a number'), 'must be an object')
      .refine((given) => Object.keys(given).length <= outcomesMax, `must have at most ${outcomesMax} names`)
      .nullish()
      .describe('What came of it: true, false or a number by name.'),
    comment: z.string('must be a text').nullish().describe('For people; not read.'),
  })
  .meta({ id: 'feedback' })
  .describe('What a person or a system says later of one event or run.');

type RawFeedback = Readonly<z.infer<typeof feedbackSchema>>;

/** Reads one feedback record: place, value and remedy of what is wrong with it. */
export interface FeedbackReader {
  /** `recordMs`: time stamp of the record in its log, NaN where it has none: the time of a record that names none, and the latest that one can have. */
  read(text: string, recordMs: number): Feedback | { readonly problem: string };
}

/** A reader of feedback records; expectations are read as truth records are. */
export function feedbackReader(truth: TruthReader = truthReader()): FeedbackReader {
  return {
    read(text, recordMs) {
      let value: Json;
      try {
        value = readJson(text, () => undefined) as Json;
      } catch (error) {
        return { problem: `not JSON (${(error as Error).message}); write one JSON object a line` };
      }
      return isObject(value)
        ? feedbackOf(value, recordMs, truth)
        : { problem: `is ${shortened(value)}; write one JSON object a line` };
    },
  };
}

/** The text of a record with the id and the time that it was read with. */
export function withIdentity(text: string, { id, ts }: Feedback): string {
  return jsonText({ ...(readJson(text, () => undefined) as JsonObject), id, ts });
}

function feedbackOf(value: JsonObject, recordMs: number, truth: TruthReader): Feedback | { readonly problem: string } {
  const problem = misplaced(value) ?? problemOf(feedbackSchema, value);
  if (problem !== undefined) return { problem };
  const raw = value as RawFeedback;
  const about = aboutOf(raw.about);
  if (about === undefined) return { problem: 'about names no event; give event_id, trace_id or example_id' };
  const ts = timeOf(raw.ts, recordMs);
  if (ts === undefined) return { problem: `ts is ${shortened(raw.ts as Json)}, which is no time of 2000 to 2100` };
  const facts = factsOf(raw);
  const expected = raw.expected == null ? undefined : expectedOf(raw.expected as JsonObject, truth);
  if (expected !== undefined && 'problem' in expected) return expected;
  if (facts.length === 0 && expected === undefined)
    return { problem: 'says nothing; give correct, expected or outcome' };
  // Nobody says something after it was recorded: a clock that is ahead would hold for ever.
  const saidMs = isFuture(ts, recordMs, 0) ? recordMs : ts;
  return { id: raw.id ?? contentId(value), about, ts: Number.isNaN(ts) ? 0 : saidMs, facts, expected };
}

const fieldNames = Object.keys(feedbackSchema.shape) as (keyof typeof feedbackSchema.shape)[];
const aboutNames = ['event_id', 'trace_id', 'example_id'] as const;

/** A key that nothing reads and that is near to one that is absent, or an id that belongs into `about`. */
function misplaced(value: JsonObject): string | undefined {
  for (const key in value) {
    if ((fieldNames as readonly string[]).includes(key)) continue;
    const id = nearField(key, aboutNames);
    if (id !== undefined && value['about'] == null)
      return `${key} is not read here; write {"about": {"${id}": ${shortened(value[key]!)}}, …}`;
    const meant = nearField(key, fieldNames);
    if (meant !== undefined && value[meant] == null) return `${key} is not read; did you mean ${meant}?`;
  }
  return undefined;
}

function aboutOf({ event_id, trace_id, example_id, run }: RawFeedback['about']): About | undefined {
  if (event_id == null && trace_id == null && example_id == null) return undefined;
  return {
    eventId: event_id ?? undefined,
    traceId: trace_id ?? undefined,
    exampleId: example_id ?? undefined,
    run: run ?? undefined,
  };
}

function factsOf({ correct, outcome, by, probability }: RawFeedback): FeedbackFact[] {
  const facts: FeedbackFact[] = [];
  if (correct != null) facts.push({ kind: kindOf(by ?? ''), correct, ...(probability != null && { probability }) });
  for (const [name, value] of Object.entries(outcome ?? {})) facts.push({ outcome: name, value });
  return facts;
}

function kindOf(by: string): FeedbackKind {
  const [kind = ''] = by.split(':', 1);
  return feedbackKinds.find((known) => known === kind) ?? 'other';
}

/** The fields that are given, in the form of a truth row: calls without a label say that the label is `tool_call`. */
function expectedOf(given: JsonObject, truth: TruthReader): ExpectedFields | { readonly problem: string } {
  const { tool_calls: calls, ...rest } = given;
  const row = {
    ...rest,
    ...(rest['expected_tool_calls'] === undefined && calls !== undefined && { expected_tool_calls: calls }),
    example_id: 'feedback',
  };
  const read = readTopicTruth(Buffer.from('feedback'), jsonText(row as Json), truth);
  if ('problem' in read) return { problem: read.problem.replace('"feedback": ', 'expected: ') };
  const { label, tools, expected, reference, alternatives, forbidden } = truthOfRow(read.row!.text);
  const named =
    label ?? (expected !== undefined && expected.length > 0 ? (labelCode('tool_call') as LabelCode) : undefined);
  if ([named, tools, expected, reference, alternatives, forbidden].every((field) => field === undefined))
    return { problem: 'expected holds nothing that is read; give tool_calls, label or reference' };
  return { label: named, tools, expected, reference, alternatives, forbidden };
}

const words = new Uint32Array(4);

function contentId(value: JsonObject): string {
  hash128OfText(jsonText(value), words, 0);
  return hexadecimal([words[0]!, words[1]!, words[2]!, words[3]!]);
}
