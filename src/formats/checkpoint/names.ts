import { checksum } from '../bytes/checksum.ts';

/** What the name of a checkpoint file says: enough to know the tree of cuts without opening a file. */
export interface CutFile {
  readonly name: string;
  readonly id: string;
  /** The cut that the file changes, undefined for a full state. */
  readonly parent: string | undefined;
  readonly nextOffset: number;
}

const offsetDigits = 16;
const longestFolder = 230;

/** `0000000000001234.ID.full`, or `0000000000001234.ID.PARENT.changes`: by name is by offset. */
export function checkpointFileName(cut: Omit<CutFile, 'name'>): string {
  const offset = String(cut.nextOffset).padStart(offsetDigits, '0');
  const [id, parent] = [escapeDots(cut.id), cut.parent];
  return parent === undefined ? `${offset}.${id}.full` : `${offset}.${id}.${escapeDots(parent)}.changes`;
}

/** What a file name says; undefined for a name that is not a checkpoint's. */
export function parseCheckpointFileName(name: string): CutFile | undefined {
  const match = /^(\d{16})\.([^.]+)(?:\.full|\.([^.]+)\.changes)$/.exec(name);
  if (match === null) return undefined;
  const [, offset, id, parent] = match;
  const nextOffset = Number(offset);
  if (!Number.isSafeInteger(nextOffset)) return undefined;
  return { name, id: unescaped(id!), parent: parent === undefined ? undefined : unescaped(parent), nextOffset };
}

/**
 * A folder name for any text, different for different texts: letters, digits, `_`, `-` and inner dots stand for themselves, all
 * else is `%` and two hexadecimal digits a byte of UTF-8. A name above 230 characters is cut and ends in a checksum of the text.
 *
 * @example folderName('../etc') // '%2E.%2Fetc'
 */
export function folderName(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let name = '';
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    const plain = /[A-Za-z0-9_-]/.test(char) || (char === '.' && name !== '');
    name += plain ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  if (name === '') return '%';
  if (name.length <= longestFolder || isPlain(text)) return name;
  const [low, high] = checksum(bytes, bytes.length);
  return `${name.slice(0, longestFolder)}%~${low.toString(16)}${high.toString(16).padStart(8, '0')}`;
}

/** The text that a folder name stands for; a name that was cut stands for itself. */
export function folderText(name: string): string {
  return name === '%' ? '' : unescaped(name);
}

/** Names of Kafka topics end at 249 characters: they are never cut. */
function isPlain(text: string): boolean {
  return text.length <= 249 && /^[A-Za-z0-9_.-]+$/.test(text);
}

function escapeDots(id: string): string {
  const escaped = folderName(id).replaceAll('.', '%2E');
  if (id.length === 0 || escaped.length > 80)
    throw new Error(`checkpoint id ${JSON.stringify(id)}: 1 to 80 characters expected`);
  return escaped;
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
