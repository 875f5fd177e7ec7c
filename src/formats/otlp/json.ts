import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import {
  addNumbered,
  type Attributes,
  type Names,
  noAttributes,
  numberedPrefix,
  type Span,
  type SpanEvent,
  type Spans,
} from './span.ts';

/** The key that tells a document of spans. */
export const spansKey = 'resourceSpans';

/**
 * The spans of a document of OTLP/JSON. What is of another type than it should be is absent. Definition: `TracesData` in
 * github.com/open-telemetry/opentelemetry-proto, opentelemetry/proto/trace/v1/trace.proto, and "JSON Protobuf Encoding" of the protocol.
 * Recursive: the document's depth is limited.
 */
export function spansOfJson(document: JsonObject, names: Names): Spans {
  const spans: Span[] = [];
  const given: { readonly span: JsonObject; readonly resource: Json | undefined }[] = [];
  for (const { resource, scopeSpans } of objectsIn(document[spansKey])) {
    const attributes = attributesIn(resource, names);
    for (const scope of objectsIn(scopeSpans))
      for (const span of objectsIn(scope['spans'])) {
        spans.push(spanOf(span, attributes, names));
        given.push({ span, resource });
      }
  }
  return { spans, documentOf: (index) => documentOf(given[index]!) };
}

/** The one span of a JSON object, and that of its resource. */
export function spanOfJson(span: JsonObject, resource: Json | undefined, names: Names): Span {
  return spanOf(span, attributesIn(resource, names), names);
}

/** Whether a JSON object is a document of spans. */
export function isSpanDocument(document: JsonObject): boolean {
  return Array.isArray(document[spansKey]);
}

/** A document of one span. */
export function documentOf({ resource, span }: { readonly resource: unknown; readonly span: unknown }): unknown {
  return { resourceSpans: [{ ...(resource !== undefined && { resource }), scopeSpans: [{ spans: [span] }] }] };
}

function spanOf(span: JsonObject, resource: Attributes, names: Names): Span {
  const { traceId, spanId, endTimeUnixNano, events, status } = span;
  return {
    names,
    traceId: idOf(traceId),
    spanId: idOf(spanId),
    endMs: msOf(endTimeUnixNano),
    attributes: attributesIn(span, names),
    resource,
    events: objectsIn(events).map((event) => eventOf(event, names)),
    failure: failureOf(status),
  };
}

function eventOf(event: JsonObject, names: Names): SpanEvent {
  return { name: textOr(event['name'], ''), attributes: attributesIn(event, names) };
}

function failureOf(status: Json | undefined): string | undefined {
  if (!isObject(status) || (status['code'] !== 2 && status['code'] !== 'STATUS_CODE_ERROR')) return undefined;
  return textOr(status['message'], '');
}

function idOf(id: Json | undefined): string {
  return textOr(id, '').toLowerCase();
}

function textOr(value: Json | undefined, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** A time is a decimal text, of which the last six digits are cut: a number would not be exact. Some write a number all the same. */
function msOf(nanoseconds: Json | undefined): number | undefined {
  if (typeof nanoseconds === 'string' && /^\d{7,20}$/.test(nanoseconds)) return Number(nanoseconds.slice(0, -6));
  return typeof nanoseconds === 'number' && nanoseconds > 0
    ? Math.floor(Math.round(nanoseconds / 1e3) / 1e3)
    : undefined;
}

function attributesIn(holder: Json | undefined, names: Names): Attributes {
  const found = noAttributes(names);
  const given = isObject(holder) ? holder['attributes'] : undefined;
  if (!Array.isArray(given)) return found;
  for (const pair of given as readonly Json[]) {
    if (!isObject(pair)) continue;
    const { key, value } = pair;
    if (typeof key !== 'string') continue;
    const place = names.get(key);
    if (place !== undefined) found.values[place] = plain(value);
    else if (key.startsWith(numberedPrefix)) addNumbered(found, key, plain(value));
  }
  return found;
}

/** The JSON value that an `AnyValue` stands for; undefined for an empty one. */
function plain(value: Json | undefined): unknown {
  if (!isObject(value)) return undefined;
  const { stringValue } = value;
  // Nearly all are texts; to look for keys that are absent takes longer than to find one.
  if (stringValue !== undefined) return stringValue;
  const { boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value;
  if (arrayValue !== undefined) return valuesIn(arrayValue).map((item) => plain(item) ?? null);
  if (kvlistValue !== undefined)
    return Object.fromEntries(
      objectsIn(valuesIn(kvlistValue)).map((pair) => [textOr(pair['key'], ''), plain(pair['value']) ?? null]),
    );
  return boolValue ?? numberOf(intValue) ?? doubleValue ?? bytesValue;
}

function valuesIn(list: Json): readonly Json[] {
  const values = isObject(list) ? list['values'] : undefined;
  return Array.isArray(values) ? (values as readonly Json[]) : [];
}

/** An integer is a decimal text; a number where that is exact. */
function numberOf(integer: Json | undefined): Json | undefined {
  const number = typeof integer === 'string' && /^-?\d{1,19}$/.test(integer) ? Number(integer) : integer;
  return Number.isSafeInteger(number) ? number : integer;
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
