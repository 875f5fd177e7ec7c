import type { InputReading, Reading, Refused } from '../inputs/found.ts';
import { isObject, type JsonObject } from '../../scoring/json.ts';
import type { LogRecord } from '../../stream/event.ts';
import { decodeUtf8 } from '../bytes/utf8.ts';
import type { FormatName } from '../inputs/forms.ts';
import { type InputOptions, inputReading } from '../inputs/input.ts';
import { type PlaceUses, placeUses } from '../inputs/place-use.ts';
import { bareSpan, isBareSpan } from './bare-span.ts';
import { eventsOf, spanFields } from './events.ts';
import { isSpanDocument, spansOf } from './json.ts';
import { isLogDocument, spansOfLogs } from './logs.ts';
import { decodeProtobuf } from './protobuf.ts';
import { type RunKey, runKeyName, stepPlaces } from './step-fields.ts';
import { stepsOf } from './steps.ts';
import { jsonIn } from '../json/parsed.ts';

/** How records are read (configuration: `input`), where they may hold spans of OpenTelemetry as well. */
export interface RecordOptions extends Omit<InputOptions, 'format'> {
  readonly format: FormatName | 'otlp';
  /** Spans and log records are steps of the run of that key; `span`: a span of a call of a model is an event, and log records are not read. */
  readonly runs: RunKey | 'span';
  /** How deep an event may nest. */
  readonly depth: number;
}

/** Readers of records. */
export interface RecordReading {
  /** Reads a parsed record; undefined where every record is a native event as it stands. */
  readonly input: InputReading | undefined;
  /** Reads a record of bytes that are no text, and gives undefined for one without spans; undefined where the format has none. */
  readonly bytes: ((record: LogRecord) => Reading | undefined) | undefined;
  readonly uses: PlaceUses;
}

/** Reads a document of OTLP/JSON; undefined for any other. */
type DocumentReading = (document: JsonObject, record: LogRecord) => Reading | undefined;

/** The reading that the options ask for: spans where the format is `otlp`, and where `auto` finds some. */
export function recordReading({ depth, runs, ...options }: RecordOptions): RecordReading {
  const { format, response, request } = options;
  const key = typeof runs === 'object' ? { [runKeyName]: runs.at } : {};
  const uses = placeUses({ ...options.fields, response, request, ...key });
  const others = format === 'otlp' ? undefined : inputReading({ ...options, format }, uses);
  if (format !== 'otlp' && format !== 'auto') return { input: others, bytes: undefined, uses };
  const documents = documentReading({ ...options, depth, runs }, uses);
  return {
    input: (value, record) => {
      const read = isObject(value) ? documents(value, record) : undefined;
      if (read !== undefined) return read;
      if (isObject(value) && isBareSpan(value)) return refusal({ code: 'schema', detail: bareSpan });
      return others === undefined ? refusal({ code: 'schema', detail: noSpans }) : others(value, record);
    },
    bytes: (record) => (mayBeSpans(record, format) ? inBytes(record, format, documents) : undefined),
    uses,
  };
}

function documentReading(
  { depth, runs, fields: given }: Omit<RecordOptions, 'format'>,
  uses: PlaceUses,
): DocumentReading {
  const fields = spanFields(given, depth, runs === 'span' ? uses : new Map());
  if (runs === 'span')
    return (document, record) => (isSpanDocument(document) ? eventsOf(spansOf(document), record, fields) : undefined);
  const places = stepPlaces(given, runs, uses);
  return (document, record) => {
    if (isSpanDocument(document)) return stepsOf(spansOf(document), record, fields, places);
    return isLogDocument(document) ? stepsOf(spansOfLogs(document), record, fields, places) : undefined;
  };
}

function inBytes(record: LogRecord, format: 'otlp' | 'auto', documents: DocumentReading): Reading | undefined {
  const decoded = decodeProtobuf(record.bytes.subarray(record.start, record.end));
  if ('document' in decoded) {
    const read = documents(decoded.document, record);
    if (read !== undefined) return read;
    // Bytes of any other message decode as one without spans.
    if (record.end <= record.start) return documents({ resourceSpans: [] }, record);
    return format === 'auto' ? undefined : refusal({ code: 'schema', detail: noSpans });
  }
  if (decoded.isTooDeep) return refusal({ code: 'too_deep', detail: decoded.problem });
  return format === 'auto' ? undefined : refusal({ code: 'schema', detail: `${noSpans}: ${decoded.problem}` });
}

const noSpans =
  'the record has no resourceSpans, and is no ExportTraceServiceRequest as protobuf, so it is not of format otlp; check input.format and the encoding of the exporter';

/** Returns whether bytes may be a message: JSON begins otherwise, and a message of spans begins with the tag of its field 1, a line feed. */
function mayBeSpans({ bytes, start, end }: LogRecord, format: 'otlp' | 'auto'): boolean {
  if (start >= end || (format === 'auto' && bytes[start] !== lineFeed)) return false;
  let at = start;
  while (at < end && whitespace.includes(bytes[at]!)) at++;
  if (at < end && bytes[at] !== openBrace && bytes[at] !== openBracket) return true;
  if (bytes[start] !== lineFeed) return false;
  const text = decodeUtf8(bytes, start, end);
  return text === undefined || jsonIn(text) === undefined;
}

const openBrace = 0x7b;
const openBracket = 0x5b;
const lineFeed = 0x0a;
const whitespace = [0x20, 0x09, lineFeed, 0x0d];

function refusal(refused: Refused): Reading {
  return { found: [refused], skipped: [] };
}
