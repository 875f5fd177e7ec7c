import { crc32 } from 'node:zlib';
import { percentDecoded } from '../../scoring/percent-decoded.ts';

/** The parts of a checkpoint file's name: enough to draw the tree of checkpoints without opening a file. */
export interface CheckpointFile {
  readonly name: string;
  readonly id: string;
  /** The checkpoint that a delta builds on, undefined for a snapshot. */
  readonly base: string | undefined;
  readonly nextOffset: number;
}

const offsetDigits = 16;
const longestFolder = 230;

/** `0000000000001234.ID.snapshot`, or `0000000000001234.ID.BASE.delta`: by name is by offset. */
export function checkpointFileName({ id, base, nextOffset }: Omit<CheckpointFile, 'name'>): string {
  const start = `${String(nextOffset).padStart(offsetDigits, '0')}.${escapeDots(id)}`;
  return base === undefined ? `${start}.snapshot` : `${start}.${escapeDots(base)}.delta`;
}

/** The parts of a file name; undefined for a name that is not a checkpoint's. */
export function parseCheckpointFileName(name: string): CheckpointFile | undefined {
  const match = /^(\d{16})\.([^.]+)(?:\.snapshot|\.([^.]+)\.delta)$/.exec(name);
  if (match === null) return undefined;
  const [, offset, id, base] = match;
  const nextOffset = Number(offset);
  if (!Number.isSafeInteger(nextOffset)) return undefined;
  return { name, id: percentDecoded(id!), base: base === undefined ? undefined : percentDecoded(base), nextOffset };
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
  return `${name.slice(0, longestFolder)}%~${crc32(bytes).toString(16)}`;
}

/** Where the files of a partition lie: `<group>/<topic>/<partition>`, names escaped. */
export function partitionFolder(
  group: string,
  { topic, partition }: { readonly topic: string; readonly partition: number },
): string {
  return [folderName(group), folderName(topic), String(partition)].join('/');
}

/** The text that a folder name stands for; a name that was cut stands for itself. */
export function folderText(name: string): string {
  return name === '%' ? '' : percentDecoded(name);
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
