import type { LogRecord } from '../../stream/event.ts';
import { nameBytesMax, type ScannedField, type ScannerInstance, scannerInstance } from '../prediction/scanner.ts';

/**
 * Finds the spans in the bytes of a record (assembly/spans.ts). What was found of one is there while it is told of: what is read of its attributes in the
 * first row, of those of its resource in the second.
 */
export interface SpanScanner extends Pick<ScannerInstance, 'words' | 'rowWords' | 'keys' | 'groups'> {
  /** The places of texts are in its bytes. */
  readonly memory: LogRecord;
  /** Where the span lies in its record. */
  place(record: LogRecord): SpanPlace;
  /** Whether its rows say all of it; if not, only its place is known. */
  isUsual(): boolean;
  /** Whether it has ids: the hash of its identity is at `keys` of its row then. */
  isIdentified(): boolean;
  /** The milliseconds of its end, NaN where it has none. */
  endMs(): number;
  /** Tells of each span, until one is not taken. False: the record may be anything, whatever was told of it. */
  scan(record: LogRecord, encoding: SpanEncoding, take: () => boolean): boolean;
}

export type SpanEncoding = 'json' | 'protobuf';

/** Bytes of a record: of a span, and of its resource; of a resource that it has not, none. */
export interface SpanPlace {
  readonly start: number;
  readonly end: number;
  readonly resourceStart: number;
  readonly resourceEnd: number;
}

/** What the module says of a span, in words from `aboutAt` on. */
const about = { start: 0, end: 1, resourceStart: 2, resourceEnd: 3, isUsual: 4, isIdentified: 5, endMs: 6 } as const;

/** A scanner of attributes; undefined where there is none, or where a name is too long for it. */
export function spanScanner(fields: readonly ScannedField[], depth: number): SpanScanner | undefined {
  if (fields.some(({ name }) => name === '' || Buffer.byteLength(name) > nameBytesMax)) return undefined;
  let taking = nobody;
  const instance = scannerInstance(fields, depth, () => taking());
  if (instance === undefined) return undefined;
  const { exports, text, words, rowWords, keys, groups } = instance;
  const { buffer } = exports.memory;
  const { value: aboutAt } = exports.aboutAt;
  const said = new Int32Array(buffer, aboutAt, about.endMs);
  const end = new Float64Array(buffer, aboutAt + 4 * about.endMs, 1);
  const at = text.byteOffset;
  return {
    words,
    rowWords,
    keys,
    groups,
    memory: { bytes: new Uint8Array(buffer), start: 0, end: 0, offset: 0, timestamp: Number.NaN },
    place({ start }) {
      const from = start - at;
      return {
        start: said[about.start]! + from,
        end: said[about.end]! + from,
        resourceStart: said[about.resourceStart]! + from,
        resourceEnd: said[about.resourceEnd]! + from,
      };
    },
    isUsual: () => said[about.isUsual] === 1,
    isIdentified: () => said[about.isIdentified] === 1,
    endMs: () => end[0]!,
    scan({ bytes, start, end: to }, encoding, take) {
      if (to - start > text.length) return false;
      text.set(bytes.subarray(start, to));
      taking = take;
      const scan = encoding === 'json' ? exports.jsonSpans : exports.protobufSpans;
      return scan(at, at + to - start) === 1;
    },
  };
}

const nobody = (): boolean => false;
