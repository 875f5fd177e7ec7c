import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { ReadRecord } from '../../src/stream/event.ts';
import type { NativeEvent } from './provider-forms.ts';

/* Documents of OTLP/JSON, and the protobuf that says the same, written by the field numbers of the published schema. */

export interface JsonSpan {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly parentSpanId?: string;
  readonly name?: string;
  readonly kind?: number;
  readonly startTimeUnixNano?: string;
  readonly endTimeUnixNano?: string;
  readonly attributes?: readonly Attribute[];
  readonly events?: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

export interface JsonLog {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly timeUnixNano?: string;
  readonly observedTimeUnixNano?: string;
  readonly severityNumber?: number;
  readonly eventName?: string;
  readonly body?: AnyValue;
  readonly attributes?: readonly Attribute[];
}

export interface Attribute {
  readonly key: string;
  readonly value: AnyValue;
}

export interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values: readonly AnyValue[] };
  readonly kvlistValue?: { readonly values: readonly Attribute[] };
  readonly bytesValue?: string;
}

export interface JsonDocument {
  readonly resourceSpans: readonly {
    readonly resource?: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly JsonSpan[] }[];
  }[];
}

export interface LogDocument {
  readonly resourceLogs: readonly {
    readonly resource?: { readonly attributes: readonly Attribute[] };
    readonly scopeLogs: readonly { readonly logRecords: readonly JsonLog[] }[];
  }[];
}

/** The attribute of a plain value. */
export function attribute(key: string, value: unknown): Attribute {
  return { key, value: anyValue(value) };
}

/** A plain value as an `AnyValue`. */
export function anyValue(value: unknown): AnyValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value !== 'object' || value === null) return {};
  return { kvlistValue: { values: Object.entries(value).map(([key, inner]) => attribute(key, inner)) } };
}

/** A document of one resource and one scope. */
export function documentOf(
  spans: readonly JsonSpan[],
  resource: readonly Attribute[] = [attribute('service.name', 'a service')],
): JsonDocument {
  return { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ spans }] }] };
}

/** A document of log records of one resource and one scope. */
export function logDocumentOf(
  logRecords: readonly JsonLog[],
  resource: readonly Attribute[] = [attribute('service.name', 'a service')],
): LogDocument {
  return { resourceLogs: [{ resource: { attributes: resource }, scopeLogs: [{ logRecords }] }] };
}

/** The same as protobuf. */
export function protobufOf(document: JsonDocument | LogDocument): Uint8Array {
  const writer = new BinaryWriter();
  const write = <Item>(
    resource: { readonly attributes: readonly Attribute[] } | undefined,
    scopes: readonly (readonly Item[])[],
    writeItem: (writer: BinaryWriter, item: Item) => void,
  ): void =>
    message(writer, 1, () => {
      if (resource) message(writer, 1, () => attributes(writer, 1, resource.attributes));
      for (const items of scopes)
        message(writer, 2, () => {
          for (const item of items) message(writer, 2, () => writeItem(writer, item));
        });
    });
  if ('resourceSpans' in document)
    for (const { resource, scopeSpans } of document.resourceSpans)
      write(
        resource,
        scopeSpans.map(({ spans }) => spans),
        writeSpan,
      );
  else
    for (const { resource, scopeLogs } of document.resourceLogs)
      write(
        resource,
        scopeLogs.map(({ logRecords }) => logRecords),
        writeLog,
      );
  return writer.finish();
}

function message(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write();
  writer.join();
}

function attributes(writer: BinaryWriter, field: number, all: readonly Attribute[] = []): void {
  for (const { key, value } of all)
    message(writer, field, () => {
      text(writer, 1, key);
      message(writer, 2, () => writeValue(writer, value));
    });
}

function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, WireType.LengthDelimited).string(value);
}

function bytes(writer: BinaryWriter, field: number, value: Uint8Array): void {
  writer.tag(field, WireType.LengthDelimited).bytes(value);
}

