import { shortTexts, type TextOf } from '../bytes/short-texts.ts';
import { utf8Text } from '../bytes/utf8.ts';
import { anyValueIn } from './any-value.ts';
import { documentsOf } from './documents.ts';
import { notRead, numberedPlace, type PlaceOfBytes, placesByBytes } from './name-bytes.ts';
import {
  addNumbered,
  type Attributes,
  type AttributesWriter,
  type Names,
  noAttributes,
  type Span,
  type SpanEvent,
  type Spans,
} from './span.ts';
import { atEnd, bytesIn, endOf, pass, type Source, sourceOf, tagOf, tagIn, textIn, wireTypes } from './wire.ts';

/**
 * A reader of the spans in the bytes of an `ExportTraceServiceRequest` or a `TracesData`, which are the same on the wire. Throws where the
 * bytes are no such message: cut, with a text that is not UTF-8, or nested too deep. Field numbers: `trace.proto`, `resource.proto` and
 * `common.proto` in github.com/open-telemetry/opentelemetry-proto. Attributes that are not read are passed over.
 */
export function protobufReader(names: Names): ProtobufReader {
  const texts = shortTexts();
  const placeOf = placesByBytes(names);
  const spansIn = (bytes: Uint8Array): SpanSource => ({ ...sourceOf(bytes), names, texts, placeOf });
  return {
    spansOf(bytes) {
      const source = spansIn(bytes);
      const spans: Span[] = [];
      while (source.wire.pos < bytes.length) {
        const tag = tagIn(source);
        if (tag === inDocument.resourceSpans) readResourceSpans(source, endOf(source, bytes.length), spans);
        else pass(source, tag, bytes.length);
      }
      atEnd(source, bytes.length);
      return { spans, documentOf: documentsOf(bytes) };
    },
    spanOf(span, resource) {
      const attributes = noAttributes(names);
      readAttributes(spansIn(resource), resource.length, inResource.attributes, attributes);
      return spanIn(spansIn(span), span.length, attributes);
    },
  };
}

export interface ProtobufReader {
  spansOf(bytes: Uint8Array): Spans;
  /** The one span of its bytes, and those of its resource. */
  spanOf(span: Uint8Array, resource: Uint8Array): Span;
}

interface SpanSource extends Source {
  readonly names: Names;
  readonly texts: TextOf;
  readonly placeOf: PlaceOfBytes;
}

const message = (field: number): number => tagOf(field, wireTypes.lengthDelimited);
const inDocument = { resourceSpans: message(1) };
const inResourceSpans = { resource: message(1), scopeSpans: message(2) };
const inResource = { attributes: message(1) };
const inScopeSpans = { spans: message(2) };
const inSpan = {
  traceId: message(1),
  spanId: message(2),
  end: tagOf(8, wireTypes.bits64),
  attributes: message(9),
  events: message(11),
  status: message(15),
};
const inEvent = { name: message(2), attributes: message(3) };
const inStatus = { message: message(2), code: tagOf(3, wireTypes.varint) };
const inPair = { key: message(1), value: message(2) };
const statusError = 2;

function readResourceSpans(source: SpanSource, end: number, spans: Span[]): void {
  // The resource may follow the spans that refer to it.
  const resource = noAttributes(source.names);
  while (source.wire.pos < end) {
    const tag = tagIn(source);
    if (tag === inResourceSpans.resource) readAttributes(source, endOf(source, end), inResource.attributes, resource);
    else if (tag === inResourceSpans.scopeSpans) readScopeSpans(source, endOf(source, end), resource, spans);
    else pass(source, tag, end);
  }
  atEnd(source, end);
}

function readAttributes(source: SpanSource, end: number, attributes: number, into: AttributesWriter): void {
  while (source.wire.pos < end) {
    const tag = tagIn(source);
    if (tag === attributes) readAttribute(source, endOf(source, end), into);
    else pass(source, tag, end);
  }
  atEnd(source, end);
}

function readScopeSpans(source: SpanSource, end: number, resource: Attributes, spans: Span[]): void {
  while (source.wire.pos < end) {
    const tag = tagIn(source);
    if (tag === inScopeSpans.spans) spans.push(spanIn(source, endOf(source, end), resource));
    else pass(source, tag, end);
  }
  atEnd(source, end);
}

function spanIn(source: SpanSource, end: number, resource: Attributes): Span {
  const { wire, names } = source;
  const attributes = noAttributes(names);
  let traceId = '';
  let spanId = '';
  let endMs: number | undefined;
  let failure: string | undefined;
  let events: SpanEvent[] = none;
  while (wire.pos < end) {
    const tag = tagIn(source);
    if (tag === inSpan.attributes) readAttribute(source, endOf(source, end), attributes);
    else if (tag === inSpan.traceId) traceId = bytesIn(source, end, 'hex');
    else if (tag === inSpan.spanId) spanId = bytesIn(source, end, 'hex');
    else if (tag === inSpan.end) endMs = msOf(wire.fixed32(), wire.fixed32());
    else if (tag === inSpan.events) {
      if (events === none) events = [];
      events.push(eventIn(source, endOf(source, end)));
    } else if (tag === inSpan.status) failure = failureIn(source, endOf(source, end));
    else pass(source, tag, end);
  }
  atEnd(source, end);
  return { names, traceId, spanId, endMs, attributes, resource, events, failure };
}

const none: SpanEvent[] = [];

/** Milliseconds of a number of nanoseconds in two halves, exact: what is divided stays below 2^53. 0 stands for no time. */
function msOf(low: number, high: number): number | undefined {
  if (low === 0 && high === 0) return undefined;
  const rest = (high % 1_000_000) * 2 ** 32 + low;
  return Math.floor(high / 1_000_000) * 2 ** 32 + Math.floor(rest / 1_000_000);
}

function eventIn(source: SpanSource, end: number): SpanEvent {
  const attributes = noAttributes(source.names);
  let name = '';
  while (source.wire.pos < end) {
    const tag = tagIn(source);
    if (tag === inEvent.name) name = textIn(source, end, source.texts);
    else if (tag === inEvent.attributes) readAttribute(source, endOf(source, end), attributes);
    else pass(source, tag, end);
  }
  atEnd(source, end);
  return { name, attributes };
}

function failureIn(source: SpanSource, end: number): string | undefined {
  let code = 0;
  let text = '';
  while (source.wire.pos < end) {
    const tag = tagIn(source);
    if (tag === inStatus.message) text = textIn(source, end);
    else if (tag === inStatus.code) code = source.wire.int32();
    else pass(source, tag, end);
  }
  atEnd(source, end);
  return code === statusError ? text : undefined;
}

/** Reads a `KeyValue`. Its key may follow its value. */
function readAttribute(source: SpanSource, end: number, into: AttributesWriter): void {
  const { bytes, wire } = source;
  let key = end;
  let keyEnd = end;
  let value = -1;
  let valueEnd = -1;
  while (wire.pos < end) {
    const tag = tagIn(source);
    if (tag === inPair.key) {
      keyEnd = endOf(source, end);
      key = wire.pos;
      wire.pos = keyEnd;
    } else if (tag === inPair.value) {
      valueEnd = endOf(source, end);
      value = wire.pos;
      wire.pos = valueEnd;
    } else pass(source, tag, end);
  }
  atEnd(source, end);
  const place = source.placeOf(bytes, key, keyEnd);
  if (value < 0 || place === notRead) return;
  wire.pos = value;
  const given = anyValueIn(source, valueEnd, source.texts);
  if (place === numberedPlace) addNumbered(into, utf8Text(bytes, key, keyEnd), given);
  else into.values[place] = given;
  wire.pos = end;
}
