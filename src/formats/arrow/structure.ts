import { TruthError, truthError } from '../truth/error.ts';
import { fieldAt, itemsIn, longAt, longIn, rootTable, tableIn, tablesIn, textIn } from './flatbuffer.ts';

export type ArrowForm = 'file' | 'stream';

/**
 * Form of an Arrow file, after its structure was walked. The library follows every offset and counts to every length: on a damaged
 * file it may never come back, and it takes no bytes, a cut stream and a foreign format for a table of fewer rows. Throws TruthError.
 * Layout: Message.fbs, Schema.fbs and File.fbs of Arrow, whose field numbers stand here.
 */
export function checkStructure(file: string, bytes: Uint8Array): ArrowForm {
  if (bytes.length === 0) throw truthError({ file }, 'the file is empty; write it again');
  for (const [magic, problem] of foreign) if (startsWith(bytes, magic)) throw truthError({ file }, problem);
  const form = startsWith(bytes, magicWord) ? 'file' : 'stream';
  const walk: Walk = { file, messages: 0 };
  try {
    if (form === 'file') checkFile(walk, bytes);
    else checkStream(walk, bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (form === 'stream' && walk.messages === 0)
      throw truthError({ file }, `this is no Arrow file or stream; if it holds truth, ${builds}`);
    const what = form === 'file' ? 'the file is damaged' : 'the stream is cut short or damaged';
    throw truthError({ file }, `${what} (${error.message}); write it again`);
  }
  return form;
}

/** The state of a walk. */
interface Walk {
  readonly file: string;
  messages: number;
}

/** The refusal of a file for an error of the library. */
export function unreadable(file: string, error: unknown): TruthError {
  if (error instanceof TruthError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return truthError({ file }, `cannot be read as Arrow (${message}); it is damaged or cut short, write it again`);
}

const magicWord = 'ARROW1';

const builds = 'make an Arrow table of it with `assay truth build`';

const foreign: readonly (readonly [string, string])[] = [
  ['FEA1', 'Feather version 1 is not read; write version 2, pyarrow.feather.write_feather(df, path, version=2)'],
  ['PAR1', `Parquet is not read here; ${builds}`],
  ['{', `this looks like NDJSON; ${builds}, or name it *.ndjson`],
  ['[', `this looks like a JSON array; ${builds}`],
  ['\u001f\u008b', `it is compressed (gzip); ${builds}, or unpack it`],
  ['(\u00b5/\u00fd', `it is compressed (zstd); ${builds}, or unpack it`],
];

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[i] !== text.charCodeAt(i)) return false;
  return true;
}

/** The kind of a message, and the end of its body. */
interface Message {
  readonly kind: number;
  readonly end: number;
}

const [schemaKind, dictionaryKind, batchKind] = [1, 2, 3];

/** The file form ends in a footer, its length and the magic word; the footer says where the messages lie. */
function checkFile(walk: Walk, bytes: Uint8Array): void {
  const { file } = walk;
  const footerEnd = bytes.length - magicWord.length - 4;
  const whole = footerEnd > 8 && startsWith(bytes.subarray(footerEnd + 4), magicWord);
  const length = whole ? viewOf(bytes, footerEnd, 4).getInt32(0, true) : 0;
  if (length <= 0 || length > footerEnd - 8)
    throw truthError({ file }, 'the file is cut short: it has no Arrow footer; write it again');
  const view = viewOf(bytes, footerEnd - length, length);
  const footer = rootTable(view);
  checkSchema(file, view, tableIn(view, footer, 1));
  checkTexts(view, footer, 4);
  let left = footerEnd - length;
  for (const [index, kind] of [
    [2, dictionaryKind],
    [3, batchKind],
  ] as const) {
    for (const block of itemsIn(view, footer, index, 24)) {
      const start = longAt(view, block);
      const message = checkMessage(walk, bytes.subarray(0, footerEnd - length), start);
      if (message?.kind !== kind) throw new RangeError('a block of the footer is no batch');
      // Each lies in a place of its own, or few bytes would be read over and over.
      left -= message.end - start;
      if (left < 0) throw new RangeError('the blocks of the footer overlap');
    }
  }
}

/** The stream form is a chain of messages, the first of them a schema, that ends in an empty one. */
function checkStream(walk: Walk, bytes: Uint8Array): void {
  let at = 0;
  for (;;) {
    const message = checkMessage(walk, bytes, at);
    if (message === undefined) break;
    if (walk.messages === 0 && message.kind !== schemaKind) throw new RangeError('it begins with no schema');
    walk.messages++;
    at = message.end;
  }
  const end = at + (viewOf(bytes, at, 4).getInt32(0, true) === -1 ? 8 : 4);
  if (bytes.subarray(end).some((byte) => byte !== 0)) {
    throw truthError(
      { file: walk.file },
      `${bytes.length - end} bytes follow the end marker of the stream; write one stream to a file`,
    );
  }
}