function writeSpan(writer: BinaryWriter, span: JsonSpan): void {
  if (span.traceId) bytes(writer, 1, Buffer.from(span.traceId, 'hex'));
  if (span.spanId) bytes(writer, 2, Buffer.from(span.spanId, 'hex'));
  if (span.parentSpanId) bytes(writer, 4, Buffer.from(span.parentSpanId, 'hex'));
  if (span.name) text(writer, 5, span.name);
  if (span.kind) writer.tag(6, WireType.Varint).int32(span.kind);
  if (span.startTimeUnixNano) writer.tag(7, WireType.Bit64).fixed64(span.startTimeUnixNano);
  if (span.endTimeUnixNano) writer.tag(8, WireType.Bit64).fixed64(span.endTimeUnixNano);
  attributes(writer, 9, span.attributes);
  for (const event of span.events ?? [])
    message(writer, 11, () => {
      text(writer, 2, event.name);
      attributes(writer, 3, event.attributes);
    });
  const { status } = span;
  if (status === undefined) return;
  message(writer, 15, () => {
    if (status.message) text(writer, 2, status.message);
    if (status.code) writer.tag(3, WireType.Varint).int32(status.code);
  });
}

function writeLog(writer: BinaryWriter, log: JsonLog): void {
  if (log.timeUnixNano) writer.tag(1, WireType.Bit64).fixed64(log.timeUnixNano);
  if (log.observedTimeUnixNano) writer.tag(11, WireType.Bit64).fixed64(log.observedTimeUnixNano);
  if (log.severityNumber) writer.tag(2, WireType.Varint).int32(log.severityNumber);
  const { body } = log;
  if (body) message(writer, 5, () => writeValue(writer, body));
  attributes(writer, 6, log.attributes);
  if (log.traceId) bytes(writer, 9, Buffer.from(log.traceId, 'hex'));
  if (log.spanId) bytes(writer, 10, Buffer.from(log.spanId, 'hex'));
  if (log.eventName) text(writer, 12, log.eventName);
}

function writeValue(writer: BinaryWriter, value: AnyValue): void {
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value;
  if (stringValue !== undefined) text(writer, 1, stringValue);
  if (boolValue !== undefined) writer.tag(2, WireType.Varint).bool(boolValue);
  if (intValue !== undefined) writer.tag(3, WireType.Varint).int64(intValue);
  if (doubleValue !== undefined) writer.tag(4, WireType.Bit64).double(doubleValue);
  if (arrayValue)
    message(writer, 5, () => {
      for (const item of arrayValue.values) message(writer, 1, () => writeValue(writer, item));
    });
  if (kvlistValue) message(writer, 6, () => attributes(writer, 1, kvlistValue.values));
  if (bytesValue !== undefined) bytes(writer, 7, Buffer.from(bytesValue, 'base64'));
}

/** A native event as the span of a call of a model; `structured`: its messages are a structure and not JSON text. */
export function spanOf(event: NativeEvent, number: number, structured: boolean): JsonSpan {
  const { example_id, ts, model, agent, run, label, success, tools, error, tool_calls: calls, output } = event;
  const parts = [
    ...(typeof output === 'string' ? [{ type: 'text', content: output }] : []),
    ...(calls ?? []).map((call) => ({ type: 'tool_call', id: 'c', ...call })),
  ];
  const messages = [{ role: 'assistant', parts, finish_reason: 'stop' }];
  const given = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'asked for',
    'gen_ai.response.model': model,
    'gen_ai.response.id': `chatcmpl-${number}`,
    'gen_ai.usage.input_tokens': 120,
    'gen_ai.agent.name': agent,
    'gen_ai.output.messages': structured ? messages : JSON.stringify(messages),
    'gen_ai.tool.definitions': structured || tools === undefined ? tools : JSON.stringify(tools),
    'assay.example_id': example_id,
    'assay.run': run,
    'assay.label': label,
    'assay.success': success,
    'error.type': error,
  };
  return {
    traceId: number.toString(16).padStart(32, '0'),
    spanId: (number + 1).toString(16).padStart(16, '0'),
    name: 'chat asked for',
    kind: 3,
    endTimeUnixNano: `${typeof ts === 'number' ? ts : Date.parse(String(ts))}000000`,
    attributes: Object.entries(given)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([key, value]) => attribute(key, value)),
  };
}

/** How many spans or choices were passed over. */
export function skippedIn({ skipped }: Pick<ReadRecord, 'skipped'>, kind: 'spans_ignored' | 'choices_ignored'): number {
  return skipped.filter((one) => one.kind === kind).reduce((sum, { number }) => sum + number, 0);
}
