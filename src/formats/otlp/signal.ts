import protobuf from 'protobufjs';
import { asBuffer } from '../bytes/utf8.ts';

/* A request with spans and one with log records nest alike; the records in them have other types under the same numbers. */

/** Tags (number and wire type of a field) that a log record has and a span has not: time, severity, body time, flags, event name. */
const tagsOfLogs: ReadonlySet<number> = new Set([tag(1, 1), tag(2, 0), tag(8, 5), tag(10, 2), tag(11, 1), tag(12, 2)]);
/** Tags that a span has and a log record has not: ids, kind, times, events. */
const tagsOfSpans: ReadonlySet<number> = new Set([
  tag(1, 2),
  tag(2, 2),
  tag(4, 2),
  tag(6, 0),
  tag(7, 1),
  tag(8, 1),
  tag(11, 2),
]);

/** Returns whether the first record in the bytes of a message that holds spans or log records is a log record. False for any other bytes. */
export function isLogs(bytes: Uint8Array): boolean {
  try {
    return isLogIn(protobuf.Reader.create(asBuffer(bytes)));
  } catch {
    return false;
  }
}

/** Looks into each resource, and into each scope within it. */
function isLogIn(reader: protobuf.Reader): boolean {
  for (const resourceEnd of entered(reader, 1, reader.len))
    for (const scopeEnd of entered(reader, 2, resourceEnd))
      for (const recordEnd of entered(reader, 2, scopeEnd))
        while (reader.pos < recordEnd) {
          const found = reader.uint32();
          if (tagsOfLogs.has(found)) return true;
          if (tagsOfSpans.has(found)) return false;
          reader.skipType(found & 7);
        }
  return false;
}

/** Enters each message of a number, and yields where it ends; fields of other numbers are skipped. */
function* entered(reader: protobuf.Reader, number: number, end: number): Generator<number> {
  while (reader.pos < end) {
    const found = reader.uint32();
    if (found === tag(number, 2)) {
      const inner = reader.uint32() + reader.pos;
      yield inner;
      reader.pos = Math.max(reader.pos, inner);
    } else reader.skipType(found & 7);
  }
}

function tag(number: number, wireType: number): number {
  return (number << 3) | wireType;
}
