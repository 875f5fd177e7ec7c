import { isObject, type Json, type JsonObject } from '../json.ts';
import { isNumber, isWhole } from '../long-number.ts';

/**
 * Returns whether a call with these arguments would run by DeepFabric's own code: every name in `required` that `properties` describes is there,
 * and every argument that it describes has an accepted type; a missing or unknown type, and `null`, means string.
 */
export function fitsUpstream(parameters: JsonObject, args: JsonObject): boolean {
  const { properties, required } = parameters;
  if (Array.isArray(required)) {
    for (const name of required as readonly Json[]) {
      if (typeof name !== 'string' || Object.hasOwn(args, name)) continue;
      if (propertySchema(properties, name) !== undefined) return false;
    }
  }
  for (const name of Object.keys(args)) {
    const schema = propertySchema(properties, name);
    if (schema !== undefined && !acceptsType(schema['type'], args[name]!)) return false;
  }
  return true;
}

/** Schema of a known parameter; one whose schema is no object is unknown. */
function propertySchema(properties: Json | undefined, name: string): JsonObject | undefined {
  const schema = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isObject(schema) ? schema : undefined;
}

function acceptsType(type: Json | undefined, value: Json): boolean {
  if (Array.isArray(type)) return (type as readonly Json[]).some((one) => acceptsOne(one, value));
  return acceptsOne(type, value);
}

function acceptsOne(type: Json | undefined, value: Json): boolean {
  switch (type) {
    case 'integer':
      return isWhole(value);
    case 'number':
      return isNumber(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return typeof value === 'string';
  }
}
