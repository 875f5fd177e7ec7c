import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import type { JsonObject, Json } from '../scoring/json.ts';
import type { DeepValidator } from './settings.ts';

const compiledMax = 1_000;

/**
 * Validates arguments against whole JSON Schemas with ajv. A schema that does not compile accepts nothing: a call cannot be said to run
 * by it. Load this module, rather than ajv itself, where it is asked for: of a CommonJS package that is imported when the program runs,
 * the bundle has no names.
 */
export function deepValidator(): DeepValidator {
  const ajv = new Ajv({ strict: false, validateSchema: false, logger: false, addUsedSchema: false });
  (formats as unknown as (ajv: object) => void)(ajv);
  const compiled = new Map<string, (args: JsonObject) => boolean>();
  return (schema: Json, args: JsonObject) => {
    const key = JSON.stringify(schema);
    let validate = compiled.get(key);
    if (validate === undefined) {
      if (compiled.size >= compiledMax) compiled.clear();
      validate = compile(ajv, schema);
      compiled.set(key, validate);
    }
    return validate(args);
  };
}

function compile(
  ajv: { compile(schema: object): (data: unknown) => unknown },
  schema: Json,
): (args: JsonObject) => boolean {
  if (typeof schema !== 'object' || schema === null) return () => false;
  const { $schema: _dialect, $id: _id, ...rest } = schema as Record<string, Json>;
  try {
    const validate = ajv.compile(rest);
    return (args) => validate(args) === true;
  } catch {
    return () => false;
  }
}
