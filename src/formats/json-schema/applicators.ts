import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { isTexts } from './assertions.ts';
import type { Check, Keyword, Reading } from './check.ts';
import type { Pattern } from './pattern.ts';
import { type Steps, spend } from './steps.ts';

/** Keywords that apply other schemas, to a value or to what is in it (JSON Schema, draft 7). */
export const applicators: Readonly<Record<string, Keyword>> = {
  $ref: (target, reading) => (typeof target === 'string' ? reading.check(targetOf(target, reading.root)) : undefined),
  allOf: ofSchemas((value, checks, steps) => checks.every((check) => check(value, steps))),
  anyOf: ofSchemas((value, checks, steps) => checks.some((check) => check(value, steps))),
  oneOf: ofSchemas((value, checks, steps) => checks.filter((check) => check(value, steps)).length === 1),
  not: ofSchema((value, check, steps) => !check(value, steps)),
  if(condition, reading, schema) {
    const [holds, then, otherwise] = [condition, schema['then'] ?? true, schema['else'] ?? true].map(reading.check);
    if (holds === undefined || then === undefined || otherwise === undefined) return undefined;
    return (value, steps) => (holds(value, steps) ? then(value, steps) : otherwise(value, steps));
  },
  properties(properties, reading) {
    const checks = checksOf(properties, reading.check);
    return (
      checks && ofObjects((value, steps) => checks.every(([key, check]) => acceptsField(value, key, check, steps)))
    );
  },
  patternProperties(properties, reading) {
    const checks = checksOf(properties, reading.check);
    const patterns = patternsOf(properties, reading);
    if (checks === undefined || patterns === undefined) return undefined;
    return ofFields((value, key, steps) =>
      patterns.every((pattern, at) => !pattern(key, steps) || checks[at]![1](value, steps)),
    );
  },
  additionalProperties(additional, reading, { properties = {}, patternProperties = {} }) {
    const check = reading.check(additional);
    const patterns = patternsOf(patternProperties, reading);
    if (check === undefined || patterns === undefined || !isObject(properties)) return undefined;
    return ofFields(
      (value, key, steps) =>
        Object.hasOwn(properties, key) || patterns.some((pattern) => pattern(key, steps)) || check(value, steps),
    );
  },
  propertyNames(names, reading) {
    const check = reading.check(names);
    return check && ofFields((_value, key, steps) => check(key, steps));
  },
  dependencies(dependencies, reading) {
    const checks = checksOf(dependencies, (dependency) =>
      isTexts(dependency) ? requiring(dependency) : reading.check(dependency),
    );
    return (
      checks &&
      ofObjects((value, steps) => checks.every(([key, check]) => !Object.hasOwn(value, key) || check(value, steps)))
    );
  },
  items(items, reading, { additionalItems = true }) {
    if (!Array.isArray(items)) return ofItems([], reading.check(items));
    return ofItems((items as readonly Json[]).map(reading.check), reading.check(additionalItems));
  },
  contains: ofSchema(
    (value, check, steps) => !Array.isArray(value) || (value as readonly Json[]).some((item) => check(item, steps)),
  ),
};

/** What a reference within the schema points at: `#`, or a JSON pointer behind it. Nothing else is followed. */
function targetOf(reference: string, root: JsonObject): Json | undefined {
  if (!/^#(\/|$)/.test(reference)) return undefined;
  let target: Json | undefined = root;
  for (const part of decoded(reference).split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const within: boolean = typeof target === 'object' && target !== null && Object.hasOwn(target, key);
    target = within ? (target as JsonObject)[key] : undefined;
  }
  return target;
}

function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

function ofSchema(accepts: (value: Json, check: Check, steps: Steps) => boolean): Keyword {
  return (schema, reading) => {
    const check = reading.check(schema);
    return check && ((value, steps) => accepts(value, check, steps));
  };
}

function ofSchemas(accepts: (value: Json, checks: readonly Check[], steps: Steps) => boolean): Keyword {
  return (schemas, reading) => {
    const checks = Array.isArray(schemas) ? allOf((schemas as readonly Json[]).map(reading.check)) : undefined;
    return checks && ((value, steps) => accepts(value, checks, steps));
  };
}

function checksOf(
  schemas: Json,
  checkOf: (schema: Json) => Check | undefined,
): readonly (readonly [key: string, check: Check])[] | undefined {
  if (!isObject(schemas)) return undefined;
  return allOf(
    Object.entries(schemas).map(([key, schema]) => {
      const check = checkOf(schema);
      return check && ([key, check] as const);
    }),
  );
}

function patternsOf(properties: Json, reading: Reading): readonly Pattern[] | undefined {
  return isObject(properties) ? allOf(Object.keys(properties).map(reading.pattern)) : undefined;
}

function allOf<Item>(items: readonly (Item | undefined)[]): readonly Item[] | undefined {
  return items.includes(undefined) ? undefined : (items as readonly Item[]);
}

function requiring(names: readonly string[]): Check {
  return ofObjects((value, steps) => spend(steps, names.length) && names.every((name) => Object.hasOwn(value, name)));
}

function acceptsField(value: JsonObject, key: string, check: Check, steps: Steps): boolean {
  return spend(steps, 1) && (!Object.hasOwn(value, key) || check(value[key]!, steps));
}

function ofObjects(accepts: (value: JsonObject, steps: Steps) => boolean): Check {
  return (value, steps) => !isObject(value) || accepts(value, steps);
}

function ofFields(accepts: (value: Json, key: string, steps: Steps) => boolean): Check {
  return ofObjects((value, steps) => {
    const keys = Object.keys(value);
    return spend(steps, keys.length) && keys.every((key) => accepts(value[key]!, key, steps));
  });
}

/** The first items by their own schemas, the rest by one. */
function ofItems(first: readonly (Check | undefined)[], rest: Check | undefined): Check | undefined {
  const own = allOf(first);
  if (own === undefined || rest === undefined) return undefined;
  return (value, steps) =>
    !Array.isArray(value) ||
    (value as readonly Json[]).every((item, at) => spend(steps, 1) && (own[at] ?? rest)(item, steps));
}
