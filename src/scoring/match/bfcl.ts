import { isObject, type Json, type JsonObject } from '../json.ts';
import { isNumber } from '../long-number.ts';
import { parametersOf, toolName } from '../tool.ts';
import type { ExpectedCall } from '../truth.ts';

/** Characters that the Berkeley Function-Calling Leaderboard leaves out of texts. */
const bfclIgnored = ' ,./-_*^';

/** Its rules hold for an argument, and for the items and fields of one; what lies deeper is compared as it is. */
const bfclRules: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  ['', '[*]', '.*', '[*].*'].map((below) => [`*${below}`, { ignore_case: true, ignore_characters: bfclIgnored }]),
);

const asItIs: JsonObject = { ignore_case: false, ignore_characters: '' };

/** The rule for an argument, as far as it matters here. */
interface Answers {
  readonly any?: readonly Json[];
  readonly optional?: boolean;
}

/**
 * An expected call with the rules by which BFCL's checker of Python calls (`ast_checker`) judges it, from the schema of its tool:
 *
 * - what the schema requires must be there, and an argument that the schema does not know must not;
 * - an argument that may be left out may be an empty text, or an empty list, if it is of that type; a field of one an empty text;
 * - answers of another type than the first one do not count; where that is not the schema's (a variable), they are compared as they are.
 */
export function bfclCall(call: ExpectedCall, tools: readonly Json[] | undefined): ExpectedCall {
  const { name, arguments: canonical, accept: written = {} } = call;
  const tool = tools?.find((one) => toolName(one) === name);
  const schema = tool === undefined ? undefined : parametersOf(tool);
  const properties = schema?.['properties'];
  if (!isObject(properties)) return { ...call, accept: { ...bfclRules, ...written } };
  const required = new Set(Array.isArray(schema?.['required']) ? (schema['required'] as readonly Json[]) : []);
  const accept: Record<string, JsonObject> = { ...bfclRules };
  for (const [path, rule] of Object.entries(written as Readonly<Record<string, JsonObject>>))
    if (/[.[]/.test(path)) accept[path] = orEmpty(rule as Answers);
  const given: [string, Json][] = [];
  const answered = Object.keys(written).filter((path) => Object.hasOwn(properties, path));
  for (const argument of new Set([...Object.keys(canonical), ...answered, ...(required as Set<string>)])) {
    const { any = [], optional = false } = (Object.hasOwn(written, argument) ? written[argument] : {}) as Answers;
    const own = Object.hasOwn(canonical, argument) ? [canonical[argument]!] : [];
    const mayLack = optional && !required.has(argument);
    if (!Object.hasOwn(properties, argument)) {
      // An answer with it is wrong, and one without it as well where it is required.
      if (!optional) given.push([argument, null]);
      continue;
    }
    if (own.length > 0 || !mayLack) given.push([argument, own[0] ?? any[0] ?? null]);
    accept[argument] = { ...ruleOf(properties[argument]!, [...own, ...any], optional), optional: mayLack };
  }
  return { name, arguments: Object.fromEntries(given), accept };
}

/** A field that may be left out may be empty. */
function orEmpty(rule: Answers): JsonObject {
  return rule.optional ? { ...rule, any: [...(rule.any ?? []), ''] } : { ...rule };
}

/** The rule for the answers to an argument; the first one is of the type that counts. */
function ruleOf(schema: Json, answers: readonly Json[], optional: boolean): JsonObject {
  const schemaType = typeOfSchema(schema);
  const first = answers.length === 0 ? undefined : typeOf(answers[0]!);
  const isVariable = first !== undefined && first !== schemaType;
  const counting = answers.filter((one) => typeOf(one) === first);
  const mayBeText = schemaType === 'string' || first === 'string';
  const empty: readonly Json[] = !optional ? [] : mayBeText ? [''] : schemaType === 'array' ? [[]] : [];
  return { ...(isVariable ? asItIs : {}), any: [...counting, ...empty] };
}

/** Type of the values of a schema. Numbers are one type, since 5 and 5.0 are the same value; without a type it is text. */
function typeOfSchema(schema: Json): string {
  const type = isObject(schema) ? schema['type'] : undefined;
  return type === 'integer' ? 'number' : typeof type === 'string' ? type : 'string';
}

function typeOf(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : isNumber(value) ? 'number' : typeof value;
}
