import protobuf from 'protobufjs';
import { asBuffer } from '../bytes/utf8.ts';
import { type Budget, integerText, nested, numberText, spend } from './unreadable.ts';

/**
 * A message as JSON text: fields under the names that the file gives them, those that were not sent are absent. The well-known types are
 * their plain values: a Struct is an object, a Timestamp milliseconds since 1970.
 */
export function messageText(type: protobuf.Type, message: object, budget: Budget): string {
  spend(budget);
  const special = wellKnown[type.fullName];
  if (special !== undefined) return special(type, message as Sent, budget);
  return nested(budget, () => {
    const texts = sentFields(type, message as Sent).map(
      (field) => `${JSON.stringify(field.name)}:${fieldText(field, message as Sent, budget)}`,
    );
    return `{${texts.join()}}`;
  });
}

/** Values by field; those of a list are an array, those of a map an object. */
type Sent = Readonly<Record<string, unknown>>;

type WellKnown = (type: protobuf.Type, message: Sent, budget: Budget) => string;

/** The value of a type with one field; a message has the default of a field that was not sent. */
const contentText: WellKnown = (type, message, budget) => fieldText(type.fieldsById[1]!.resolve(), message, budget);

const wellKnown: Readonly<Record<string, WellKnown | undefined>> = {
  '.google.protobuf.Timestamp': (_, { seconds = 0, nanos = 0 }) =>
    integerText(Number(String(seconds)) * 1_000 + Math.floor(Number(nanos) / 1e6)),
  '.google.protobuf.Struct': contentText,
  '.google.protobuf.ListValue': contentText,
  '.google.protobuf.Value': (type, message, budget) => {
    const field = sentFields(type, message).at(-1);
    return field === undefined || field.id === nullValue ? 'null' : fieldText(field, message, budget);
  },
  ...Object.fromEntries(
    ['Double', 'Float', 'Int64', 'UInt64', 'Int32', 'UInt32', 'Bool', 'String', 'Bytes'].map((name) => [
      `.google.protobuf.${name}Value`,
      contentText,
    ]),
  ),
};

/** Number of the field of a `Value` that stands for null. */
const nullValue = 1;

function sentFields(type: protobuf.Type, message: Sent): protobuf.Field[] {
  return type.fieldsArray.filter(({ name }) => Object.hasOwn(message, name) && !isEmpty(message[name]));
}

/** Returns whether a value was not sent, as a list or map without elements is not. */
function isEmpty(value: unknown): boolean {
  if (value == null) return true;
  if (Array.isArray(value)) return value.length === 0;
  return Object.getPrototypeOf(value) === Object.prototype && Object.keys(value).length === 0;
}

function fieldText(field: protobuf.Field, message: Sent, budget: Budget): string {
  const value = message[field.name];
  if (field.repeated)
    return nested(
      budget,
      () => `[${((value ?? []) as unknown[]).map((item) => valueText(field, item, budget)).join()}]`,
    );
  if (!(field instanceof protobuf.MapField)) return valueText(field, value, budget);
  const { keyType } = field;
  return nested(budget, () => {
    const entries = Object.entries((value ?? {}) as object).map(
      ([key, item]) => `${JSON.stringify(keyText(keyType, key))}:${valueText(field, item, budget)}`,
    );
    return `{${entries.join()}}`;
  });
}

/** protobufjs gives a key of 64 bits as 8 characters. */
function keyText(keyType: string, key: string): string {
  return keyType.endsWith('64') ? String(protobuf.util.longFromHash(key, keyType.startsWith('u'))) : key;
}

function valueText(field: protobuf.Field, value: unknown, budget: Budget): string {
  const { resolvedType } = field;
  if (resolvedType instanceof protobuf.Type) return messageText(resolvedType, value as object, budget);
  spend(budget);
  if (resolvedType !== null) return JSON.stringify(resolvedType.valuesById[value as number] ?? value);
  if (typeof value === 'string' || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'number') return numberText(value);
  if (value instanceof Uint8Array) return `"${asBuffer(value).toString('base64')}"`;
  // Bytes that were not sent.
  if (Array.isArray(value)) return '""';
  return integerText(BigInt(String(value)));
}
