import { Buffer } from 'node:buffer';
import type { LogRecord } from '../../stream/event.ts';
import { scannerCode } from './scanner-code.ts';

/** A field that the scanner looks for, and what it may be for the scanner to take it. */
export interface ScannedField {
  readonly name: string;
  /** The field before it that holds it, by its index; undefined for a field of the record. */
  readonly within?: number | undefined;
  readonly types: readonly ValueType[];
  /** Types of the elements, if it is an array. */
  readonly elements?: readonly ValueType[] | undefined;
  /**
   * Its bytes are hashed: alone, or also in the group of one of the two hashes over several fields; in both, its texts that are hashed apart belong to
   * the second, and all else to the first. `typed`: alone, but its type belongs to the first.
   */
  readonly hash?: 'alone' | 'typed' | 'first' | 'second' | 'both' | undefined;
  readonly texts?: readonly ScannedText[] | undefined;
  /** It is there to hold others. */
  readonly isOpen?: boolean | undefined;
  /** Of a span: the text of this attribute is JSON, and that is what is looked at. */
  readonly isJsonText?: boolean | undefined;
}

/** Texts in a field, the first 64, that its hash is not to depend on: nobody reads them, or they are hashed apart. */
export interface ScannedText {
  /** Where they lie: `[]` for an element, `.name` for a member; of names only the last is looked at. */
  readonly at: string;
  readonly apart: boolean;
}

/** Types of JSON values; a text with escapes is one of its own. */
export const valueTypes = ['absent', 'text', 'escaped', 'number', 'object', 'array', 'true', 'false', 'null'] as const;
export type ValueType = (typeof valueTypes)[number];

/**
 * Finds fields in the bytes of events (assembly/scanner.ts). Of each row: types, places, numbers of elements and hashes of its fields. It
 * holds rows and bytes of its own, which go with the next batch.
 */
export interface Scanner {
  /** Rows that it has room for. */
  readonly rows: number;
  /** What was found, in words: a row begins at `row * rowWords`, a field in it at `fieldWords * field`. */
  readonly words: Int32Array;
  readonly rowWords: number;
  /** Words of a row behind its fields: the hash of its keys, and those of the first and of the second group. */
  readonly keys: number;
  readonly groups: number;
  /** Forgets the bytes that it has copied; `last` is the last record of the batch that comes. */
  begin(last: LogRecord | undefined): void;
  /** Scans the value of a record into a row. False: JSON.parse is to look at it. */
  scan(record: LogRecord, row: number): boolean;
}

/** Words of a field: its type, where it starts and ends in its record's bytes, its elements, and the hash of its bytes. */
export const word = { type: 0, start: 1, end: 2, elements: 3, hash: 8 } as const;
export const fieldWords = 16;
const hashWords = 4;

/** Words of a row of so many fields, with its hashes. */
export function rowWordsOf(fields: number): number {
  return fieldWords * fields + 4 * hashWords;
}

/** Longest name of a field. */
export const nameBytesMax = 32;

/** Containers in a field nest at most so deep. */
const deepestMost = 60;

/** What is used of it: the libraries that TypeScript was told of do not declare it. */
declare const WebAssembly: {
  validate(code: Uint8Array): boolean;
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** What the module exports. */
export interface ScannerExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly aboutAt: { readonly value: number };
  readonly rowsAt: { readonly value: number };
  readonly fieldsMax: { readonly value: number };
  readonly rows: { readonly value: number };
  readonly textAt: { readonly value: number };
  readonly textBytes: { readonly value: number };
  nestAtMost(depth: number): void;
  addField(at: number, to: number, within: number, types: number, elements: number, flags: number): void;
  addRule(at: number, to: number, containers: number, apart: number): void;
  scan(at: number, to: number, row: number, origin: number): number;
  jsonSpans(at: number, to: number): number;
  protobufSpans(at: number, to: number): number;
}

