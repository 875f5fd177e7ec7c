import type { LogRecord } from '../../stream/event.ts';

/**
 * The frame that clients of a schema registry put around a value: a byte 0, and the id of the schema in 4 bytes, big endian
 * (docs.confluent.io, "Wire format").
 */
export const frameBytes = 5;

/** The id of the schema of a framed value; undefined where there is no frame. */
export function schemaIdOf({ bytes, start, end }: LogRecord): number | undefined {
  if (start < 0 || bytes[start] !== 0 || end - start < frameBytes) return undefined;
  const [a, b, c, d] = bytes.subarray(start + 1, start + frameBytes) as unknown as [number, number, number, number];
  return a * 2 ** 24 + (b << 16) + (c << 8) + d;
}

/** A schema of a registry, with all schemas that it refers to, directly or not: each comes before those that refer to it. */
export interface RegisteredSchema {
  /** `AVRO`, `PROTOBUF` or `JSON`. */
  readonly type: string;
  readonly schema: string;
  readonly references: readonly NamedSchema[];
}

/** `name`: its name in the schema that refers to it. */
export interface NamedSchema {
  readonly name: string;
  readonly schema: string;
}
