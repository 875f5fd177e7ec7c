import * as z from 'zod';
import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { labels } from '../../scoring/label.ts';
import { toolDefinition } from '../../scoring/tool.ts';
import { toolList, toolsOf } from '../calls/tools.ts';
import { readJson } from '../json/parsed.ts';
import { problemOf } from '../json/problem.ts';
import { shortened } from '../json/shortened.ts';
import { idSchema, toolDocument } from '../prediction/schema.ts';
import { valuesOfText } from '../json/json-values.ts';
import { callSchema, notWellFormed, plainCalls, unreadInCalls } from './calls.ts';
import { fieldReader, type TruthPlaces } from './fields.ts';
import { type RowLimits, tooManyCalls, tooManyValues } from './limits.ts';
import { mappingOf, unreadProblem } from './unread.ts';

/** `parameters` undefined is "not given"; an explicit null is a value. A tool under OpenAI's `function` may lack a name. */
export interface TruthTool {
  readonly name: string | undefined;
  readonly parameters: Json | undefined;
}

/** A bare name, {name, parameters}, or OpenAI's {type: "function", function: {…}}, whatever lies under `function`. */
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

/** One row of truth as NDJSON gives it (docs/reference/truth.md), as it is read: null is "not recorded". */
export const truthRecordSchema = z
  .object({
    example_id: idSchema.describe('Unique in a table.'),
    label: z
      .enum(labels, `must be one of ${labels.join(', ')}, or null`)
      .nullable()
      .default(null)
      .describe('Gold decision.'),
    tools: listOf(tool, toolOf).describe('Tools available for the example; [] is none, null is not recorded.'),
    expected_tool_calls: listOf(callSchema, (given) => given).describe(
      'Calls in the expected order; [] is none, null is not recorded.',
    ),
    reference: z
      .custom<Json>(() => true)
      .default(null)
      .describe('Expected structured answer; null is none.'),
    alternatives: z
      .array(z.array(callSchema, 'must be a list of calls'), 'must be a list of lists of calls, or null')
      .nullish()
      .describe('Lists of calls that are as right as the expected ones.'),
    forbidden: z
      .array(z.string('must be a text'), 'must be a list of names, or null')
      .nullish()
      .describe('Names of tools that must not be called; * is any text.'),
  })
  .describe('A line of truth: what was expected for one example.');

export type TruthRecord = Readonly<z.output<typeof truthRecordSchema>>;

const compiled = z.compile(truthRecordSchema, { strict: true });

/** How truth records are read. */
export interface TruthReading {
  readonly limits?: RowLimits | undefined;
  readonly fields?: TruthPlaces | undefined;
  /** A record that says nothing of what is expected is refused: where records come one by one, no table shows that none says anything. */
  readonly refusesEmpty?: boolean;
}

/** Why a record is refused. */
export interface TruthProblem {
  readonly problem: string;
  /** It says nothing of what is expected. */
  readonly isEmpty?: true;
}

/** Reads truth records one by one. */
export interface TruthReader {
  /**
   * The record of a line of NDJSON, or its problem: place, value, remedy (the caller puts file and line before it). `id` is that of a
   * record without one.
   */
  read(line: string, id?: string): TruthRecord | TruthProblem;
  /** Keys of the records so far that nothing reads. */
  readonly unread: ReadonlySet<string>;
  /** The first configured field whose places held nothing in any record so far. */
  missing(): string | undefined;
}

