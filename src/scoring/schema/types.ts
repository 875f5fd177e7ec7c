import { isObject, type Json, type JsonObject } from '../json.ts';
import { isNumber, isWhole } from '../long-number.ts';

/** How a tool's parameters are read. */
export interface SchemaRules {
  /** Type `null` means string, like any unknown type; else it fits only null. */
  readonly nullIsString: boolean;
  /** Names in `required` count only where `properties` holds an object of that name. */
  readonly requiresDeclaredOnly: boolean;
}

/**
 * Returns whether a call with these arguments would run: every required parameter is there, and every argument that the schema describes has an
 * accepted type. Unknown arguments, enum, format, ranges and nesting are ignored (docs/reference/scoring.md, "schema").
 */
export function fitsSchema(parameters: JsonObject, args: JsonObject, rules: SchemaRules): boolean {
  const properties = parameters['properties'];
  const required = parameters['required'];
  if (Array.isArray(required)) {
    for (const name of required as readonly Json[]) {
      if (typeof name !== 'string' || Object.hasOwn(args, name)) continue;
      if (!rules.requiresDeclaredOnly || propertySchema(properties, name) !== undefined) return false;
    }
  }
  for (const name of Object.keys(args)) {
    const schema = propertySchema(properties, name);
    if (schema !== undefined && !acceptsType(schema['type'], args[name]!, rules)) return false;
  }
  return true;
}

/** Schema of a known parameter; one whose schema is no object is unknown. */
function propertySchema(properties: Json | undefined, name: string): JsonObject | undefined {
  const schema = isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isObject(schema) ? schema : undefined;
}

function acceptsType(type: Json | undefined, value: Json, rules: SchemaRules): boolean {
  if (Array.isArray(type)) return (type as readonly Json[]).some((one) => acceptsOne(one, value, rules));
  return acceptsOne(type, value, rules);
}

function acceptsOne(type: Json | undefined, value: Json, rules: SchemaRules): boolean {
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
    case 'null':
      return rules.nullIsString ? typeof value === 'string' : value === null;
    default:
      return typeof value === 'string';
  }
}
