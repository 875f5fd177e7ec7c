import { Buffer } from 'node:buffer';
import protobuf from 'protobufjs';
import { isObject, type JsonObject } from '../../scoring/json.ts';
import { asBuffer, decodeUtf8 } from '../bytes/utf8.ts';
import { jsonText } from '../json/json-text.ts';
import { valuesOfText } from '../json/json-values.ts';
import { readJson } from '../json/parsed.ts';
import { objectsIn } from './any-value.ts';
import { foreignDocument, otlpAlone } from './foreign.ts';
import { idOf } from './json.ts';
import { type Encoding, type Item, type Items, itemsMax, jsonKeys, type Signal, tooManyItems } from './request.ts';

/**
 * The spans or log records of an `ExportTraceServiceRequest` or `ExportLogsServiceRequest` in either encoding. They are found and not decoded: all
 * their fields stay, also those that this program does not know. Never throws.
 */
export function itemsOf(bytes: Uint8Array, encoding: Encoding, signal: Signal): Items {
  return encoding === 'protobuf' ? itemsInProtobuf(bytes, signal) : itemsInJson(bytes, signal);
}

function itemsInProtobuf(bytes: Uint8Array, signal: Signal): Items {
  const reader = protobuf.Reader.create(asBuffer(bytes));
  const items: Item[] = [];
  try {
    const { head: others, held: resources } = messageIn(reader, bytes.length, 1);
    for (const resource of resources) {
      reader.pos = resource.start;
      const { head, held: scopes } = messageIn(reader, resource.end, 2);
      const of = { head };
      for (const each of scopes) {
        reader.pos = each.start;
        const { head: scopeHead, held } = messageIn(reader, each.end, 2);
        const scope = { head: scopeHead, resource: of };
        if (items.length + held.length > itemsMax) return tooManyItems;
        for (const { start, end } of held)
          items.push({ traceId: traceIdIn(reader, start, end, signal), bytes: bytes.subarray(start, end), scope });
      }
    }
    return items.length === 0 && others.length > 0
      ? { problem: `is no protobuf message of ${signal}; ${otlpAlone}` }
      : { items };
  } catch (error) {
    const { message } = error as Error;
    return {
      problem: `is no protobuf message of ${signal}, damaged before byte ${reader.pos} (${message}); ${otlpAlone}`,
    };
  }
}

/** Bytes [start, end) of a message within another. */
interface Held {
  readonly start: number;
  readonly end: number;
}

/** The messages of a number in the message from the reader's place to `end`, and all its other fields as they are. */
function messageIn(reader: protobuf.Reader, end: number, number: number): { head: Uint8Array; held: readonly Held[] } {
  const held: Held[] = [];
  const others: Uint8Array[] = [];
  while (reader.pos < end) {
    const start = reader.pos;
    const tag = reader.uint32();
    if (tag === ((number << 3) | 2)) {
      if (held.length === itemsMax) throw new Error(`more than ${itemsMax} messages in one`);
      const length = reader.uint32();
      held.push({ start: reader.pos, end: reader.pos + length });
      reader.skip(length);
    } else {
      reader.skipType(tag & 7);
      others.push(reader.buf.subarray(start, reader.pos));
    }
  }
  if (reader.pos > end) throw new Error('a message is longer than the one around it');
  return { head: Buffer.concat(others), held };
}

/** Tags of `trace_id` in `Span` and `LogRecord`. */
const traceIdTags: Readonly<Record<Signal, number>> = { traces: (1 << 3) | 2, logs: (9 << 3) | 2 };

function traceIdIn(reader: protobuf.Reader, start: number, end: number, signal: Signal): string {
  reader.pos = start;
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (tag === traceIdTags[signal]) return asBuffer(reader.bytes()).toString('hex');
    reader.skipType(tag & 7);
  }
  return '';
}

/** JSON values of a request at most: 16 MiB of spans with content have less. */
const valuesMax = 1_000_000;

function itemsInJson(bytes: Uint8Array, signal: Signal): Items {
  const text = decodeUtf8(bytes, 0, bytes.length);
  if (text === undefined) return { problem: 'is no UTF-8; write OTLP/JSON as UTF-8 text' };
  if (text.length > 2 * valuesMax && valuesOfText(text, valuesMax) > valuesMax)
    return { problem: `holds more than ${valuesMax} JSON values; send fewer spans in a request`, isTooLarge: true };
  let document: unknown;
  try {
    document = readJson(text);
  } catch (error) {
    return { problem: `is no JSON (${(error as Error).message}); ${otlpAlone}` };
  }
  const { resources, scopes, items: itemKey } = jsonKeys[signal];
  const items: Item[] = [];
  for (const ofResource of isObject(document) ? objectsIn(document[resources]) : []) {
    const resource = { head: headOf(ofResource, scopes) };
    for (const ofScope of objectsIn(ofResource[scopes])) {
      const scope = { head: headOf(ofScope, itemKey), resource };
      for (const each of objectsIn(ofScope[itemKey])) {
        if (items.length === itemsMax) return tooManyItems;
        items.push({ traceId: idOf(each['traceId']), bytes: Buffer.from(jsonText(each)), scope });
      }
    }
  }
  const problem = items.length === 0 ? foreignDocument(document, signal) : undefined;
  return problem === undefined ? { items } : { problem };
}

/** The text of an object without a key, and without its braces. */
function headOf(object: JsonObject, key: string): Uint8Array {
  const { [key]: _, ...others } = object;
  return Buffer.from(jsonText(others).slice(1, -1));
}
