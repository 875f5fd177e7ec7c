import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { targetOf } from '../../scoring/schema/reading.ts';
import { assertions, isTexts } from './assertions.ts';
import type { Check, Keyword, Reading } from './check.ts';
import type { Pattern } from './pattern.ts';
import { demand, type Steps, spend, within } from './steps.ts';

/** Keywords that apply other schemas, to a value or to its parts (JSON Schema, draft 7). */
export const applicators: Readonly<Record<string, Keyword>> = {
  $ref(target, reading) {
    const part = targetOf(target, reading.root);
    demand(part !== undefined);
    return reading.check(part);
  },
  allOf: ofSchemas((value, checks, steps) => checks.every((check) => check(value, steps))),
  anyOf: ofSchemas((value, checks, steps) => checks.some((check) => check(value, steps))),
  oneOf: ofSchemas((value, checks, steps) => checks.filter((check) => check(value, steps)).length === 1),
  not: ofSchema((value, check, steps) => !check(value, steps)),
  if(condition, reading, schema) {
    const holds = reading.check(condition);
    const then = reading.check(schema['then'] ?? true);
    const otherwise = reading.check(schema['else'] ?? true);
    return (value, steps) => (holds(value, steps) ? then(value, steps) : otherwise(value, steps));
  },
  properties(properties, reading) {
    return ofNamed(properties, reading.check, (value, key, check, steps) =>
      within(steps, key, () => check(value[key]!, steps)),
    );
  },
  patternProperties(properties, reading) {
    const patterns = patternsOf(properties, reading);
    const checks = Object.values(properties as JsonObject).map(reading.check);
    return ofFields((value, key, steps) =>
      patterns.every((pattern, at) => !pattern(key, steps) || within(steps, key, () => checks[at]!(value, steps))),
    );
  },
  additionalProperties(additional, reading, { properties = {}, patternProperties = {} }) {
    demand(isObject(properties));
    const check = reading.check(additional);
    const patterns = patternsOf(patternProperties, reading);
    return ofFields(
      (value, key, steps) =>
        Object.hasOwn(properties, key) ||
        patterns.some((pattern) => pattern(key, steps)) ||
        within(steps, key, () => check(value, steps)),
    );
  },
  propertyNames(names, reading) {
    const check = reading.check(names);
    return ofFields((_value, key, steps) => check(key, steps));
  },
  dependencies(dependencies, reading, schema) {
    const checkOf = (dependency: Json): Check =>
      isTexts(dependency) ? assertions['required']!(dependency, reading, schema) : reading.check(dependency);
    return ofNamed(dependencies, checkOf, (value, _key, check, steps) => check(value, steps));
  },
  items(items, reading, { additionalItems = true }) {
    const first = Array.isArray(items) ? (items as readonly Json[]).map(reading.check) : [];
    const rest = reading.check(Array.isArray(items) ? additionalItems : items);
    return (value, steps) => {
      if (!Array.isArray(value)) return true;
      spend(steps, value.length);
      return within(steps, '[]', () =>
        (value as readonly Json[]).every((item, at) => (first[at] ?? rest)(item, steps)),
      );
    };
  },
  contains: ofSchema(
    (value, check, steps) => !Array.isArray(value) || (value as readonly Json[]).some((item) => check(item, steps)),
  ),
};

function ofSchema(accepts: (value: Json, check: Check, steps: Steps) => boolean): Keyword {
  return (schema, reading) => {
    const check = reading.check(schema);
    return (value, steps) => accepts(value, check, steps);
  };
}

function ofSchemas(accepts: (value: Json, checks: readonly Check[], steps: Steps) => boolean): Keyword {
  return (schemas, reading) => {
    demand(Array.isArray(schemas));
    const checks = (schemas as readonly Json[]).map(reading.check);
    return (value, steps) => accepts(value, checks, steps);
  };
}

function patternsOf(properties: Json, reading: Reading): readonly Pattern[] {
  demand(isObject(properties));
  return Object.keys(properties).map(reading.pattern);
}

/** Checks that belong to names, for the objects that have fields with those names. */
function ofNamed(
  schemas: Json,
  checkOf: (schema: Json) => Check,
  accepts: (value: JsonObject, key: string, check: Check, steps: Steps) => boolean,
): Check {
  demand(isObject(schemas));
  const checks = Object.entries(schemas).map(([key, schema]) => [key, checkOf(schema)] as const);
  return (value, steps) => {
    if (!isObject(value)) return true;
    spend(steps, checks.length);
    return checks.every(([key, check]) => !Object.hasOwn(value, key) || accepts(value, key, check, steps));
  };
}

function ofFields(accepts: (value: Json, key: string, steps: Steps) => boolean): Check {
  return (value, steps) => {
    if (!isObject(value)) return true;
    const keys = Object.keys(value);
    spend(steps, keys.length);
    return keys.every((key) => accepts(value[key]!, key, steps));
  };
}
