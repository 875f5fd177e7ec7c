import { Buffer } from 'node:buffer';
import type { LogRecord } from '../../stream/event.ts';
import { type FieldName, fieldNames } from '../inputs/fields.ts';
import { scannerCode } from './scanner-code.ts';

/** What a field may be for the scanner to take it. */
export interface FieldForm {
  readonly types: readonly ValueType[];
  /** Types of the elements, if it is an array. */
  readonly elements?: readonly ValueType[];
  /** Its bytes are hashed: alone, or also in the group of one of the two hashes over several fields. */
  readonly hash?: 'alone' | 'first' | 'second';
  /** The texts under `id` of its elements are left out of the hash. */
  readonly withoutIds?: true;
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
  /** Forgets the bytes that it has copied; `last` is the last record of the batch that comes. */
  begin(last: LogRecord | undefined): void;
  /** Scans the value of a record into a row. False: JSON.parse is to look at it. */
  scan(record: LogRecord, row: number): boolean;
}

/** Words of a field: its type, where it starts and ends in its record's bytes, its elements, and the hash of its bytes. */
export const word = { type: 0, start: 1, end: 2, elements: 3, hash: 8 } as const;
export const fieldWords = 12;
const fieldsMax = 16;
/** Words of a row behind its fields: the hash of its keys, those of the first and of the second group. */
export const rowWord = { keys: fieldWords * fieldsMax, groups: fieldWords * fieldsMax + 4 } as const;

/** Containers in a field nest at most so deep. */
const deepestMost = 60;

/** What is used of it: the libraries that TypeScript was told of do not declare it. */
declare const WebAssembly: {
  validate(code: Uint8Array): boolean;
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly rowsAt: { readonly value: number };
  readonly rowBytes: { readonly value: number };
  readonly rows: { readonly value: number };
  readonly textAt: { readonly value: number };
  readonly textBytes: { readonly value: number };
  nestAtMost(depth: number): void;
  addField(at: number, to: number, types: number, elements: number, flags: number): void;
  scan(at: number, to: number, row: number): number;
}

const flags = { alone: 1, first: 2, second: 4, withoutIds: 8 } as const;

/** A scanner of fields in their order in `fieldNames`; undefined where there is no WebAssembly with SIMD. */
export function createScanner(forms: Readonly<Record<FieldName, FieldForm>>, depth: number): Scanner | undefined {
  const code = Buffer.from(scannerCode, 'base64');
  if (!WebAssembly.validate(code)) return undefined;
  const exports = new WebAssembly.Instance(new WebAssembly.Module(code)).exports as Exports;
  const { buffer } = exports.memory;
  const text = Buffer.from(buffer, exports.textAt.value, exports.textBytes.value);
  for (const name of fieldNames) {
    const { types, elements = [], hash, withoutIds } = forms[name];
    const flag = (hash === undefined ? 0 : flags[hash]) | (withoutIds ? flags.withoutIds : 0);
    text.write(name);
    exports.addField(text.byteOffset, text.byteOffset + name.length, bits(types), bits(elements), flag);
  }
  exports.nestAtMost(Math.min(deepestMost, depth - 1));
  const words = new Int32Array(buffer, exports.rowsAt.value, (exports.rows.value * exports.rowBytes.value) / 4);
  return scannerOf(exports, text, words);
}

function bits(types: readonly ValueType[]): number {
  return types.reduce((all, type) => all | (1 << valueTypes.indexOf(type)), 0);
}

function scannerOf(exports: Exports, text: Buffer, words: Int32Array): Scanner {
  const rowBytes = exports.rowBytes.value;
  const rowWords = rowBytes / 4;
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
    begin(record) {
      last = record;
      bytes = undefined;
    },
    scan(record, row) {
      if (record.end - record.start > text.length) return false;
      if (record.bytes !== bytes || record.start < from || record.end > to) copy(record);
      const at = text.byteOffset - from;
      const found = exports.scan(at + record.start, at + record.end, words.byteOffset + row * rowBytes) === 1;
      if (found) shift(row * rowWords, -at);
      return found;
    },
  };

  /** From places in the scanner's memory to those in the record's bytes. */
  function shift(row: number, by: number): void {
    for (let at = row; at < row + fieldWords * fieldNames.length; at += fieldWords) {
      words[at + word.start]! += by;
      words[at + word.end]! += by;
    }
  }
}
