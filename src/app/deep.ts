import type { JsonObject, Json } from '../scoring/json.ts';
import type { DeepValidator } from './settings.ts';

const compiledMax = 1_000;

/**
 * Validates arguments against whole JSON Schemas with ajv, loaded when it is asked for. A schema that does not compile accepts
 * nothing: a call cannot be said to run by it.
 */
export async function deepValidator(): Promise<DeepValidator> {
  const { Ajv } = await import('ajv');
  const formats = (await import('ajv-formats')).default as unknown as (ajv: object) => void;
  const ajv = new Ajv({ strict: false, validateSchema: false, logger: false, addUsedSchema: false });
  formats(ajv);
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
