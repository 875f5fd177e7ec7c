import { asBuffer } from '../bytes/utf8.ts';
import { type AvroBytes, bytesIn, floatIn, itemsIn, longIn, takeBytes, textIn } from './avro-bytes.ts';
import { integerText, nested, numberText, spend, Unreadable } from './unreadable.ts';

/** Reads a value, and gives it as JSON text. */
export type AvroReader = (source: AvroBytes) => string;

/**
 * The reader of a schema, with the schemas that it refers to. A value is read by the schema that it was written with; a default of a field
 * is for readers with another one. Definition: avro.apache.org, "Specification", versions 1.8 to 1.12.
 *
 * Throws `Unreadable` where a schema is none.
 */
export function avroReader(schema: string, references: readonly string[]): AvroReader {
  const names: Names = new Map();
  for (const reference of references) readerOf(parsed(reference), '', names);
  return readerOf(parsed(schema), '', names);
}

/** Readers of named types by full name; a type may hold itself, so it is there before it is finished. */
type Names = Map<string, { read: AvroReader }>;

interface Schema {
  readonly type?: unknown;
  readonly logicalType?: unknown;
  readonly name?: unknown;
  readonly namespace?: unknown;
  readonly fields?: unknown;
  readonly symbols?: unknown;
  readonly size?: unknown;
  readonly items?: unknown;
  readonly values?: unknown;
}

function parsed(schema: string): unknown {
  try {
    return JSON.parse(schema);
  } catch (error) {
    throw wrong(`it is no JSON: ${(error as Error).message}`);
  }
}

function wrong(what: string): Unreadable {
  return new Unreadable('schema', what);
}

function readerOf(schema: unknown, space: string, names: Names): AvroReader {
  if (Array.isArray(schema)) return unionReader(schema.map((branch) => readerOf(branch, space, names)));
  if (typeof schema === 'string') return primitives[schema] ?? namedReader(schema, space, names);
  if (typeof schema !== 'object' || schema === null) throw wrong(`${JSON.stringify(schema)} is no type`);
  const { type, logicalType, items, values } = schema as Schema;
  if (type === 'array') return arrayReader(readerOf(items, space, names));
  if (type === 'map') return mapReader(readerOf(values, space, names));
  if (type === 'record' || type === 'error' || type === 'enum' || type === 'fixed')
    return definedReader(schema as Schema, space, names);
  if (type === 'long' && typeof logicalType === 'string') return timeReader(logicalType) ?? primitives['long']!;
  return readerOf(type, space, names);
}

const primitives: Readonly<Record<string, AvroReader | undefined>> = {
  __proto__: null as never,
  null: valueReader(() => 'null'),
  boolean: valueReader((source) => {
    const [byte] = takeBytes(source, 1);
    if (byte! > 1) throw new Unreadable('not_json', `byte ${source.at - 1} is no boolean`);
    return byte === 1 ? 'true' : 'false';
  }),
  int: valueReader((source) => integerText(longIn(source))),
  long: valueReader((source) => integerText(longIn(source))),
  float: valueReader((source) => numberText(floatIn(source, 4))),
  double: valueReader((source) => numberText(floatIn(source, 8))),
  bytes: valueReader((source) => base64Text(bytesIn(source))),
  string: valueReader((source) => JSON.stringify(textIn(source))),
};

function valueReader(read: AvroReader): AvroReader {
  return (source) => {
    spend(source);
    return read(source);
  };
}

function base64Text(bytes: Uint8Array): string {
  return `"${asBuffer(bytes).toString('base64')}"`;
}

/** Times of any unit become milliseconds, cut: the unit of an event's time. */
function timeReader(logicalType: string): AvroReader | undefined {
  const unit = /^(?:local-)?timestamp-(millis|micros|nanos)$/.exec(logicalType)?.[1];
  if (unit === undefined || unit === 'millis') return undefined;
  const perMs = unit === 'micros' ? 1_000n : 1_000_000n;
  return valueReader((source) => {
    const time = BigInt(longIn(source));
    return integerText((time - (((time % perMs) + perMs) % perMs)) / perMs);
  });
}

function unionReader(branches: readonly AvroReader[]): AvroReader {
  return (source) => {
    const index = Number(longIn(source));
    const branch = branches[index];
    if (branch === undefined) throw new Unreadable('not_json', `a union of ${branches.length} has no branch ${index}`);
    return branch(source);
  };
}

function arrayReader(read: AvroReader): AvroReader {
  return valueReader((source) =>
    nested(source, () => {
      const items: string[] = [];
      for (const _ of itemsIn(source)) items.push(read(source));
      return `[${items.join()}]`;
    }),
  );
}

function mapReader(read: AvroReader): AvroReader {
  return valueReader((source) =>
    nested(source, () => {
      const entries: string[] = [];
      for (const _ of itemsIn(source)) entries.push(`${JSON.stringify(textIn(source))}:${read(source)}`);
      return `{${entries.join()}}`;
    }),
  );
}

function namedReader(name: string, space: string, names: Names): AvroReader {
  const found = names.get(fullName(name, space)) ?? names.get(name);
  if (found === undefined) throw wrong(`it names a type that is not there: ${name}`);
  return (source) => found.read(source);
}

function fullName(name: string, space: string): string {
  return name.includes('.') || space === '' ? name : `${space}.${name}`;
}

/** The reader of a record, an enum or a fixed, which later types may name. */
function definedReader(schema: Schema, space: string, names: Names): AvroReader {
  const { name, namespace, type } = schema;
  if (typeof name !== 'string') throw wrong(`a ${String(type)} has no name`);
  const full = fullName(name, typeof namespace === 'string' ? namespace : space);
  const own = { read: (): string => '' };
  names.set(full, own);
  own.read = bodyReader(schema, full.slice(0, Math.max(0, full.lastIndexOf('.'))), names) as () => string;
  return own.read;
}

function bodyReader({ type, fields, symbols, size }: Schema, space: string, names: Names): AvroReader {
  if (type === 'fixed') {
    if (!Number.isSafeInteger(size)) throw wrong('a fixed has no size');
    return valueReader((source) => base64Text(takeBytes(source, size as number)));
  }
  if (type === 'enum') {
    if (!Array.isArray(symbols)) throw wrong('an enum has no symbols');
    const texts = symbols.map((symbol) => JSON.stringify(String(symbol)));
    return valueReader((source) => {
      const index = Number(longIn(source));
      const text = texts[index];
      if (text === undefined) throw new Unreadable('not_json', `an enum of ${texts.length} has no symbol ${index}`);
      return text;
    });
  }
  if (!Array.isArray(fields)) throw wrong('a record has no fields');
  return recordReader(
    (fields as readonly Schema[]).map((field) => [
      JSON.stringify(String(field?.name)),
      readerOf(field?.type, space, names),
    ]),
  );
}

function recordReader(fields: readonly (readonly [name: string, read: AvroReader])[]): AvroReader {
  return valueReader((source) =>
    nested(source, () => {
      let text = '';
      for (const [name, read] of fields) text += `${text === '' ? '{' : ','}${name}:${read(source)}`;
      return text === '' ? '{}' : `${text}}`;
    }),
  );
}
