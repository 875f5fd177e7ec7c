import { isContainer, isObject, type Json, jsonEqual } from '../../scoring/json.ts';
import { doubleOf, isNumber, isWhole } from '../../scoring/long-number.ts';
import type { TypeName } from '../../scoring/match/rule.ts';
import { typeNamed } from '../../scoring/schema/reading.ts';
import { hashOf } from '../../scoring/similarity.ts';
import type { Check, Keyword } from './check.ts';
import { formatCheck } from './formats.ts';
import { breaks, demand, sizeOf, type Steps, spend, textSteps } from './steps.ts';

const atMost = (found: number, limit: number): boolean => found <= limit;
const atLeast = (found: number, limit: number): boolean => found >= limit;

/** Keywords that look at one value (JSON Schema, draft 7; `nullable` is OpenAPI's). They accept values of other types. */
export const assertions: Readonly<Record<string, Keyword>> = {
  type: (type, _reading, { nullable }) => typeCheck(type, nullable === true),
  nullable(nullable, _reading, { type }) {
    demand(typeof nullable === 'boolean' && type !== undefined && (nullable || ![type].flat().includes('null')));
    return () => true;
  },
  const: (wanted) => equalsOneOf([wanted]),
  enum(values) {
    demand(Array.isArray(values) && values.length > 0);
    return equalsOneOf(values as readonly Json[]);
  },
  maximum: compared(numberOf, atMost),
  minimum: compared(numberOf, atLeast),
  exclusiveMaximum: compared(numberOf, (value, limit) => value < limit),
  exclusiveMinimum: compared(numberOf, (value, limit) => value > limit),
  multipleOf: compared(numberOf, (value, factor) => Number.isInteger(value / factor)),
  maxLength: compared(lengthOf, atMost),
  minLength: compared(lengthOf, atLeast),
  maxItems: compared(itemsOf, atMost),
  minItems: compared(itemsOf, atLeast),
  maxProperties: compared(propertiesOf, atMost),
  minProperties: compared(propertiesOf, atLeast),
  pattern(source, reading) {
    demand(typeof source === 'string');
    const pattern = reading.pattern(source);
    return (value, steps) => typeof value !== 'string' || pattern(value, steps);
  },
  format(name) {
    demand(typeof name === 'string');
    return formatCheck(name);
  },
  uniqueItems(unique) {
    demand(typeof unique === 'boolean');
    return (value, steps) => !unique || !Array.isArray(value) || areUnique(value as readonly Json[], steps);
  },
  required(names) {
    demand(isTexts(names));
    return (value, steps) => {
      spend(steps, names.length);
      return !isObject(value) || names.every((name) => Object.hasOwn(value, name) || breaks(steps, 'required', name));
    };
  },
};

/** Returns whether a value is a list of texts. */
export function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && (value as readonly Json[]).every((item) => typeof item === 'string');
}

const types: Readonly<Record<TypeName, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: isNumber,
  // 1e999 is an integer, and read as infinity.
  integer: (value) => isWhole(value) || value === Infinity || value === -Infinity,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

function typeCheck(type: Json, nullable: boolean): Check {
  const names = [...new Set([type].flat())] as Json[];
  const named = names.map(typeNamed);
  demand(named.every((name) => name !== undefined));
  const accepted = named.map((name) => types[name]);
  return (value) => names.length === 0 || (nullable && value === null) || accepted.some((accepts) => accepts(value));
}

/** Compares a number that is measured of a value with that of the keyword; values that have none are accepted. */
function compared(
  measure: (value: Json, steps: Steps) => number | undefined,
  holds: (found: number, limit: number) => boolean,
): Keyword {
  return (limit) => {
    const most = numberOf(limit);
    demand(most !== undefined);
    return (value, steps) => {
      const found = measure(value, steps);
      return found === undefined || holds(found, most);
    };
  };
}

function numberOf(value: Json): number | undefined {
  return isNumber(value) ? doubleOf(value) : undefined;
}

/** Code points of a text. */
function lengthOf(value: Json, steps: Steps): number | undefined {
  if (typeof value !== 'string') return undefined;
  spend(steps, textSteps(value));
  let count = 0;
  for (const _ of value) count++;
  return count;
}

function itemsOf(value: Json): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

function propertiesOf(value: Json, steps: Steps): number | undefined {
  if (!isObject(value)) return undefined;
  const count = Object.keys(value).length;
  spend(steps, count);
  return count;
}

function equalsOneOf(values: readonly Json[]): Check {
  const scalars = new Set(values.filter((value) => !isContainer(value)));
  const containers = values.filter(isContainer);
  const size = containers.reduce((sum, value) => sum + sizeOf(value, Number.POSITIVE_INFINITY), 0);
  return (value, steps) => {
    const keys = isObject(value) ? Object.keys(value).length : 0;
    spend(steps, isContainer(value) ? size + keys * containers.length : sizeOf(value, 1));
    return isContainer(value) ? containers.some((one) => jsonEqual(one, value)) : scalars.has(value);
  };
}

/** Equal items are found by their hashes; only those with the same hash are compared. */
function areUnique(items: readonly Json[], steps: Steps): boolean {
  const byHash = new Map<number, Json[]>();
  for (const item of items) {
    const size = 2 * sizeOf(item, steps.left);
    spend(steps, size);
    const hash = hashOf(item);
    const alike = byHash.get(hash) ?? [];
    for (const other of alike) {
      spend(steps, size);
      if (jsonEqual(item, other)) return false;
    }
    alike.push(item);
    byHash.set(hash, alike);
  }
  return true;
}
