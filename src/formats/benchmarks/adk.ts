import { isObject, type JsonObject } from '../../scoring/json.ts';
import { type Benchmark, objectsIn, rowOfCalls, type TruthRow } from './benchmark.ts';

/**
 * Google's Agent Development Kit: eval sets (`eval_cases`) or single cases (`eval_id`, `conversation`), whose invocations have `tool_uses`, or events with
 * function calls, in `intermediate_data`; in snake case or camel case. A case of one invocation is the example of its id; of several, each is one: `id/1`, `id/2`.
 */
export const adk: Benchmark = {
  read(record) {
    const cases = Array.isArray(either(record, 'eval_cases')) ? objectsIn(either(record, 'eval_cases')) : [record];
    const rows = cases.map(rowsOf);
    if (rows.includes(undefined)) return { problem: 'has no eval_cases, or a case lacks eval_id or conversation' };
    return { rows: (rows as TruthRow[][]).flat() };
  },
};

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
