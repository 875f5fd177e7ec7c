import { isObject, type JsonObject } from '../../scoring/json.ts';
import { type Benchmark, objectsIn, rowOfCalls, type TruthRow } from './benchmark.ts';

/**
 * Google's Agent Development Kit: eval sets (`eval_cases`) or single cases (`eval_id`, `conversation`), whose invocations have `tool_uses`, or events with
 * function calls, in `intermediate_data`; in snake case or camel case; eval sets before 1.0 too. A case of one invocation is the example of its id; of several, each is one: `id/1`, `id/2`.
 */
export const adk: Benchmark = {
  read(record, number) {
    const older = rowsOfOlder(record, number);
    if (older !== undefined) return { rows: older };
    const cases = Array.isArray(either(record, 'eval_cases')) ? objectsIn(either(record, 'eval_cases')) : [record];
    const rows = cases.map(rowsOf);
    if (rows.includes(undefined)) return { problem: 'has no eval_cases, or a case lacks eval_id or conversation' };
    return { rows: (rows as TruthRow[][]).flat() };
  },
};

/** Eval sets before 1.0: `name` and `data`, or a list of turns alone, with `expected_tool_use`. */
function rowsOfOlder(
  { name, data, query, expected_tool_use: used }: JsonObject,
  number: number,
): TruthRow[] | undefined {
  const turns = Array.isArray(data)
    ? objectsIn(data)
    : query !== undefined && used !== undefined
      ? [{ expected_tool_use: used }]
      : [];
  if (turns.length === 0) return undefined;
  const id = typeof name === 'string' ? name : String(number);
  return turns.map(({ expected_tool_use: uses }: JsonObject, at) => {
    const calls = objectsIn(uses).map(({ tool_name, tool_input }) => ({
      name: tool_name,
      arguments: tool_input ?? null,
    }));
    return rowOfCalls(turns.length === 1 ? id : `${id}/${at + 1}`, calls);
  });
}

function rowsOf(one: JsonObject): TruthRow[] | undefined {
  const id = either(one, 'eval_id');
  const { conversation } = one;
  if (typeof id !== 'string' || !Array.isArray(conversation)) return undefined;
  const invocations = objectsIn(conversation);
  return invocations.map((invocation, at) => {
    const example = invocations.length === 1 ? id : `${id}/${at + 1}`;
    return rowOfCalls(example, callsOf(either(invocation, 'intermediate_data')));
  });
}

function callsOf(data: unknown): object[] {
  if (!isObject(data)) return [];
  const uses = either(data, 'tool_uses');
  const used = Array.isArray(uses)
    ? objectsIn(uses)
    : objectsIn(either(data, 'invocation_events'))
        .flatMap(({ content }) => (isObject(content) ? objectsIn(content['parts']) : []))
        .map((part) => either(part, 'function_call'))
        .filter(isObject);
  return used.map(({ name, args }) => ({ name, arguments: args ?? null }));
}

/** A field in snake case, or in camel case. */
function either(record: JsonObject, name: string): JsonObject[string] | undefined {
  return record[name] ?? record[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
}
