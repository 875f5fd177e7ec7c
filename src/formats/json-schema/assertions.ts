import { isObject, type Json, type JsonObject, jsonEqual } from '../../scoring/json.ts';
import { hashOf } from '../../scoring/similarity.ts';
import type { Check, Keyword } from './check.ts';
import { formatCheck } from './formats.ts';
import { sizeOf, type Steps, spend, textSteps } from './steps.ts';

/** Keywords that look at one value (JSON Schema, draft 7; `nullable` is OpenAPI's). They say nothing of values of other types. */
export const assertions: Readonly<Record<string, Keyword>> = {
  type: (type, _reading, schema) => typeCheck(type, schema['nullable'] === true),
  nullable(nullable, _reading, { type }) {
    return typeof nullable !== 'boolean' || type === undefined || (!nullable && includesNull(type))
      ? undefined
      : accept;
  },
  const: (wanted) => equalsOneOf([wanted]),
  enum: (values) => (Array.isArray(values) && values.length > 0 ? equalsOneOf(values as readonly Json[]) : undefined),
  maximum: bound((value, limit) => value <= limit),
  minimum: bound((value, limit) => value >= limit),
  exclusiveMaximum: bound((value, limit) => value < limit),
  exclusiveMinimum: bound((value, limit) => value > limit),
  multipleOf: bound((value, factor) => Number.isInteger(value / factor)),
  maxLength: ofLength((length, limit) => length <= limit),
  minLength: ofLength((length, limit) => length >= limit),
  maxItems: ofItems((count, limit) => count <= limit),
  minItems: ofItems((count, limit) => count >= limit),
  maxProperties: ofProperties((count, limit) => count <= limit),
  minProperties: ofProperties((count, limit) => count >= limit),
  pattern(source, reading) {
    const pattern = typeof source === 'string' ? reading.pattern(source) : undefined;
    return pattern && ((value, steps) => typeof value !== 'string' || pattern(value, steps));
  },
  format: (name) => (typeof name === 'string' ? formatCheck(name) : undefined),
  uniqueItems(unique) {
    if (typeof unique !== 'boolean') return undefined;
    return (value, steps) => !unique || !Array.isArray(value) || areUnique(value as readonly Json[], steps);
  },
  required(names) {
    if (!isTexts(names)) return undefined;
    return (value, steps) =>
      !isObject(value) || (spend(steps, names.length) && names.every((name) => Object.hasOwn(value, name)));
  },
};

/** Whether a value is a list of texts. */
export function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && (value as readonly Json[]).every((item) => typeof item === 'string');
}

const accept: Check = () => true;

const types: Readonly<Record<string, (value: Json) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  // 1e999 is an integer, and read as infinity.
  integer: (value) => typeof value === 'number' && (Number.isInteger(value) || !Number.isFinite(value)),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

function typeCheck(type: Json, nullable: boolean): Check | undefined {
  const names = [...new Set(typeof type === 'string' ? [type] : isTexts(type) ? type : [''])];
  if (!names.every((name) => Object.hasOwn(types, name))) return undefined;
  const accepted = names.map((name) => types[name]!);
  if (accepted.length === 0) return accept;
  return (value) => (nullable && value === null) || accepted.some((accepts) => accepts(value));
}

function includesNull(type: Json): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}

function bound(holds: (value: number, limit: number) => boolean): Keyword {
  return (limit) => {
    if (typeof limit !== 'number') return undefined;
    return (value) => typeof value !== 'number' || holds(value, limit);
  };
}

function ofLength(holds: (length: number, limit: number) => boolean): Keyword {
  return (limit) => {
    if (typeof limit !== 'number') return undefined;
    return (value, steps) =>
      typeof value !== 'string' || (spend(steps, textSteps(value)) && holds(codePoints(value), limit));
  };
}

function codePoints(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    const pair = (text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    if (pair) count--;
  }
  return count;
}

function ofItems(holds: (count: number, limit: number) => boolean): Keyword {
  return (limit) => {
    if (typeof limit !== 'number') return undefined;
    return (value) => !Array.isArray(value) || holds(value.length, limit);
  };
}

function ofProperties(holds: (count: number, limit: number) => boolean): Keyword {
  return (limit) => {
    if (typeof limit !== 'number') return undefined;
    return (value, steps) => {
      if (!isObject(value)) return true;
      const count = Object.keys(value).length;
      return spend(steps, count) && holds(count, limit);
    };
  };
}

function equalsOneOf(values: readonly Json[]): Check {
  const scalars = new Set(values.filter((value) => !isContainer(value)));
  const containers = values.filter(isContainer);
  const size = containers.reduce((sum, value) => sum + sizeOf(value, Number.POSITIVE_INFINITY), 0);
  return (value, steps) => {
    if (!isContainer(value)) return spend(steps, sizeOf(value, 1)) && scalars.has(value);
    const keys = isObject(value) ? Object.keys(value).length : 0;
    return spend(steps, size + keys * containers.length) && containers.some((one) => jsonEqual(one, value));
  };
}

/** Equal arrays and objects are found by their hashes, and compared with no more than have the same. */
function areUnique(items: readonly Json[], steps: Steps): boolean {
  const scalars = new Set<Json>();
  const byHash = new Map<number, Json[]>();
  for (const item of items) {
    const size = 2 * sizeOf(item, Math.max(0, steps.left));
    if (!spend(steps, size)) return false;
    if (!isContainer(item)) {
      if (scalars.has(item)) return false;
      scalars.add(item);
      continue;
    }
    const hash = hashOf(item);
    const alike = byHash.get(hash) ?? [];
    if (alike.some((other) => !spend(steps, size) || jsonEqual(item, other))) return false;
    alike.push(item);
    byHash.set(hash, alike);
  }
  return true;
}

function isContainer(value: Json): value is readonly Json[] | JsonObject {
  return typeof value === 'object' && value !== null;
}
