import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { isNumber } from '../../scoring/long-number.ts';
import { labels } from '../../scoring/label.ts';
import type { RawCall } from '../calls/calls.ts';
import { fits, idCharactersMax, isId } from '../bytes/unicode.ts';
import { problemOf } from '../json/problem.ts';
import { shortened } from '../json/shortened.ts';

/** Stands for "the rest" in every output, so no model or agent may be named so. */
export const otherName = '__other__';
const nameCharactersMax = 256;

/** JSON Schema of an id, and of an object of any fields. */
const idDocument = { type: 'string', minLength: 1, maxLength: idCharactersMax };
const objectDocument = { type: 'object', additionalProperties: {} };

/** An id: the check, the text of a refusal, and the JSON Schema. */
export const idSchema: z.ZodType<string> = z
  .custom<string>(
    (value) => isId(value, idCharactersMax),
    `must be a text of 1 to ${idCharactersMax} characters without lone surrogates`,
  )
  .meta(idDocument);

/** JSON Schema of the arguments of a call. */
export const argumentsDocument = { anyOf: [objectDocument, { type: 'string' }] };

/** JSON Schema of a tool. */
export const toolDocument = {
  id: 'tool',
  description: 'A name, {name, parameters}, or the form of OpenAI.',
  anyOf: [
    { type: 'string' },
    {
      ...objectDocument,
      properties: { name: { type: 'string' }, parameters: { description: 'JSON Schema of the arguments.' } },
      required: ['name'],
    },
    {
      ...objectDocument,
      properties: {
        type: { type: 'string', const: 'function' },
        function: { ...objectDocument, properties: { name: { type: 'string' }, parameters: {} } },
      },
      required: ['function'],
    },
  ],
};

const eventToolDocument = {
  id: 'event_tool',
  description: 'A tool in the native form, or in that of OpenAI, Anthropic, Gemini or Bedrock.',
  anyOf: [
    ...toolDocument.anyOf,
    { ...objectDocument, required: ['functionDeclarations'] },
    { ...objectDocument, required: ['toolSpec'] },
  ],
};

const callDocument = {
  ...objectDocument,
  id: 'call',
  description:
    'A tool call, here in the native form; others are read too (docs/reference/inputs.md, "Calls"). One of no form is not refused: it counts as an attempted call that matches nothing.',
  properties: {
    name: { type: 'string' },
    arguments: {
      description: 'An object, or its JSON text. Absent and null are {}.',
      anyOf: [...argumentsDocument.anyOf, { type: 'null' }],
    },
    id: {},
  },
  anyOf: ['name', 'function', 'custom', 'functionCall', 'toolUse'].map((key) => ({ required: [key] })),
};

/** The name of a model or agent. */
export const nameSchema: z.ZodType<string> = checked<string>(
  isName,
  `must be a text of at most ${nameCharactersMax} characters without lone surrogates, other than "${otherName}"`,
  { type: 'string', maxLength: nameCharactersMax, pattern: `^(?!${otherName}$)` },
);

/** One prediction event (docs/reference/events.md). For every field null means absent; unknown fields are left alone. */
export const eventSchema = z
  .looseObject({
    example_id: idSchema.nullish().describe('Joins the prediction with its truth. Default: the key of the record.'),
    event_id: idSchema.nullish().describe('Identity for de-duplication.'),
    ts: checked<string | number | bigint>(isTime, 'must be ISO 8601 text or a number of milliseconds', {
      type: ['string', 'number'],
    })
      .nullish()
      .describe(
        'Event time: ISO 8601 (without a zone: UTC) or epoch milliseconds, 2000 to 2100. Default: that of the record.',
      ),
    model: nameSchema.nullish().describe('Dimension; empty is absent. Default: unknown.'),
    agent: nameSchema.nullish().describe('Dimension; empty is absent. Default: unknown.'),
    tags: z
      .unknown()
      .optional()
      .describe('Further dimensions: an object of texts, numbers and booleans. Anything else counts as no tags.'),
    run: checked<number>(isRun, `must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}`, {
      type: 'integer',
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
    })
      .nullish()
      .describe('Index of the run of this example.'),
    label: z
      .string('must be a text')
      .nullish()
      .describe(`${labels.join(', ')}; another text is scored as invalid. Default: tool_call where there is a call.`),
    tool_calls: z
      .array(
        checked<RawCall>(isObject, 'must be an object {"name": …, "arguments": …}', callDocument),
        'must be an array',
      )
      .nullish()
      .describe('Calls in order; [] is none, absent is not recorded.'),
    tools: z
      .array(
        checked<string | object>(isTool, 'must be a name or an object {"name": …, "parameters": …}', eventToolDocument),
        'must be an array',
      )
      .nullish()
      .describe('Tools that the agent could use.'),
    results: z
      .array(
        checked<object>(isObject, 'must be an object {"call": …, "ok": …}', { ...objectDocument, id: 'result' }),
        'must be an array',
      )
      .nullish()
      .describe('What came back for calls: {call: index, ok: true, false or null, error, output}.'),
    output: z.unknown().optional().describe('The answer: text, or any other JSON value.'),
    error: z.string('must be a text').nullish().describe('The agent or its parser failed.'),
    success: z.boolean('must be true or false').nullish().describe("The run's own verdict."),
    steps: z
      .unknown()
      .optional()
      .describe('Answers of the model that the run is made of: a whole number from 1; anything else counts as 1.'),
    run_seconds: z
      .unknown()
      .optional()
      .describe('Seconds that the run took; anything but a number of at least 0 is left out.'),
  })
  .meta({ id: 'event' });

/** One event as JSON gives it, after `isEvent`. */
export type RawEvent = Readonly<z.infer<typeof eventSchema>>;

const compiled = z.compile(eventSchema, { strict: true });

/** Returns whether a JSON value is an event by the types of its fields. */
export function isEvent(value: unknown): value is RawEvent {
  return z.validate(compiled, value);
}

/** The problem of a value that is no event: place, expected, value. */
export function explainEvent(value: unknown): string | undefined {
  return isObject(value)
    ? problemOf(eventSchema, withFirstMistakes(value))
    : `the event: must be a JSON object, or an array of objects, is ${shortened(value)}`;
}

/** Lists up to their first wrong item: only the first mistake is reported, and zod would look for all, for 7 µs each. */
function withFirstMistakes(event: JsonObject): JsonObject {
  const upTo = (list: Json | undefined, accepts: (item: unknown) => boolean): Json | undefined => {
    const wrong = Array.isArray(list) ? list.findIndex((item) => !accepts(item)) : -1;
    return wrong < 0 ? list : (list as readonly Json[]).slice(0, wrong + 1);
  };
  const { tool_calls: calls = null, tools = null } = event;
  return { ...event, tool_calls: upTo(calls, isObject)!, tools: upTo(tools, isTool)! };
}

/** A value whose check demands more than its JSON Schema can say. */
function checked<Value>(
  accepts: (value: unknown) => boolean,
  message: string,
  document: z.GlobalMeta,
): z.ZodType<Value> {
  return z.custom<Value>(accepts, message).meta(document);
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' || isNumber(value);
}

/** Returns whether a value can be the name of a model or agent. */
export function isName(value: unknown): boolean {
  return typeof value === 'string' && fits(value, nameCharactersMax) && value !== otherName && value.isWellFormed();
}

/** Returns whether a value is the index of a run. */
export function isRun(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isTool(value: unknown): boolean {
  return typeof value === 'string' || isObject(value);
}
