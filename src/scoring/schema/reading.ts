import { isContainer, isObject, type Json, type JsonObject } from '../json.ts';
import { pointerKeys } from '../json-pointer.ts';
import { percentDecoded } from '../percent-decoded.ts';
import type { TypeName } from '../match/rule.ts';
import { isOfType, typeOf } from '../match/values.ts';

/** Verdict of a schema on a value; undefined where it says nothing of the value's type. */
type Verdict = boolean | undefined;

/**
 * Returns whether every required parameter is there, and every argument that the schema describes has an accepted type; the names of arguments
 * of which the schema says nothing are added to `unchecked` (docs/reference/scoring.md, "schema").
 *
 * `{"properties": {"days": {"anyOf": [{"type": "INTEGER"}, {"type": "null"}]}}}` accepts `{"days": 3}`.
 */
export function fitsParameters(parameters: JsonObject, args: JsonObject, unchecked: string[]): boolean {
  const schema = schemaOf(parameters);
  const { properties, required } = schema;
  const names = Array.isArray(required) ? (required as readonly Json[]) : [];
  let fits = names.every((name) => typeof name !== 'string' || Object.hasOwn(args, name));
  for (const name of Object.keys(args)) {
    const described = isObject(properties) && Object.hasOwn(properties, name) ? properties[name]! : undefined;
    if (isObject(properties) && !isObject(described)) continue;
    const verdict = isObject(described) ? verdictOf(described, args[name]!, schema, { left: stepsMax }) : undefined;
    if (verdict === undefined) unchecked.push(name);
    else fits &&= verdict;
  }
  return fits;
}

/** Returns whether null is a value of a parameter. */
export function acceptsNull(parameters: JsonObject, name: string): boolean {
  const schema = schemaOf(parameters);
  const { properties } = schema;
  const described = isObject(properties) && Object.hasOwn(properties, name) ? properties[name]! : undefined;
  if (!isObject(described)) return false;
  return described['default'] === null || verdictOf(described, null, schema, { left: stepsMax }) === true;
}

/** Returns whether a call must have a parameter. */
export function isRequired(parameters: JsonObject, name: string): boolean {
  const { required } = schemaOf(parameters);
  return Array.isArray(required) && (required as readonly Json[]).includes(name);
}

/** Parts of schemas that are read for one argument: references may come back to where they are. */
const stepsMax = 1_000;

/** The JSON Schema of parameters: their own, the part of it that they refer to, or that of a flat map of names and types. */
export function schemaOf(parameters: JsonObject): JsonObject {
  if (isObject(parameters['properties'])) return parameters;
  const target = targetOf(parameters['$ref'], parameters);
  if (isObject(target) && isObject(target['properties'])) return { ...parameters, ...target };
  return isFlat(parameters) ? fromFlat(parameters) : parameters;
}

/** Returns whether an object gives parameters by their names, each with a type, as the rows of xLAM do. */
function isFlat(parameters: JsonObject): boolean {
  const described = Object.values(parameters);
  return described.length > 0 && described.every((each) => isObject(each) && typeof each['type'] === 'string');
}

function fromFlat(parameters: JsonObject): JsonObject {
  const properties: Record<string, Json> = Object.create(null) as Record<string, Json>;
  const required: string[] = [];
  for (const [name, given] of Object.entries(parameters as Readonly<Record<string, JsonObject>>)) {
    const { required: isRequired, type, ...described } = given;
    const known = typeNamed(type);
    properties[name] = known === undefined ? described : { ...described, type: known };
    const isOptional = /optional/i.test(type as string) || isRequired === false || Object.hasOwn(given, 'default');
    if (!isOptional) required.push(name);
  }
  return { type: 'object', properties, required };
}

const typesByName: Readonly<Record<string, TypeName>> = {
  ...{ string: 'string', integer: 'integer', number: 'number', boolean: 'boolean', array: 'array', object: 'object' },
  ...{ null: 'null', str: 'string', int: 'integer', float: 'number', bool: 'boolean', list: 'array', dict: 'object' },
};

/** JSON type of a name in any letter case, or as Python writes it: `INTEGER`, `List[int]`, `int, optional`; undefined for any other. */
export function typeNamed(name: Json | undefined): TypeName | undefined {
  if (typeof name !== 'string') return undefined;
  if (Object.hasOwn(typesByName, name)) return typesByName[name];
  const word = /^\s*(\w+)(?:\[.*\])?(?:\s*,\s*optional)?\s*$/i.exec(name)?.[1]?.toLowerCase();
  return word !== undefined && Object.hasOwn(typesByName, word) ? typesByName[word] : undefined;
}

/** The part of a schema at a reference: `#`, or a JSON pointer behind it. No other reference is followed. */
export function targetOf(reference: Json | undefined, root: JsonObject): Json | undefined {
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return undefined;
  let target: Json | undefined = root;
  for (const key of pointerKeys(percentDecoded(reference))) {
    if (!isContainer(target) || !Object.hasOwn(target, key)) return undefined;
    target = (target as JsonObject)[key];
  }
  return target;
}

function verdictOf(schema: Json, value: Json, root: JsonObject, steps: { left: number }): Verdict {
  if (schema === false) return false;
  if (!isObject(schema) || steps.left-- <= 0) return undefined;
  const { type, enum: values, const: constant, anyOf, oneOf, allOf, $ref: reference, nullable } = schema;
  if (value === null && nullable === true) return true;
  const below = (one: Json): Verdict => verdictOf(one, value, root, steps);
  const alike = (one: Json): Verdict => isWholeOrType(one, value);
  const verdicts: Verdict[] = [];
  if (type !== undefined)
    verdicts.push(some(Array.isArray(type) ? type : [type], (name) => verdictOfType(name, value)));
  if (Array.isArray(values)) verdicts.push(some(values, alike));
  if (constant !== undefined) verdicts.push(alike(constant));
  if (Array.isArray(anyOf)) verdicts.push(some(anyOf, below));
  if (Array.isArray(oneOf)) verdicts.push(some(oneOf, below));
  if (Array.isArray(allOf)) verdicts.push(every(allOf.map(below)));
  if (reference !== undefined) verdicts.push(below(targetOf(reference, root) ?? true));
  return every(verdicts);
}

/** A name of no type says nothing. */
function verdictOfType(name: Json, value: Json): Verdict {
  const type = typeNamed(name);
  return type && isOfType(value, type);
}

/** Returns whether a value has the type of one that is listed; 1 is an integer, 1.5 a number. */
function isWholeOrType(listed: Json, value: Json): boolean {
  return isOfType(value, isOfType(listed, 'integer') ? 'integer' : typeOf(listed));
}

function some(list: readonly Json[], verdict: (one: Json) => Verdict): Verdict {
  const verdicts = list.map(verdict);
  if (verdicts.includes(true)) return true;
  return verdicts.length === 0 || verdicts.includes(undefined) ? undefined : false;
}

function every(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false;
  return verdicts.includes(true) ? true : undefined;
}
