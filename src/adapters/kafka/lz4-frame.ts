/**
 * How many plain bytes an LZ4 frame holds: by the largest size of its blocks, and only where that is above `limit` by their content.
 * Decompresses nothing; the decoder accepts no block that is larger than the frame allows. Throws where the frame is damaged. Layout:
 * lz4_Frame_format.md and lz4_Block_format.md of github.com/lz4/lz4.
 */
export function lz4PlainBytes(bytes: Buffer, limit: number): number {
  const { blocks, blockBytes } = readFrame(bytes);
  const most = blocks.reduce((sum, { start, end, plain }) => sum + (plain ? end - start : blockBytes), 0);
  if (most <= limit) return most;
  let size = 0;
  for (const { start, end, plain } of blocks) {
    size += plain ? end - start : plainBytesOfBlock(bytes, start, end);
    if (size > limit) break;
  }
  return size;
}

interface Block {
  readonly start: number;
  readonly end: number;
  /** It is not compressed. */
  readonly plain: boolean;
}

const magic = 0x184d2204;
const hasBlockChecksums = 0x10;
const hasContentSize = 0x08;
const hasContentChecksum = 0x04;
const hasDictionary = 0x01;

function readFrame(bytes: Buffer): { readonly blocks: Block[]; readonly blockBytes: number } {
  if (bytes.length < 7 || bytes.readUInt32LE(0) !== magic) throw new Error('it does not begin as an LZ4 frame');
  const flags = bytes[4]!;
  const blockBytes = 2 ** (8 + 2 * ((bytes[5]! >> 4) & 7));
  let at = 7 + ((flags & hasContentSize) === 0 ? 0 : 8) + ((flags & hasDictionary) === 0 ? 0 : 4);
  const blocks: Block[] = [];
  for (;;) {
    if (at + 4 > bytes.length) throw new Error('its LZ4 frame has no end');
    const size = bytes.readUInt32LE(at);
    at += 4;
    if (size === 0) break;
    const end = at + (size & 0x7fffffff);
    blocks.push({ start: at, end, plain: size > 0x7fffffff });
    at = end + ((flags & hasBlockChecksums) === 0 ? 0 : 4);
  }
  if (at + ((flags & hasContentChecksum) === 0 ? 0 : 4) !== bytes.length)
    throw new Error('its LZ4 frame does not end with the batch');
  return { blocks, blockBytes };
}

/** Follows the lengths of literals and matches alone. */
function plainBytesOfBlock(bytes: Buffer, start: number, end: number): number {
  let at = start;
  let size = 0;
  const lengthOf = (nibble: number): number => {
    let length = nibble;
    if (nibble === 15)
      for (let more = 255; more === 255 && at < end; at++) {
        more = bytes[at]!;
        length += more;
      }
    return length;
  };
  while (at < end) {
    const token = bytes[at++]!;
    const literals = lengthOf(token >> 4);
    at += literals;
    size += literals;
    if (at >= end) break;
    at += 2;
    size += lengthOf(token & 15) + 4;
  }
  return size;
}
