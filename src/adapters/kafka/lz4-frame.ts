const magic = 0x184d2204;
const hasBlockChecksums = 0x10;
const hasContentSize = 0x08;
const hasContentChecksum = 0x04;
const hasDictionary = 0x01;

/**
 * Plain bytes of an LZ4 frame, counted up to the block that exceeds `limit`, without decompressing it. Throws if the frame is damaged.
 * Layout: lz4_Frame_format.md and lz4_Block_format.md of github.com/lz4/lz4.
 */
export function lz4PlainBytes(bytes: Buffer, limit: number): number {
  if (bytes.length < 7 || bytes.readUInt32LE(0) !== magic) throw new Error('it does not begin as an LZ4 frame');
  const flags = bytes[4]!;
  const checksumBytes = (flags & hasBlockChecksums) === 0 ? 0 : 4;
  let at = 7 + ((flags & hasContentSize) === 0 ? 0 : 8) + ((flags & hasDictionary) === 0 ? 0 : 4);
  let size = 0;
  while (size <= limit) {
    if (at + 4 > bytes.length) throw new Error('its LZ4 frame has no end');
    const block = bytes.readUInt32LE(at);
    at += 4;
    if (block === 0) break;
    const end = at + (block & 0x7fffffff);
    const isPlain = block > 0x7fffffff;
    size += isPlain ? end - at : plainBytesOfBlock(bytes, at, Math.min(end, bytes.length));
    at = end + checksumBytes;
  }
  if (size <= limit && at + ((flags & hasContentChecksum) === 0 ? 0 : 4) !== bytes.length)
    throw new Error('its LZ4 frame does not end with the batch');
  return size;
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
