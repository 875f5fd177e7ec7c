import type { LogRecord } from '../../stream/event.ts';
import { afterMark } from './line-records.ts';

/**
 * The values of a JSON text as records, a batch for each piece of the file: the elements of an array, or objects one after the other, over any
 * number of lines; the offset is the element's number, from 1. Of an element longer than `bytesMax` only the beginning is kept, one byte more than that: enough for it to be refused. Throws
 * where the text ends within an array or a value.
 */
export async function* documentRecords(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number,
  path: string,
): AsyncGenerator<LogRecord[]> {
  const scan = emptyScan(bytesMax);
  let isFirst = true;
  for await (const chunk of chunks) {
    scanChunk(scan, chunk, isFirst ? afterMark(chunk) : 0);
    isFirst = false;
    if (scan.records.length > 0) yield scan.records.splice(0);
  }
  if (scan.inElement && scan.depth === 0 && !scan.inString) endElement(scan);
  if (scan.inElement || scan.inArray)
    throw new Error(
      `${path}: the JSON ends within element ${scan.number + 1}: it is cut short, or a bracket or quote is missing; write it again, or one JSON object a line`,
    );
  if (scan.records.length > 0) yield scan.records;
}

interface Scan {
  readonly bytesMax: number;
  readonly records: LogRecord[];
  /** Elements so far. */
  number: number;
  /** Within the outer array; within an element, at a depth of brackets of its own, in a string, behind a backslash. */
  inArray: boolean;
  inElement: boolean;
  depth: number;
  inString: boolean;
  isEscaped: boolean;
  /** The element's bytes of the pieces before, and how many are kept. */
  readonly kept: Buffer[];
  keptBytes: number;
}

function emptyScan(bytesMax: number): Scan {
  return {
    bytesMax,
    records: [],
    number: 0,
    inArray: false,
    inElement: false,
    depth: 0,
    inString: false,
    isEscaped: false,
    kept: [],
    keptBytes: 0,
  };
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

function scanChunk(scan: Scan, chunk: Buffer, from: number): void {
  let start = from;
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at]!;
    if (scan.inString) {
      if (scan.isEscaped) scan.isEscaped = false;
      else if (byte === backslash) scan.isEscaped = true;
      else if (byte === quote) scan.inString = false;
    } else if (scan.inElement && scan.depth > 0) {
      if (byte === quote) scan.inString = true;
      else if (byte === openArray || byte === openObject) scan.depth++;
      else if ((byte === closeArray || byte === closeObject) && --scan.depth === 0) {
        keep(scan, chunk, start, at + 1);
        endElement(scan);
      }
    } else if (isBetween(byte) || (byte === closeArray && scan.inArray)) {
      if (scan.inElement) {
        keep(scan, chunk, start, at);
        endElement(scan);
      }
      if (byte === closeArray) scan.inArray = false;
    } else if (byte === openArray && !scan.inElement && !scan.inArray) scan.inArray = true;
    else {
      if (!scan.inElement) start = at;
      scan.inElement = true;
      if (byte === quote) scan.inString = true;
      else if (byte === openArray || byte === openObject) scan.depth++;
    }
  }
  if (scan.inElement) keep(scan, chunk, start, chunk.length);
}

function isBetween(byte: number): boolean {
  return byte === comma || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** A piece is not copied while its element is whole: the records are used before the next piece is asked for. */
function keep(scan: Scan, chunk: Buffer, start: number, end: number): void {
  const piece = chunk.subarray(start, Math.min(end, start + scan.bytesMax + 1 - scan.keptBytes));
  // An empty one would hold on to its chunk.
  if (piece.length === 0) return;
  scan.kept.push(piece);
  scan.keptBytes += piece.length;
}

function endElement(scan: Scan): void {
  const bytes = scan.kept.length === 1 ? scan.kept[0]! : Buffer.concat(scan.kept);
  scan.records.push({ bytes, start: 0, end: bytes.length, offset: ++scan.number, timestamp: Number.NaN });
  scan.kept.length = 0;
  scan.keptBytes = 0;
  scan.inElement = false;
}
