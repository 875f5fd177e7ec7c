import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { parsedOr } from '../json/parsed.ts';

/** A row of truth as NDJSON would give it, not checked yet: `readTruthRecord` finds its problems. */
export interface TruthRow {
  readonly example_id: unknown;
  readonly label?: string | null;
  readonly tools?: unknown;
  readonly expected_tool_calls?: unknown;
  readonly reference?: unknown;
  readonly forbidden?: unknown;
}

/**
 * The content of a benchmark's record: truth, also of several examples, nothing of its own, a part that another record completes, or why it
 * is not read.
 */
export type Read =
  | { readonly row: TruthRow | undefined }
  | { readonly rows: readonly TruthRow[] }
  | { readonly id: string; readonly part: Partial<TruthRow>; readonly lacks: string }
  | { readonly problem: string };

/** A form in which a benchmark is published (docs/reference/truth.md, "Benchmarks"). Never throws. */
export interface Benchmark {
  /** `number` is the record's, in its file. */
  read(record: JsonObject, number: number): Read;
}

/** The objects in a list, also where they are JSON text; none where it is no list. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(parsedOr).filter(isObject) : [];
}

/** The row of an example of which only the expected calls are given. */
export function rowOfCalls(example_id: unknown, calls: readonly object[]): TruthRow {
  return { example_id, label: calls.length > 0 ? 'tool_call' : null, expected_tool_calls: calls };
}

export { idText } from '../inputs/fields.ts';

/** The calls of all messages in their order, in the form of OpenAI (`function.arguments`) or of LangChain (`args`). */
export function callsOfMessages(messages: unknown): object[] {
  return objectsIn(messages)
    .flatMap((message) => objectsIn(message['tool_calls']))
    .map((call) => (isObject(call['function']) ? call['function'] : call))
    .map(({ name, arguments: given, args }) => ({ name, arguments: given ?? args ?? null }));
}

const jsonTypes: Readonly<Record<string, string>> = {
  dict: 'object',
  list: 'array',
  tuple: 'array',
  str: 'string',
  int: 'integer',
  float: 'number',
  bool: 'boolean',
};

/** A tool whose parameters may be written with Python's names of types, with those of JSON Schema; `any` says nothing. */
export function withJsonTypes(tool: JsonObject): JsonObject {
  const { parameters, ...rest } = tool;
  return parameters === undefined ? rest : { ...rest, parameters: typed(parameters) };
}

function typed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(typed);
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).filter(([key, value]) => key !== 'type' || value !== 'any');
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isType(key, value) ? jsonTypes[value]! : typed(value)]),
  );
}

function isType(key: string, value: Json): value is string {
  return key === 'type' && typeof value === 'string' && Object.hasOwn(jsonTypes, value);
}
