import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { type Benchmark, objectsIn, rowOfCalls, type TruthRow } from './benchmark.ts';

/**
 * promptfoo: test cases, or a configuration with `tests`, by their assertions on tool calls: `trajectory:tool-sequence`, `trajectory:tool-used`, `tool-call-f1`
 * (names: arguments do not matter), `trajectory:tool-args-match` (`name`, `args`), `not-trajectory:tool-used` (forbidden). `{{name}}` in arguments stands for the value in
 * `vars`. A test without such assertions is skipped. The example is `metadata.example_id`, else the description, else the number.
 */
export const promptfoo: Benchmark = {
  read(record, number) {
    if (Array.isArray(record['tests']))
      return { rows: objectsIn(record['tests']).flatMap((one, at) => rowOf(one, at + 1)) };
    if (!Array.isArray(record['assert'])) return { problem: 'has neither tests nor assert' };
    return { rows: rowOf(record, number) };
  },
};

interface Expected {
  readonly name: string;
  /** Undefined: any arguments are right. */
  args: JsonObject | undefined;
}

function rowOf({ assert, vars, description, metadata }: JsonObject, number: number): TruthRow[] {
  const asserted = objectsIn(assert).map(({ type, value }) => ({ type: String(type), value: value ?? null }));
  const of = (...types: readonly string[]): Json[] =>
    asserted.filter(({ type }) => types.includes(type)).map(({ value }) => value);
  const calls = of('trajectory:tool-sequence').flatMap(stepsOf).map(anyCall);
  for (const value of of('trajectory:tool-args-match')) addArguments(calls, value, isObject(vars) ? vars : {});
  for (const name of of('trajectory:tool-used', 'tool-call-f1').flatMap(namesOf))
    if (!calls.some((call) => call.name === name)) calls.push(anyCall(name));
  const forbidden = of('not-trajectory:tool-used').flatMap(namesOf);
  if (calls.length === 0 && forbidden.length === 0) return [];
  const exampleId = isObject(metadata) ? metadata['example_id'] : undefined;
  const expected = calls.map(({ name, args }) =>
    args === undefined ? { name, accept: { '*': { ignore: true } } } : { name, arguments: args },
  );
  const row = rowOfCalls(exampleId ?? description ?? String(number), expected);
  return [forbidden.length > 0 ? { ...row, forbidden } : row];
}

function anyCall(name: string): Expected {
  return { name, args: undefined };
}

/** Arguments of the first call of the tool that has none yet, else of a further one. */
function addArguments(calls: Expected[], value: Json, vars: JsonObject): void {
  if (!isObject(value) || typeof value['name'] !== 'string') return;
  const { name } = value;
  const given = filled(value['args'] ?? value['arguments'] ?? {}, vars);
  const args = isObject(given) ? given : {};
  const open = calls.find((call) => call.name === name && call.args === undefined);
  if (open === undefined) calls.push({ name, args });
  else open.args = args;
}

/** Names in the order of a sequence: `[a, {name: b}]`, or the same under `steps`. */
function stepsOf(value: Json): string[] {
  const steps = isObject(value) ? value['steps'] : value;
  return Array.isArray(steps) ? steps.flatMap(namesOf) : [];
}

/** A name, `{name, min?}`, a list of them, or names with commas between. */
function namesOf(value: Json): string[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(namesOf);
  if (typeof value === 'string')
    return value
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
  return isObject(value) && typeof value['name'] === 'string' ? [value['name']] : [];
}

/** A value with `{{name}}` replaced. A text of one variable alone becomes the value of the variable. */
function filled(value: Json, vars: JsonObject): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => filled(item, vars));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, vars)]));
  if (typeof value !== 'string') return value;
  const whole = /^\{\{\s*(\w+)\s*\}\}$/.exec(value)?.[1];
  if (whole !== undefined && Object.hasOwn(vars, whole)) return vars[whole]!;
  return value.replace(/\{\{\s*(\w+)\s*\}\}/g, (text, name: string) =>
    Object.hasOwn(vars, name) ? String(vars[name]) : text,
  );
}