/** The message at a place, undefined where it is the empty one that ends a stream. */
function checkMessage(walk: Walk, bytes: Uint8Array, start: number): Message | undefined {
  // Metadata before version 5 have no -1 before their length.
  const at = viewOf(bytes, start, 4).getInt32(0, true) === -1 ? start + 8 : start + 4;
  const length = viewOf(bytes, at - 4, 4).getInt32(0, true);
  if (length === 0) return undefined;
  const view = viewOf(bytes, at, length);
  const message = rootTable(view);
  const body = viewOf(bytes, at + length, longIn(view, message, 3));
  const kindAt = fieldAt(view, message, 1);
  const kind = kindAt === 0 ? 0 : view.getUint8(kindAt);
  const header = tableIn(view, message, 2);
  if (header === 0) throw new RangeError('a message without a header');
  checkTexts(view, message, 4);
  if (kind === schemaKind) checkSchema(walk.file, view, header);
  else if (kind === batchKind) checkBatch(view, header, body);
  else if (kind === dictionaryKind) checkBatch(view, tableIn(view, header, 1), body);
  else throw new RangeError(`a message of kind ${kind}`);
  return { kind, end: at + length + body.byteLength };
}

const rowsMax = 2 ** 31 - 1;
/** Before the bytes of a compressed buffer stands how many they were; -1 where they are not compressed after all. */
const prefixBytes = 8;

function checkBatch(view: DataView, batch: number, body: DataView): void {
  if (batch === 0) throw new RangeError('a dictionary without a batch');
  const nodes = itemsIn(view, batch, 1, 16);
  const lengths = [longIn(view, batch, 0), ...nodes.map((at) => longAt(view, at))];
  if (lengths.some((length) => length > rowsMax)) throw new RangeError('a batch of more rows than can be');
  // Some writers leave the nulls uncounted: -1.
  if (nodes.some((at) => view.getBigInt64(at + 8, true) > view.getBigInt64(at, true)))
    throw new RangeError('more nulls than cells');
  const isCompressed = tableIn(view, batch, 3) !== 0;
  const buffers = itemsIn(view, batch, 2, 16);
  for (const at of buffers) {
    const [start, length] = [longAt(view, at), longAt(view, at + 8)];
    if (start + length > body.byteLength) throw new RangeError('a buffer runs beyond its batch');
    if (!isCompressed || length === 0) continue;
    const plain = length < prefixBytes ? Number.NaN : Number(body.getBigInt64(start, true));
    if (!(plain >= -1 && plain <= rowsMax)) throw new RangeError(`a compressed buffer of ${plain} bytes`);
  }
  for (const at of itemsIn(view, batch, 4, 8))
    if (longAt(view, at) > buffers.length) throw new RangeError('a view of more buffers than there are');
}

function checkSchema(file: string, view: DataView, schema: number): void {
  if (schema === 0) throw new RangeError('no schema');
  checkTexts(view, schema, 2);
  // A damaged schema can refer to the same table over and over.
  const left = { fields: view.byteLength / 8 };
  for (const field of tablesIn(view, schema, 1)) {
    const column = textIn(view, field, 0);
    checkField(view, field, left, column, (path, type) => refuseType(file, column, path, type));
  }
}

const unreadableTypes: ReadonlyMap<number, string> = new Map([
  [22, 'run_end_encoded'],
  [25, 'list_view'],
  [26, 'large_list_view'],
]);
const unionType = 14;

function checkField(
  view: DataView,
  field: number,
  left: { fields: number },
  path: string,
  refuse: (path: string, type: string) => never,
): void {
  if (--left.fields < 0) throw new RangeError('a schema of more fields than it has room for');
  const typeAt = fieldAt(view, field, 2);
  const type = typeAt === 0 ? 0 : view.getUint8(typeAt);
  const unreadableType = unreadableTypes.get(type);
  if (unreadableType !== undefined) refuse(path, unreadableType);
  if (type === unionType) itemsIn(view, tableIn(view, field, 3), 1, 4);
  checkTexts(view, field, 6);
  for (const child of tablesIn(view, field, 5))
    checkField(view, child, left, `${path}.${textIn(view, child, 0)}`, refuse);
}

function refuseType(file: string, column: string, path: string, type: string): never {
  const inside = path === column ? '' : ` (at ${path})`;
  const cast = type === 'run_end_encoded' ? 'decode it (pyarrow.compute.run_end_decode)' : 'cast it to a list';
  const remedy = `${cast}, or leave the column out, for example table.drop_columns(["${column}"]) in pyarrow`;
  throw truthError({ file, column }, `type ${type}${inside} cannot be read; ${remedy}`);
}

/** A vector of {key, value}. */
function checkTexts(view: DataView, table: number, index: number): void {
  for (const pair of tablesIn(view, table, index)) for (const at of [0, 1]) textIn(view, pair, at);
}

function viewOf(bytes: Uint8Array, start: number, length: number): DataView {
  if (start + length > bytes.length) throw new RangeError(`${length} bytes expected at ${start} of ${bytes.length}`);
  return new DataView(bytes.buffer, bytes.byteOffset + start, length);
}
