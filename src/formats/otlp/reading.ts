import { isObject, type Json, type JsonObject } from '../../scoring/json.ts';
import type { LogRecord } from '../../stream/event.ts';
import { decodeUtf8, utf8Text } from '../bytes/utf8.ts';
import type { FormatName } from '../inputs/forms.ts';
import { type InputOptions, type InputReading, inputReading, nativeByKeys, type Reading } from '../inputs/input.ts';
import { type ScanPlan, scanPlan } from '../inputs/scan-plan.ts';
import { eventsOf, type SpanFields, spanFields } from './events.ts';
import { isSpanDocument, spanOfJson, spansKey, spansOfJson } from './json.ts';
import { type ProtobufReader, protobufReader } from './protobuf.ts';
import { type SpanPlan, spanPlan } from './span-plan.ts';
import type { SpanEncoding, SpanPlace } from './span-scanner.ts';

/** How records are read (configuration: `input`), where they may hold spans of OpenTelemetry as well. */
export interface RecordOptions extends Omit<InputOptions, 'format'> {
  readonly format: FormatName | 'otlp';
  /** How deep an event may nest. */
  readonly depth: number;
}

/** How parsed records are read, and how bytes that are no text are: undefined where none are, and for bytes that hold no spans. */
export interface RecordReading {
  readonly input: InputReading | undefined;
  readonly bytes: ((record: LogRecord) => Reading | undefined) | undefined;
  /** How spans are read by their bytes; undefined where records hold none. */
  readonly spans: SpanReading | undefined;
  /** Whether an event with an `example_id` is native, as far as its keys tell; undefined where they do not. */
  readonly isNative: ((event: JsonObject) => boolean) | undefined;
  /** How others are read by their bytes; undefined where they have to be parsed. */
  readonly plan: ScanPlan | undefined;
}

/** How spans are read by their bytes, and one of them parsed. */
export interface SpanReading {
  /** Undefined where all have to be parsed. */
  readonly plan: SpanPlan | undefined;
  /** How a record is encoded, if it holds spans; undefined where it is not told by its first bytes. */
  encodingOf(record: LogRecord): SpanEncoding | undefined;
  /** What the span at a place of a record is; undefined where it cannot be read. */
  spanAt(record: LogRecord, place: SpanPlace): Reading | undefined;
}

/** The reading that the options ask for: spans where the format is `otlp`, and where `auto` finds some. */
export function recordReading({ depth, ...options }: RecordOptions): RecordReading {
  const { format } = options;
  const others = format === 'otlp' ? undefined : inputReading({ ...options, format });
  const plan = format === 'otlp' ? undefined : scanPlan({ ...options, format });
  if (format !== 'otlp' && format !== 'auto')
    return { input: others, bytes: undefined, isNative: undefined, plan, spans: undefined };
  const isNative = format === 'otlp' ? undefined : nativeByKeys({ ...options, format });
  const fields = spanFields(options.fields, depth);
  const protobuf = protobufReader(fields.names);
  return {
    plan,
    spans: {
      plan: spanPlan(options.fields, fields.names),
      encodingOf: (record) => encodingOf(record, format),
      spanAt: (record, place) => spanAt(record, place, protobuf, fields),
    },
    isNative: isNative && ((event) => isNative(event) && !(spansKey in event)),
    input: (value, record) => {
      if (isObject(value) && isSpanDocument(value)) return eventsOf(spansOfJson(value, fields.names), record, fields);
      return others === undefined ? refusal(noSpans) : others(value, record);
    },
    bytes: (record) => {
      if (!mayBeSpans(record, format)) return undefined;
      try {
        return eventsOf(protobuf.spansOf(record.bytes.subarray(record.start, record.end)), record, fields);
      } catch (error) {
        return format === 'auto' ? undefined : refusal(`${noSpans}: ${(error as Error).message}`);
      }
    },
  };
}

const noSpans =
  'the record has no resourceSpans, and is no ExportTraceServiceRequest as protobuf, so it is not of format otlp; check input.format and the encoding of the exporter';

/** Where the text of spans begins so, `auto` need not look for another form. */
const beginning = Buffer.from(`{"${spansKey}":`);

function encodingOf({ bytes, start, end }: LogRecord, format: 'otlp' | 'auto'): SpanEncoding | undefined {
  if (end - start < beginning.length) return undefined;
  if (bytes[start] === openBrace) {
    for (let at = 0; format === 'auto' && at < beginning.length; at++)
      if (bytes[start + at] !== beginning[at]) return undefined;
    return 'json';
  }
  // The second byte is a length, unless it is white space before JSON.
  const second = bytes[start + 1]!;
  return bytes[start] === lineFeed && second !== openBrace && second !== openBracket && !whitespace.includes(second)
    ? 'protobuf'
    : undefined;
}

const openBrace = 0x7b;
const openBracket = 0x5b;

function spanAt(
  record: LogRecord,
  { start, end, resourceStart, resourceEnd }: SpanPlace,
  protobuf: ProtobufReader,
  fields: SpanFields,
): Reading | undefined {
  const { bytes } = record;
  const parsed = (from: number, to: number): Json | undefined =>
    from === to ? undefined : JSON.parse(utf8Text(bytes, from, to));
  try {
    const span =
      bytes[record.start] === openBrace
        ? spanOfJson(parsed(start, end) as JsonObject, parsed(resourceStart, resourceEnd), fields.names)
        : protobuf.spanOf(bytes.subarray(start, end), bytes.subarray(resourceStart, resourceEnd));
    return eventsOf({ spans: [span], documentOf: () => undefined }, record, fields);
  } catch {
    return undefined;
  }
}

/** Whether bytes may be a message: JSON begins otherwise, and every message of spans with the tag of its field 1, which is a line feed. */
function mayBeSpans({ bytes, start, end }: LogRecord, format: 'otlp' | 'auto'): boolean {
  if (start >= end || (format === 'auto' && bytes[start] !== lineFeed)) return false;
  let at = start;
  while (at < end && whitespace.includes(bytes[at]!)) at++;
  if (at < end && bytes[at] !== openBrace && bytes[at] !== openBracket) return true;
  return bytes[start] === lineFeed && !isJson(decodeUtf8(bytes, start, end));
}

const lineFeed = 0x0a;
const whitespace = [0x20, 0x09, lineFeed, 0x0d];

function isJson(text: string | undefined): boolean {
  if (text === undefined) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function refusal(detail: string): Reading {
  return { found: [{ code: 'schema', detail }], ignored: 0 };
}
