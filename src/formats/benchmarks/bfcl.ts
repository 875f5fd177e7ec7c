import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { type Benchmark, objectsIn, withJsonTypes } from './benchmark.ts';

/**
 * Berkeley Function-Calling Leaderboard: a file of questions (`id`, `function`) and one of answers (`id`, `ground_truth`: calls, each parameter with the
 * list of values that are accepted). The first value counts, "" stands for leaving the parameter out, and the others go into `accept`. Questions of irrelevance and of
 * relevance have no answers: they cannot be answered with their tools, or some call is right. Answers of several turns are Python text, and not read.
 */
export const bfcl: Benchmark = {
  read({ id, function: tools, ground_truth: answers }) {
    if (typeof id !== 'string') return { problem: 'has no id' };
    if (/(?:^|_)java(?:script)?(?:_|$)/.test(id)) return { problem: foreign };
    if (answers !== undefined) {
      const calls = Array.isArray(answers) ? answers.map(callOf) : [undefined];
      if (calls.includes(undefined)) return { problem: 'its ground_truth is no list of calls with accepted values' };
      const part = { label: 'tool_call', expected_tool_calls: calls };
      return { id, part, lacks: `its question (${id}); name the file of questions as well` };
    }
    if (tools === undefined) return { problem: 'has neither function nor ground_truth' };
    const part = { tools: objectsIn([tools].flat()).map(withJsonTypes) };
    if (id.includes('irrelevance'))
      return { row: { example_id: id, label: 'cannot_answer', ...part, expected_tool_calls: [] } };
    if (id.includes('relevance')) return { row: { example_id: id, label: 'tool_call', ...part } };
    return { id, part, lacks: `its answer (${id}); name the file of possible_answer as well` };
  },
};

const foreign =
  'is of a category of Java or JavaScript, whose values are text of that language and would be compared as text; leave its files out';

function callOf(answer: Json): object | undefined {
  const [name] = isObject(answer) ? Object.keys(answer) : [];
  const accepted = name === undefined ? undefined : (answer as JsonObject)[name];
  if (!isObject(accepted)) return undefined;
  const accept = Object.fromEntries(Object.entries(accepted).flatMap(([path, values]) => rulesFor(path, values)));
  return { name, arguments: argumentsOf(accepted), ...(Object.keys(accept).length > 0 && { accept }) };
}

/** Rules by path: the further accepted values, and those of the fields of the first value that has fields. */
function rulesFor(path: string, values: Json): [string, JsonObject][] {
  if (!Array.isArray(values)) return [];
  const [first] = values;
  const others = values.slice(1).filter((value) => value !== '');
  const optional = values.includes('');
  const rule = {
    ...(others.length > 0 && { any: others.map((value) => firstOf([value]) as Json) }),
    ...(optional && { optional }),
  };
  const below = fieldsOf(path, first === '' ? others[0] : first);
  return Object.keys(rule).length > 0 ? [[path, rule], ...below] : below;
}

function fieldsOf(path: string, value: Json | undefined): [string, JsonObject][] {
  if (Array.isArray(value)) return value.flatMap((item, at) => fieldsOf(`${path}[${at}]`, item));
  if (!isAccepted(value)) return [];
  return Object.entries(value).flatMap(([name, values]) => rulesFor(`${path}.${name}`, values));
}

function argumentsOf(accepted: JsonObject): object {
  const first = Object.entries(accepted).map(([name, values]) => [name, firstOf(values)] as const);
  return Object.fromEntries(first.filter(([, value]) => value !== ''));
}

/** Fields of a nested object have lists of accepted values of their own. */
function firstOf(values: Json): unknown {
  const [value] = Array.isArray(values) ? values : [values];
  if (Array.isArray(value)) return value.map((item) => (isAccepted(item) ? argumentsOf(item) : item));
  return isAccepted(value) ? argumentsOf(value) : (value ?? null);
}

function isAccepted(value: unknown): value is JsonObject {
  return isObject(value) && Object.values(value).every(Array.isArray);
}
