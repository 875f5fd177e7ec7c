import { bodyLength, type UnreadableColumn, unreadableColumn } from './flatbuffer.ts';
import { truthError } from '../truth/error.ts';

export type ArrowForm = 'file' | 'stream';

/**
 * Form of an Arrow file, after the checks that the library leaves out: it takes no bytes, a cut stream and a foreign format
 * for a table of fewer rows. Throws TruthError.
 */
export function arrowForm(file: string, bytes: Uint8Array): ArrowForm {
  if (bytes.length === 0) throw truthError({ file }, 'the file is empty; write it again');
  if (startsWith(bytes, 'ARROW1')) {
    checkFileEnd(file, bytes);
    return 'file';
  }
  for (const [magic, problem] of foreign) if (startsWith(bytes, magic)) throw truthError({ file }, problem);
  checkStreamEnd(file, bytes);
  return 'stream';
}

/** Why the library could not read a file, in words that help: the columns of unreadable type, else its own complaint. */
export function explainUnreadable(file: string, bytes: Uint8Array, form: ArrowForm, error: unknown): Error {
  const first = unreadableIn(bytes, form === 'file' ? 8 : 0);
  if (first !== undefined) {
    const inside = first.path === first.column ? '' : ` (at ${first.path})`;
    const cast = first.type === 'run_end_encoded' ? 'decode it (pyarrow.compute.run_end_decode)' : 'cast it to a list';
    const remedy = `${cast}, or leave the column out, for example table.drop_columns(["${first.column}"]) in pyarrow`;
    return truthError({ file, column: first.column }, `type ${first.type}${inside} cannot be read; ${remedy}`);
  }
  const message = error instanceof Error ? error.message : String(error);
  return truthError({ file }, `cannot be read as Arrow (${message}); it is damaged or cut short, write it again`);
}

const foreign: readonly (readonly [string, string])[] = [
  ['FEA1', 'Feather version 1 is not read; write version 2, pyarrow.feather.write_feather(df, path, version=2)'],
  ['PAR1', 'Parquet is not read; write Arrow IPC, pyarrow.feather.write_feather(table, path)'],
  ['{', 'this looks like NDJSON; make an Arrow table of it with `assay truth build`, or name it *.ndjson'],
];

function startsWith(bytes: Uint8Array, text: string): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[i] !== text.charCodeAt(i)) return false;
  return true;
}

const magicLength = 6;

/** The file form ends in a footer, its length and the magic word. */
function checkFileEnd(file: string, bytes: Uint8Array): void {
  const footerEnd = bytes.length - magicLength - 4;
  const whole = footerEnd > 8 && startsWith(bytes.subarray(bytes.length - magicLength), 'ARROW1');
  const footer = whole ? viewOf(bytes).getInt32(footerEnd, true) : 0;
  if (footer <= 0 || footer > footerEnd - 8)
    throw truthError({ file }, 'the file is cut short: it has no Arrow footer; write it again');
}

/** The stream form is a chain of messages that ends in an empty one. */
function checkStreamEnd(file: string, bytes: Uint8Array): void {
  const view = viewOf(bytes);
  let at = 0;
  let messages = 0;
  try {
    for (;;) {
      const continued = view.getInt32(at, true) === -1;
      if (continued) at += 4;
      const length = view.getInt32(at, true);
      at += 4;
      if (length < 0) throw new RangeError('negative message length');
      if (length === 0) break;
      at += length + bodyLength(view, at);
      messages++;
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const problem =
      messages === 0 ? 'this is no Arrow file or stream' : 'the stream is cut short or damaged: it has no end marker';
    throw truthError({ file }, `${problem}; write it again`);
  }
  if (bytes.subarray(at).some((byte) => byte !== 0)) {
    throw truthError(
      { file },
      `${bytes.length - at} bytes follow the end marker of the stream; write one stream to a file`,
    );
  }
}

function unreadableIn(bytes: Uint8Array, schemaAt: number): UnreadableColumn | undefined {
  const view = viewOf(bytes);
  try {
    return unreadableColumn(view, view.getInt32(schemaAt, true) === -1 ? schemaAt + 8 : schemaAt + 4);
  } catch {
    return undefined;
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
