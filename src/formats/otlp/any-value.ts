import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { numberIn } from '../../scoring/long-number.ts';

/** The plain JSON of an `AnyValue` of OTLP/JSON; undefined for an empty one. Recursive: the depth of the document is limited. */
export function plainValue(value: Json | undefined): unknown {
  if (!isObject(value)) return undefined;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value;
  if (stringValue !== undefined) return stringValue;
  if (arrayValue !== undefined) return valuesIn(arrayValue).map((item) => plainValue(item) ?? null);
  if (kvlistValue !== undefined)
    return Object.fromEntries(
      objectsIn(valuesIn(kvlistValue)).map((pair) => [textOf(pair['key']), plainValue(pair['value']) ?? null]),
    );
  return boolValue ?? numberOf(intValue) ?? doubleValue ?? bytesValue;
}

/** The objects of a list; anything else in it is skipped. */
export function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A text, or the empty text in place of any other value. */
export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function valuesIn(list: Json): readonly Json[] {
  const values = isObject(list) ? list['values'] : undefined;
  return Array.isArray(values) ? (values as readonly Json[]) : [];
}

/** An integer of OTLP/JSON is a decimal text: the number with all its digits. */
function numberOf(integer: Json | undefined): Json | undefined {
  return typeof integer === 'string' && /^-?\d{1,19}$/.test(integer) ? numberIn(integer) : integer;
}