/** A module of its own, that knows some fields. */
export interface ScannerInstance {
  readonly exports: ScannerExports;
  /** Where texts are scanned. */
  readonly text: Buffer;
  /** All rows. */
  readonly words: Int32Array;
  readonly rowWords: number;
  readonly keys: number;
  readonly groups: number;
}

const flags = { none: 0, alone: 1, typed: 17, first: 2, second: 4, both: 6 } as const;
const isOpenFlag = 8;
const isJsonTextFlag = 32;

/** A scanner of fields; undefined where there is no WebAssembly with SIMD, or the fields are too many. */
export function createScanner(fields: readonly ScannedField[], depth: number): Scanner | undefined {
  const instance = scannerInstance(fields, depth, () => false);
  return instance && scannerOf(instance);
}

/** A module that knows some fields; `found` is called of each span that it scans, and says whether it is to go on. Undefined as in `createScanner`. */
export function scannerInstance(
  fields: readonly ScannedField[],
  depth: number,
  found: () => boolean,
): ScannerInstance | undefined {
  const code = Buffer.from(scannerCode, 'base64');
  if (!WebAssembly.validate(code)) return undefined;
  const imports = { spans: { found } };
  const exports = new WebAssembly.Instance(new WebAssembly.Module(code), imports).exports as ScannerExports;
  if (fields.length > exports.fieldsMax.value) return undefined;
  const { buffer } = exports.memory;
  const text = Buffer.from(buffer, exports.textAt.value, exports.textBytes.value);
  for (const field of fields) addField(exports, text, field);
  exports.nestAtMost(Math.min(deepestMost, depth - 1));
  const keys = fieldWords * fields.length;
  const rowWords = rowWordsOf(fields.length);
  const words = new Int32Array(buffer, exports.rowsAt.value, exports.rows.value * rowWords);
  return { exports, text, words, rowWords, keys, groups: keys + hashWords };
}

function addField(exports: ScannerExports, text: Buffer, field: ScannedField): void {
  const { name, within, types, elements = [], hash = 'none', texts = [], isOpen, isJsonText } = field;
  const at = text.byteOffset;
  const flag = flags[hash] | (isOpen ? isOpenFlag : 0) | (isJsonText ? isJsonTextFlag : 0);
  exports.addField(at, at + text.write(name), within === undefined ? 0 : within + 1, bits(types), bits(elements), flag);
  for (const { at: place, apart } of texts) {
    const steps = place.match(/\[\]|\.[^.[]+/g)!;
    const containers = steps.reduce((all, step) => 2 * all + (step === '[]' ? 0 : 1), 1);
    exports.addRule(at, at + text.write(steps.at(-1)!.slice(1)), containers, apart ? 1 : 0);
  }
}

function bits(types: readonly ValueType[]): number {
  return types.reduce((all, type) => all | (1 << valueTypes.indexOf(type)), 0);
}

function scannerOf({ exports, text, words, rowWords, keys, groups }: ScannerInstance): Scanner {
  // A module's exports are no usual object: a function is found in it anew with each call.
  const { scan } = exports;
  let last: LogRecord | undefined;
  /** What was copied: `bytes[from, to)`. */
  let bytes: Uint8Array | undefined;
  let from = 0;
  let to = 0;

  /** Copies a record, and those that follow it in the same bytes and batch as far as there is room. */
  function copy(record: LogRecord): void {
    bytes = record.bytes;
    from = record.start;
    to = last?.bytes === bytes ? Math.min(last.end, from + text.length) : record.end;
    to = Math.max(to, record.end);
    text.set(bytes.subarray(from, to));
  }

  return {
    rows: exports.rows.value,
    words,
    rowWords,
    keys,
    groups,
    begin(record) {
      last = record;
      bytes = undefined;
    },
    scan(record, row) {
      if (record.end - record.start > text.length) return false;
      if (record.bytes !== bytes || record.start < from || record.end > to) copy(record);
      const origin = text.byteOffset - from;
      const into = words.byteOffset + 4 * row * rowWords;
      return scan(origin + record.start, origin + record.end, into, origin) === 1;
    },
  };
}
