import { isUtf8 } from 'node:buffer';
import { isObject } from '../../scoring/json.ts';
import { shortened } from '../json/shortened.ts';
import { jsonIn } from '../json/parsed.ts';

/** The kind of a file of records by its first bytes, for any name. */
export type FileKind =
  /** Compressed; the first bytes of the content show its kind. */
  | { readonly kind: 'gzip' | 'zstd' }
  /** A record a line; one value or array over the whole file; rows of a table. */
  | { readonly kind: 'lines' | 'document' | 'parquet' | 'arrow' | 'empty' }
  | { readonly kind: 'csv'; readonly separator: string }
  /** Another kind: its likely name, and the remedy. */
  | { readonly kind: 'unknown'; readonly seems: string };

/** First bytes that suffice for every kind. */
export const headBytes = 65_536;

/**
 * The kind of a file by its first bytes; undefined where more of them are needed (never when the file has `ended`, or from `headBytes` on).
 * A text is a CSV file where a column of its first line is one that is read.
 */
export function fileKind(
  head: Buffer,
  ended: boolean,
  isColumn: (name: string) => boolean,
  fieldOption = '--field',
): FileKind | undefined {
  const whole = ended || head.length >= headBytes;
  if (head.length < 8 && !whole) return undefined;
  const byMagic = magics.find(([magic]) => head.subarray(0, magic.length).equals(magic));
  if (byMagic !== undefined) return byMagic[1];
  const text = textOf(head);
  if (text === undefined)
    return isArrowStream(head) ? { kind: 'arrow' } : { kind: 'unknown', seems: 'a binary file of another kind' };
  const kind = textKind(text, ended, whole, isColumn);
  return kind?.kind === 'unknown' ? unknown(kind.seems.replace('--field', fieldOption)) : kind;
}

const unknown = (seems: string): FileKind => ({ kind: 'unknown', seems });

const magics: readonly (readonly [Buffer, FileKind])[] = (
  [
    ['\x1f\x8b', { kind: 'gzip' }],
    ['\x28\xb5\x2f\xfd', { kind: 'zstd' }],
    ['PAR1', { kind: 'parquet' }],
    ['PARE', unknown('an encrypted Parquet file; decrypt it first')],
    ['ARROW1', { kind: 'arrow' }],
    [
      'FEA1',
      unknown('a Feather file of version 1; write version 2, pyarrow.feather.write_feather(df, path, version=2)'),
    ],
    [
      'PK\x03\x04',
      unknown(
        'a zip archive or an Excel workbook; unpack it (an .eval log of Inspect: assay convert --from inspect), or save the sheet as CSV',
      ),
    ],
    ['BZh', unknown('compressed with bzip2; decompress it first')],
    ['\xfd7zXZ', unknown('compressed with xz; decompress it first')],
    ['\x04\x22\x4d\x18', unknown('compressed with lz4; decompress it first')],
    ['Obj\x01', unknown('an Avro file; write it as Parquet or NDJSON')],
    ['ORC', unknown('an ORC file; write it as Parquet or NDJSON')],
    ['SQLite format 3', unknown('an SQLite database; export the table as CSV')],
    ['\xff\xfe', unknown('text in UTF-16; save it as UTF-8')],
    ['\xfe\xff', unknown('text in UTF-16; save it as UTF-8')],
    ['%PDF', unknown('a PDF document')],
  ] satisfies [string, FileKind][]
).map(([magic, kind]) => [Buffer.from(magic, 'latin1'), kind]);

/** A message begins with -1, then the length of its metadata: the first is the schema, some hundred bytes. */
function isArrowStream(head: Buffer): boolean {
  return head.length >= 8 && head.readInt32LE(0) === -1 && head.readInt32LE(4) > 0;
}

/** The head as text; undefined where it is none. Of NDJSON that is not all UTF-8 the damaged lines are refused one by one. */
function textOf(head: Buffer): string | undefined {
  const start = head.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  const isJson = /^\s*[[{]/.test(head.toString('latin1', start, start + 256));
  if (!isJson && (head.includes(0) || !isUtf8(head.subarray(start, Math.max(start, head.lastIndexOf('\n') + 1)))))
    return undefined;
  return head.toString('utf8', start);
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

function textKind(
  text: string,
  ended: boolean,
  whole: boolean,
  isColumn: (name: string) => boolean,
): FileKind | undefined {
  const [first, second, isFirstWhole] = firstLines(text, whole);
  if (first === '') return ended ? { kind: 'empty' } : whole ? unknown('blank for a long stretch') : undefined;
  if (!isFirstWhole && !whole) return undefined;
  if (first.startsWith('{')) {
    if (isObject(jsonIn(first)) || (second !== undefined && isObject(jsonIn(second)))) return { kind: 'lines' };
    if (second === undefined && !whole) return undefined;
    // One line without an end is a record that is too large, or cut short.
    return { kind: second === undefined ? 'lines' : 'document' };
  }
  if (first.startsWith('[')) {
    if (!Array.isArray(jsonIn(first))) return { kind: 'document' };
    return second !== undefined ? { kind: 'lines' } : whole ? { kind: 'document' } : undefined;
  }
  return otherText(text, first, isColumn);
}

/** The first two lines that are not blank, and whether the first has its end. */
function firstLines(text: string, whole: boolean): readonly [string, string | undefined, boolean] {
  const lines = text.split('\n');
  // The last may go on beyond the head.
  const last = lines.length - 1;
  const at = lines.findIndex(isWritten);
  if (at < 0) return ['', undefined, false];
  const next = lines.findIndex((line, index) => index > at && isWritten(line));
  const second = next < 0 || (next === last && !whole) ? undefined : lines[next]!.trim();
  return [lines[at]!.trim(), second, at < last];
}

function isWritten(line: string): boolean {
  return line.trim() !== '';
}

function otherText(text: string, first: string, isColumn: (name: string) => boolean): FileKind {
  const separator = [',', ';', '\t'].find((mark) => first.includes(mark)) ?? ',';
  const columns = first.split(separator).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  if (columns.some(isColumn)) return { kind: 'csv', separator };
  // Lines of which the first is damaged, or the text of a stream: they are refused one by one.
  if (/^\s*[[{]/m.test(text) || /^(data|event|id|retry): ?\S/.test(first)) return { kind: 'lines' };
  if (first.startsWith('<')) return unknown('HTML or XML');
  if (columns.length > 1 && columns.every((name) => /^[\p{L}_][\p{L}\d_ .-]*$/u.test(name)))
    return unknown(
      `a CSV file of which no column is read: ${shortened(columns.join(', '))}; rename a column, or name it, such as --field 'example_id=/${columns[0]}'`,
    );
  return unknown(`text that begins with ${shortened(first)}`);
}
