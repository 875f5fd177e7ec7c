import type { LogRecord } from '../../stream/event.ts';
import { idCharactersMax } from '../bytes/unicode.ts';
import type { EventColumns } from './event-columns.ts';
import { fieldText, isText, lengthOf, typeIs } from './fields.ts';
import type { KnownHashes } from './known-hashes.ts';
import type { NameTable } from './names.ts';
import type { ReaderOptions } from './reader-options.ts';
import { type Scanner, word } from './scanner.ts';
import { isName } from './schema.ts';

/** What rows are read with whose bytes were scanned. */
export interface Scanned {
  readonly scanner: Scanner;
  readonly options: ReaderOptions;
  /** Codes of models and agents. */
  readonly codes: KnownHashes;
}

/** Where the rows of a batch go: its columns, and the codes of names. */
export interface RowTarget {
  readonly batch: EventColumns;
  readonly names: NameTable;
  readonly unknown: { readonly code: number };
}

/** Fewer bytes than an id may have characters: such an id is one. */
export function isIdAt(words: Int32Array, field: number): boolean {
  const length = lengthOf(words, field);
  return typeIs(words, field, isText) && length > 0 && length <= idCharactersMax;
}

/** Code of a model or agent; undefined: it cannot be one. */
export function codeAt(
  { codes, scanner }: { readonly codes: KnownHashes; readonly scanner: Pick<Scanner, 'words'> },
  target: RowTarget,
  field: number,
  record: LogRecord,
): number | undefined {
  const { words } = scanner;
  if (!typeIs(words, field, isText) || lengthOf(words, field) === 0) return target.unknown.code;
  const known = codes.find(words, field + word.hash);
  if (known >= 0) return known;
  const name = fieldText(words, field, record);
  if (!isName(name)) return undefined;
  const code = target.names.codeOf(name);
  codes.put(words, field + word.hash, code);
  return code;
}

/** Copies words. */
export function copyWords(from: Int32Array, start: number, to: Uint32Array, into: number, count: number): void {
  for (let i = 0; i < count; i++) to[into + i] = from[start + i]!;
}
