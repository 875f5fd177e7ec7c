import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import { longText } from '../../scoring/long-number.ts';
import { objectsIn, plainValue, textOf } from './any-value.ts';
import type { Attributes, Span, SpanEvent, SpanSource } from './span.ts';

/** The key of a document of spans, which no other record has. */
const spansKey = 'resourceSpans';

/** Returns whether a JSON object is a document of spans. */
export function isSpanDocument(document: JsonObject): boolean {
  return Array.isArray(document[spansKey]);
}

/**
 * The spans of a document of OTLP/JSON, in order. A field of a wrong type counts as absent. Definition: `TracesData` in
 * github.com/open-telemetry/opentelemetry-proto, opentelemetry/proto/trace/v1/trace.proto, and "JSON Protobuf Encoding" of the protocol.
 */
export function spansOf(document: JsonObject): readonly Span[] {
  return objectsIn(document[spansKey]).flatMap(({ resource, scopeSpans, instrumentationLibrarySpans: older }) => {
    const attributes = attributesIn(resource);
    // Until OTLP 0.15 a scope was a library.
    return objectsIn(scopeSpans ?? older).flatMap(({ spans }) =>
      objectsIn(spans).map((span) => spanOf({ span, resource }, attributes)),
    );
  });
}

/** A document of OTLP/JSON with one span, or one log record. */
export function documentOf({ span, resource, isLog }: SpanSource): unknown {
  const of = resource === undefined ? {} : { resource };
  return isLog
    ? { resourceLogs: [{ ...of, scopeLogs: [{ logRecords: [span] }] }] }
    : { resourceSpans: [{ ...of, scopeSpans: [{ spans: [span] }] }] };
}

function spanOf(source: SpanSource, resource: Attributes): Span {
  const { traceId, spanId, parentSpanId, name, kind, startTimeUnixNano, endTimeUnixNano, events, status } = source.span;
  return {
    traceId: idOf(traceId),
    spanId: idOf(spanId),
    parentId: idOf(parentSpanId),
    name: textOf(name),
    kind: typeof kind === 'number' ? kind : Math.max(0, kindNames.indexOf(textOf(kind))),
    startMs: msOf(startTimeUnixNano),
    endMs: msOf(endTimeUnixNano),
    status: statusOf(status),
    attributes: attributesIn(source.span),
    resource,
    events: objectsIn(events).map(eventOf),
    source,
  };
}

/** Names of the enum `SpanKind` by their numbers. */
const kindNames: readonly string[] = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'].map(
  (name) => `SPAN_KIND_${name}`,
);

function eventOf(event: JsonObject): SpanEvent {
  return { name: textOf(event['name']), attributes: attributesIn(event) };
}

function statusOf(status: Json | undefined): Span['status'] {
  if (!isObject(status)) return noStatus;
  const { code, message } = status;
  return { isError: code === 2 || code === 'STATUS_CODE_ERROR', message: textOf(message) };
}

const noStatus: Span['status'] = { isError: false, message: '' };

/**
 * An id of a span or trace in lower-case hexadecimal; empty where there is none, or all of it is zero. The JSON mapping of protobuf writes the
 * 16 or 8 bytes as base64, whose length no hexadecimal id has.
 *
 * @example idOf('q83vEjRWeJCrze8SNFZ4kA==') // 'abcdef1234567890abcdef1234567890'
 */
export function idOf(given: Json | undefined): string {
  const text = textOf(given);
  const id = base64Id.test(text) ? hexOf(atob(text.replace(/-/g, '+').replace(/_/g, '/'))) : text.toLowerCase();
  return /^0+$/.test(id) ? '' : id;
}

const base64Id = /^(?:[\w+/-]{22}==|[\w+/-]{11}=)$/;

function hexOf(bytes: string): string {
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

/** A time in ms: a decimal text of nanoseconds, cut without rounding. Some exporters write a number, which is not exact. */
export function msOf(given: Json | undefined): number | undefined {
  const nanoseconds = typeof given === 'bigint' ? longText(given) : given;
  if (typeof nanoseconds === 'string' && /^\d{7,20}$/.test(nanoseconds)) return Number(nanoseconds.slice(0, -6));
  return typeof nanoseconds === 'number' && nanoseconds > 0
    ? Math.floor(Math.round(nanoseconds / 1e3) / 1e3)
    : undefined;
}

/** The attributes of a span, an event, a log record or a resource. Of several with one name the last counts. */
export function attributesIn(holder: Json | undefined): Attributes {
  const given = isObject(holder) ? holder['attributes'] : undefined;
  if (!Array.isArray(given) || given.length === 0) return noAttributes;
  const attributes = new Map<string, unknown>();
  for (const pair of given as readonly Json[])
    if (isObject(pair) && typeof pair['key'] === 'string') attributes.set(pair['key'], plainValue(pair['value']));
  return attributes;
}

const noAttributes: Attributes = new Map();
