import { isObject, type Json, type JsonObject, jsonEqual } from '../../scoring/json.ts';
import type { DeepValidator } from '../../scoring/schema/index.ts';
import type { SchemaCheck } from '../../scoring/tool-use/calls.ts';
import { hashOf } from '../../scoring/similarity.ts';
import { applicators } from './applicators.ts';
import { assertions } from './assertions.ts';
import type { Check, Keyword, Reading } from './check.ts';
import { type Pattern, patternOf } from './pattern.ts';
import { breaks, deeper, demand, Refused, sizeOf, type Steps, spend, stepsOf } from './steps.ts';

/** Steps of one call: to read its schema, and to validate its arguments. Each number takes some 20 ms (docs/reference/scoring.md, "schema"). */
const readSteps = 20_000;
const validateSteps = 100_000;

/** Size of all schemas in the cache. */
const cachedMost = 200_000;

interface Cached {
  readonly schema: JsonObject;
  /** Undefined where it is no schema. */
  readonly check: Check | undefined;
}

/** As `schemaCheck`. A schema that cannot be used accepts nothing, as no call can be said to run by it. */
export function deepValidator(): DeepValidator {
  const check = schemaCheck();
  return (schema, args) => check(schema, args) === 'fits';
}

/**
 * Validates arguments against JSON Schemas of draft 7. Schemas and arguments come from outside: no schema is turned into code, and one
 * that is no schema, or takes too many steps, cannot be used.
 */
export function schemaCheck(): SchemaCheck {
  const cache = new Map<number, Cached>();
  let cachedSize = 0;
  const read = (schema: JsonObject): Check | undefined => {
    const size = sizeOf(schema, readSteps);
    if (size > readSteps) throw new Refused('too large');
    const hash = hashOf(schema);
    const cached = cache.get(hash);
    if (cached !== undefined && jsonEqual(cached.schema, schema)) return cached.check;
    const check = orRefused(() => readSchema(schema), undefined);
    cachedSize += size;
    if (cachedSize > cachedMost) {
      cache.clear();
      cachedSize = size;
    }
    cache.set(hash, { schema, check });
    return check;
  };
  const validate = (schema: JsonObject, args: JsonObject): ReturnType<SchemaCheck> => {
    const check = read(schema);
    if (check === undefined) return 'unusable';
    const steps = stepsOf(validateSteps);
    return check(args, steps) ? 'fits' : (steps.broken ?? { path: '', keyword: '' });
  };
  return (schema, args) => orRefused(() => validate(schema, args), 'unusable');
}

function orRefused<Result>(act: () => Result, refused: Result): Result {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) return refused;
    throw error;
  }
}

const keywords: readonly (readonly [string, Keyword])[] = Object.entries({ ...assertions, ...applicators });

function readSchema(root: JsonObject): Check {
  const steps = stepsOf(readSteps);
  const checks = new Map<JsonObject, Check>();
  const patterns = new Map<string, Pattern>();
  const reading: Reading = {
    root,
    check(part) {
      if (typeof part === 'boolean') return always(part);
      demand(isObject(part!));
      return checks.get(part) ?? readPart(part, reading, steps, checks);
    },
    pattern(source) {
      const pattern = patterns.get(source) ?? patternOf(source, steps);
      patterns.set(source, pattern);
      return pattern;
    },
  };
  return reading.check(root);
}

/** Keyword of the schema `false`: the keyword that it is given for says more. */
const nothingFits = 'false';

/** Keywords that are broken where a schema within them is, whose own keyword says more. */
const passedOn: ReadonlySet<string> = new Set([
  ...['$ref', 'allOf', 'if', 'properties', 'patternProperties', 'additionalProperties', 'items', 'required'],
]);

function always(accepts: boolean): Check {
  return (_value, steps) => {
    spend(steps, 1);
    return accepts || breaks(steps, nothingFits);
  };
}

function readPart(part: JsonObject, reading: Reading, steps: Steps, checks: Map<JsonObject, Check>): Check {
  const ofKeywords: [name: string, check: Check][] = [];
  const check: Check = (value, left) =>
    deeper(left, () => ofKeywords.every(([name, one]) => one(value, left) || noteBroken(left, name)));
  // Before its keywords are read: they may refer to it.
  checks.set(part, check);
  deeper(steps, () => {
    for (const [name, read] of keywords) {
      if (!Object.hasOwn(part, name)) continue;
      spend(steps, 1);
      ofKeywords.push([name, read(part[name] as Json, reading, part)]);
    }
  });
  return check;
}

/** Notes the keyword that a value breaks, unless one within it says more. Returns false. */
function noteBroken(steps: Steps, name: string): false {
  const { broken } = steps;
  if (!passedOn.has(name) || broken === undefined) return breaks(steps, name);
  if (broken.keyword === nothingFits) steps.broken = { ...broken, keyword: name };
  return false;
}
