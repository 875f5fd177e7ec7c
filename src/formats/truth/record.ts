import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { labels } from '../../scoring/label.ts';
import { toolDefinition } from '../../scoring/tool.ts';
import { problemOf } from '../json/problem.ts';
import { shortened } from '../json/shortened.ts';
import { argumentsDocument, idSchema, toolDocument } from '../prediction/schema.ts';
import { tooManyCalls } from './error.ts';

/** `parameters` undefined is "not given"; an explicit null is a value. A tool under OpenAI's `function` may lack a name. */
export interface TruthTool {
  readonly name: string | undefined;
  readonly parameters: Json | undefined;
}

const notWellFormed = 'must have no lone surrogates';

const name = z.string('must be a text').refine((text) => text.isWellFormed(), notWellFormed);

/** A bare name, {name, parameters}, or OpenAI's {type: "function", function: {…}}, however odd what lies under `function`. */
const tool = z
  .custom<Json>(() => true)
  .superRefine((given, context) => {
    const refuse = (path: string[], message: string): void => context.addIssue({ code: 'custom', path, message });
    if (typeof given === 'string') {
      if (!given.isWellFormed()) refuse([], notWellFormed);
    } else if (!isObject(given)) {
      refuse([], 'must be a name or an object {"name": …, "parameters": …}');
    } else {
      const { definition, wrapped } = toolDefinition(given);
      const named = isObject(definition) ? definition['name'] : undefined;
      if (typeof named !== 'string' && !wrapped) refuse(['name'], 'must be a text');
      if (typeof named === 'string' && !named.isWellFormed())
        refuse(wrapped ? ['function', 'name'] : ['name'], notWellFormed);
    }
  })
  .meta(toolDocument);

const call = z.object(
  {
    name,
    /** An object, or its JSON text. */
    arguments: z
      .custom<JsonObject | string>(isArguments, 'must be an object, or the JSON text of one')
      .meta(argumentsDocument)
      .nullable()
      .default(null)
      .transform((given) => given ?? {}),
  },
  'must be an object {"name": …, "arguments": …}',
);

/** One row of truth as NDJSON gives it (docs/reference/truth.md): what it is read as, with null for "not recorded". */
export const truthRecordSchema = z
  .object({
    example_id: idSchema.describe('Unique in a table.'),
    label: z
      .enum(labels, `must be one of ${labels.join(', ')}, or null`)
      .nullable()
      .default(null)
      .describe('Gold decision.'),
    tools: listOf(tool, toolOf).describe('Tools available for the example; [] is none, null is not recorded.'),
    expected_tool_calls: listOf(call, (given) => given).describe(
      'Calls in the expected order; [] is none, null is not recorded.',
    ),
    reference: z
      .custom<Json>(() => true)
      .default(null)
      .describe('Expected structured answer; null is none.'),
  })
  .describe('A line of truth: what was expected for one example.');

export type TruthCall = z.output<typeof call>;
export type TruthRecord = Readonly<z.output<typeof truthRecordSchema>>;

const compiled = z.compile(truthRecordSchema, { strict: true });

/**
 * The record of a line of NDJSON, or what is wrong with it: place, value, remedy (the caller puts file and line before it). `id` is
 * that of a record without one.
 */
export function readTruthRecord(
  line: string,
  callsMax: number = Number.POSITIVE_INFINITY,
  id?: string,
): TruthRecord | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { problem: `not JSON (${(error as Error).message}); write one JSON object a line` };
  }
  if (!isObject(value)) return { problem: `is ${shortened(value)}; write one JSON object a line` };
  const given = id === undefined ? value : { ...value, example_id: value['example_id'] ?? id };
  const record = z.safeParse(compiled, given).data;
  if (record === undefined) return { problem: problemOf(truthRecordSchema, given)! };
  const calls = record.expected_tool_calls?.length ?? 0;
  return calls > callsMax ? { problem: `expected_tool_calls: ${tooManyCalls(calls, callsMax)}` } : record;
}

function listOf<Given, Item>(item: z.ZodType<Given>, read: (given: Given) => Item) {
  return z
    .array(item, 'must be an array or null')
    .transform((items): readonly Item[] => items.map(read))
    .nullable()
    .default(null);
}

function toolOf(given: Json): TruthTool {
  if (typeof given === 'string') return { name: given, parameters: undefined };
  const { definition } = toolDefinition(given);
  // A definition that is no object at all is as wrong as parameters that are none, and recorded as such.
  if (!isObject(definition)) return { name: undefined, parameters: null };
  const { name: named, parameters } = definition;
  return { name: typeof named === 'string' ? named : undefined, parameters };
}

function isArguments(given: unknown): boolean {
  if (typeof given !== 'string') return isObject(given);
  try {
    return isObject(JSON.parse(given));
  } catch {
    return false;
  }
}
