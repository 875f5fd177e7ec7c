import { isObject } from '../../scoring/json.ts';
import type { LogRecord } from '../../stream/event.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';
import type { FormatName } from '../inputs/forms.ts';
import { type InputOptions, type InputReading, inputReading, type Reading } from '../inputs/input.ts';
import { eventsOf, spanFields } from './events.ts';
import { isSpanDocument, spansOfJson } from './json.ts';
import { protobufReader } from './protobuf.ts';

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
}

/** The reading that the options ask for: spans where the format is `otlp`, and where `auto` finds some. */
export function recordReading({ depth, ...options }: RecordOptions): RecordReading {
  const { format } = options;
  const others = format === 'otlp' ? undefined : inputReading({ ...options, format });
  if (format !== 'otlp' && format !== 'auto') return { input: others, bytes: undefined };
  const fields = spanFields(options.fields, depth);
  const protobuf = protobufReader(fields.names);
  return {
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

const openBrace = 0x7b;
const openBracket = 0x5b;

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
