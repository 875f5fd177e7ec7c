import { documentOf } from './json.ts';
import {
  atEnd,
  bytesIn,
  endOf,
  integerIn,
  nestedMost,
  pass,
  type Source,
  sourceOf,
  tagOf,
  textIn,
  tagIn,
  type WireType,
  wireTypes,
} from './wire.ts';

/**
 * Gives each span of a message, by its number, as a document of OTLP/JSON with all that is in it: what a dead letter shows. The message
 * is read once more, and only when that is asked for. A span that cannot be read whole is a document without any.
 */
export function documentsOf(bytes: Uint8Array): (index: number) => unknown {
  const read: { documents?: readonly unknown[] } = {};
  return (index) => (read.documents ??= documentsIn(bytes))[index] ?? { resourceSpans: [] };
}

function documentsIn(bytes: Uint8Array): readonly unknown[] {
  const source = sourceOf(bytes);
  try {
    const { resourceSpans = [] } = messageIn(source, bytes.length, tracesData, 0) as Whole;
    return resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
      scopeSpans.flatMap(({ spans = [] }) => spans.map((span) => documentOf({ resource, span }))),
    );
  } catch {
    return [];
  }
}

interface Whole {
  readonly resourceSpans?: readonly {
    readonly resource?: unknown;
    readonly scopeSpans?: readonly { readonly spans?: readonly unknown[] }[];
  }[];
}

/** How the value of a field is read. */
type Reads = (source: Source, outer: number, depth: number) => unknown;

/** The fields of a message by their tags. */
type Message = ReadonlyMap<number, { readonly name: string; readonly reads: Reads; readonly isList: boolean }>;

function messageIn(source: Source, end: number, fields: Message, depth: number): unknown {
  if (depth > nestedMost) throw new Error(`messages nest deeper than ${nestedMost}`);
  const found: { [name: string]: unknown } = {};
  while (source.wire.pos < end) {
    const tag = tagIn(source);
    const field = fields.get(tag);
    if (field === undefined) pass(source, tag, end);
    else if (field.isList) ((found[field.name] ??= []) as unknown[]).push(field.reads(source, end, depth));
    else found[field.name] = field.reads(source, end, depth);
  }
  atEnd(source, end);
  return found;
}

const { lengthDelimited, varint, bits64, bits32 } = wireTypes;
const text: Reads = (source, outer) => textIn(source, outer);
const hex: Reads = (source, outer) => bytesIn(source, outer, 'hex');
const base64: Reads = (source, outer) => bytesIn(source, outer, 'base64');
const number: Reads = (source) => source.wire.int32();
const fixed: Reads = ({ wire }) => wire.fixed32();
const nanoseconds: Reads = ({ wire }) => String(wire.fixed64());
const boolean: Reads = ({ wire }) => wire.bool();
const integer: Reads = (source) => String(integerIn(source));
const double: Reads = ({ wire }) => wire.double();
const message =
  (fields: () => Message): Reads =>
  (source, outer, depth) =>
    messageIn(source, endOf(source, outer), fields(), depth + 1);

function messageOf(...fields: readonly (readonly [number, WireType, string, Reads, 'list'?])[]): Message {
  return new Map(
    fields.map(([field, type, name, reads, list]) => [tagOf(field, type), { name, reads, isList: list === 'list' }]),
  );
}

const keyValue: Message = messageOf(
  [1, lengthDelimited, 'key', text],
  [2, lengthDelimited, 'value', message(() => anyValue)],
);
const values = messageOf([1, lengthDelimited, 'values', message(() => anyValue), 'list']);
const pairs = messageOf([1, lengthDelimited, 'values', message(() => keyValue), 'list']);
const anyValue: Message = messageOf(
  [1, lengthDelimited, 'stringValue', text],
  [2, varint, 'boolValue', boolean],
  [3, varint, 'intValue', integer],
  [4, bits64, 'doubleValue', double],
  [5, lengthDelimited, 'arrayValue', message(() => values)],
  [6, lengthDelimited, 'kvlistValue', message(() => pairs)],
  [7, lengthDelimited, 'bytesValue', base64],
);
const attributes = message(() => keyValue);
const event = messageOf(
  [1, bits64, 'timeUnixNano', nanoseconds],
  [2, lengthDelimited, 'name', text],
  [3, lengthDelimited, 'attributes', attributes, 'list'],
);
const link = messageOf(
  [1, lengthDelimited, 'traceId', hex],
  [2, lengthDelimited, 'spanId', hex],
  [4, lengthDelimited, 'attributes', attributes, 'list'],
);
const status = messageOf([2, lengthDelimited, 'message', text], [3, varint, 'code', number]);
const span = messageOf(
  [1, lengthDelimited, 'traceId', hex],
  [2, lengthDelimited, 'spanId', hex],
  [3, lengthDelimited, 'traceState', text],
  [4, lengthDelimited, 'parentSpanId', hex],
  [5, lengthDelimited, 'name', text],
  [6, varint, 'kind', number],
  [7, bits64, 'startTimeUnixNano', nanoseconds],
  [8, bits64, 'endTimeUnixNano', nanoseconds],
  [9, lengthDelimited, 'attributes', attributes, 'list'],
  [11, lengthDelimited, 'events', message(() => event), 'list'],
  [13, lengthDelimited, 'links', message(() => link), 'list'],
  [15, lengthDelimited, 'status', message(() => status)],
  [16, bits32, 'flags', fixed],
);
const scopeSpans = messageOf([2, lengthDelimited, 'spans', message(() => span), 'list']);
const resource = messageOf([1, lengthDelimited, 'attributes', attributes, 'list']);
const resourceSpans = messageOf(
  [1, lengthDelimited, 'resource', message(() => resource)],
  [2, lengthDelimited, 'scopeSpans', message(() => scopeSpans), 'list'],
);
const tracesData = messageOf([1, lengthDelimited, 'resourceSpans', message(() => resourceSpans), 'list']);
