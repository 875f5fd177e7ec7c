import { Buffer } from 'node:buffer';
import protobuf from 'protobufjs';
import type { JsonObject } from '../../scoring/json.ts';
import { asBuffer } from '../bytes/utf8.ts';
import { isLogs } from './signal.ts';
import { logsData, tracesData } from './trace-proto.ts';

/** A document of OTLP/JSON, or why the bytes are no message. `isTooDeep`: they are one as far as they were read. */
export type Decoded = { readonly document: JsonObject } | { readonly problem: string; readonly isTooDeep: boolean };

/**
 * Decodes the bytes of an `ExportTraceServiceRequest` or a `TracesData`, which are the same on the wire, or of their counterparts for log
 * records, which nothing but the fields within tells from them. Never throws.
 */
export function decodeProtobuf(bytes: Uint8Array): Decoded {
  const reader = protobuf.Reader.create(asBuffer(bytes));
  try {
    const type = isLogs(bytes) ? logsData : tracesData;
    const document = type.toObject(type.decode(reader), { longs: String, bytes: String });
    writeIdsAsHex(document);
    return { document };
  } catch (error) {
    const { message } = error as Error;
    return { problem: `${problemOf(error, reader)} (${message})`, isTooDeep: message === tooDeep };
  }
}

/** The message of protobufjs where messages or groups nest more than 100 deep. */
const tooDeep = 'max depth exceeded';

function problemOf(error: unknown, { pos, buf }: protobuf.Reader): string {
  if ((error as Error).message === tooDeep)
    return `messages nest deeper than 100 at byte ${pos}; send a value that nests so deep as an attribute that holds its JSON text`;
  if (error instanceof RangeError)
    return `the ${buf.length - pos} bytes from byte ${pos} on are cut, or the length before them is wrong`;
  return error instanceof TypeError
    ? `the text that ends at byte ${pos} is not UTF-8`
    : `the bytes before ${pos} are damaged`;
}

/** Identifiers are hexadecimal in OTLP/JSON; all other bytes are base64. */
function writeIdsAsHex({ resourceSpans = [], resourceLogs = [] }: Document): void {
  for (const { scopeSpans = [] } of resourceSpans)
    for (const { spans = [] } of scopeSpans)
      for (const span of spans) for (const holder of [span, ...(span.links ?? [])]) writeAsHex(holder);
  for (const { scopeLogs = [] } of resourceLogs)
    for (const { logRecords = [] } of scopeLogs) for (const log of logRecords) writeAsHex(log);
}

function writeAsHex(holder: Identified): void {
  for (const key of idKeys) {
    const id = holder[key];
    if (id !== undefined) holder[key] = Buffer.from(id, 'base64').toString('hex');
  }
}

const idKeys = ['traceId', 'spanId', 'parentSpanId'] as const;

type Identified = { [Key in (typeof idKeys)[number]]?: string };

/** The parts of a document that lead to identifiers. */
interface Document {
  readonly resourceSpans?: readonly {
    readonly scopeSpans?: readonly { readonly spans?: readonly (Identified & { readonly links?: Identified[] })[] }[];
  }[];
  readonly resourceLogs?: readonly {
    readonly scopeLogs?: readonly { readonly logRecords?: readonly Identified[] }[];
  }[];
}
