import { asBuffer, decodeUtf8 } from '../bytes/utf8.ts';
import type { LogRecord, Opened } from '../../stream/event.ts';
import { avroReader } from './avro.ts';
import { frameBytes, type RegisteredSchema } from './frame.ts';
import { protobufReader } from './protobuf.ts';
import { budgetOf, Unreadable, type ValueLimits } from './unreadable.ts';

/** Opens the value of a record that was framed with one schema. Never throws. */
export type ValueReader = (record: LogRecord, limits: ValueLimits) => Opened;

/** The reader of the values of a schema. One of a schema that cannot be read refuses each. */
export function valueReader(id: number, registered: RegisteredSchema): ValueReader {
  const { type } = registered;
  const remedy = `the value was written with schema ${id} of the registry (${type})`;
  try {
    const text = payloadReader(registered);
    return ({ bytes, start, end }, limits) =>
      opened(() => text(bytes.subarray(start + frameBytes, end), limits), `${remedy} and cannot be read with it: `);
  } catch (error) {
    const { message } = error as Error;
    return () => ({ code: 'schema', detail: `${remedy}, which cannot be used: ${message}` });
  }
}

/** Refuses values framed with a schema that the registry does not have, or not all of it. */
export function missingSchema(id: number, why = 'is not there'): ValueReader {
  const detail = `the value was written with schema ${id}, which the registry cannot give: ${why}; see whether its producer uses another registry (kafka.schema_registry.url)`;
  return () => ({ code: 'schema', detail });
}

type PayloadReader = (payload: Uint8Array, limits: ValueLimits) => string;

function payloadReader({ type, schema, references }: RegisteredSchema): PayloadReader {
  if (type === 'JSON') return jsonText;
  if (type === 'PROTOBUF') return protobufReader(schema, references);
  if (type !== 'AVRO') throw new Unreadable('schema', 'its type is none of AVRO, PROTOBUF and JSON');
  const read = avroReader(
    schema,
    references.map((reference) => reference.schema),
  );
  return (bytes, limits) => {
    const source = { bytes: asBuffer(bytes), at: 0, ...budgetOf(limits, bytes.length) };
    const text = read(source);
    if (source.at !== bytes.length)
      throw new Unreadable('not_json', `${bytes.length - source.at} bytes follow what the schema describes`);
    return text;
  };
}

/** A value with a JSON Schema is JSON text; whether it fits that schema is its producer's concern. */
function jsonText(bytes: Uint8Array): string {
  const text = decodeUtf8(bytes, 0, bytes.length);
  if (text === undefined) throw new Unreadable('not_utf8', 'it is not UTF-8');
  return text;
}

function opened(read: () => string, what: string): Opened {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Unreadable ? error.code : 'not_json';
    return { code, detail: `${what}${(error as Error).message}` };
  }
}