/** A reader of truth records in the forms of docs/reference/truth.md. */
export function truthReader({ limits, fields = {}, refusesEmpty = false }: TruthReading = {}): TruthReader {
  const unread = new Set<string>();
  const places = fieldReader(fields);
  const isRead = (key: string): boolean => places.keys.has(key);
  const note = (key: string): void => void (unread.size < unreadMax && unread.add(key));
  return { read, unread, missing: places.missing };

  function read(line: string, id?: string): TruthRecord | TruthProblem {
    if (limits !== undefined && line.length > 2 * limits.values && valuesOfText(line, limits.values) > limits.values)
      return { problem: tooManyValues(limits) };
    let value: unknown;
    try {
      value = readJson(line, () => note('NaN or Infinity, read as null'));
    } catch (error) {
      return { problem: `not JSON (${(error as Error).message}); write one JSON object a line` };
    }
    if (!isObject(value)) return { problem: `is ${shortened(value)}; write one JSON object a line` };
    const placed = places.read(value);
    const named = id === undefined ? placed : { ...placed, example_id: placed['example_id'] ?? id };
    const notRead = unreadProblem(named, isRead, note) ?? unreadInCalls(named, note);
    if (notRead !== undefined) return { problem: notRead };
    const given = plainRecord(named);
    const record = z.safeParse(compiled, given).data;
    if (record === undefined) return { problem: schemaProblem(given, isRead) };
    const problem = limits && sizeProblem(record, limits);
    if (problem !== undefined) return { problem };
    if (!refusesEmpty) return record;
    const others = Object.keys(named).filter((key) => named[key] !== null && !isRead(key));
    return saysNothing(record) ? { problem: nothingExpected(others), isEmpty: true } : record;
  }
}

/** Returns whether a record has none of the fields that say what is expected. */
function saysNothing({ label, tools, expected_tool_calls, reference, alternatives, forbidden }: TruthRecord): boolean {
  return [label, tools, expected_tool_calls, reference, alternatives, forbidden].every((field) => field == null);
}

function nothingExpected(unread: readonly string[]): string {
  const nothing =
    'says nothing of what is expected: none of label, expected_tool_calls, reference, alternatives, forbidden and tools is given';
  if (unread.length === 0) return `${nothing}; give one of them`;
  const keys = unread.slice(0, 5).join(', ');
  return `${nothing}, and nothing reads ${keys}; rename ${unread.length === 1 ? 'it' : 'them'}, or say what it holds, such as truth.fields: {expected_tool_calls: /${unread[0]}} (--truth-field expected_tool_calls=/${unread[0]})`;
}

/** More keys than these are not listed. */
const unreadMax = 20;

/** A record with calls and tools of any form in those of the schema. No alternative, or no forbidden tool, says nothing. */
function plainRecord(given: JsonObject): JsonObject {
  const { expected_tool_calls: calls, alternatives, forbidden, tools } = given;
  const list = toolList(tools) as Json;
  return {
    ...given,
    ...(Array.isArray(calls) && { expected_tool_calls: plainCalls(calls) }),
    ...(Array.isArray(alternatives) && {
      alternatives: alternatives.length === 0 ? null : (alternatives as readonly Json[]).map(plainCalls),
    }),
    ...(Array.isArray(forbidden) && forbidden.length === 0 && { forbidden: null }),
    ...(Array.isArray(list) && { tools: toolsOf(list as readonly Json[]) }),
  };
}

function schemaProblem(given: JsonObject, isRead: (key: string) => boolean): string {
  const problem = problemOf(truthRecordSchema, given)!;
  if ((given['example_id'] ?? null) !== null) return problem;
  const mapping = mappingOf(given, isRead) || '--truth-field example_id=/KEY';
  return `${problem}; say where it lies: ${mapping} (configuration: truth.fields)`;
}

/** The record of a line of NDJSON, or its problem. */
export function readTruthRecord(line: string): TruthRecord | TruthProblem {
  return truthReader().read(line);
}

function sizeProblem({ expected_tool_calls, alternatives }: TruthRecord, limits: RowLimits): string | undefined {
  const [expected, lists] = [expected_tool_calls ?? [], alternatives ?? []];
  if (expected.length > limits.calls) return `expected_tool_calls: ${tooManyCalls(expected.length, limits)}`;
  const most = Math.max(lists.length, ...lists.map((list) => list.length));
  if (most > limits.calls) return `alternatives: ${tooManyCalls(most, limits)}`;
  let left = limits.values;
  for (const { arguments: given } of [expected, ...lists].flat())
    if (typeof given === 'string') left -= valuesOfText(given, left);
  return left < 0 ? tooManyValues(limits) : undefined;
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
