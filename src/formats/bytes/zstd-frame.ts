import { ZSTDDecoder } from 'zstddec';

const decoder: ZSTDDecoder = new ZSTDDecoder();

/** Resolves when `unzstd` can be called. */
export async function zstdReady(): Promise<void> {
  await decoder.init();
}

/**
 * Decompresses zstd frames, to at most `limit` bytes. The sizes that their headers claim are not trusted: the decoder gets as much room
 * as the blocks can fill. Undefined where they do not fit; for some frames that is found without decompressing. Layout of a frame: RFC 8878.
 */
export function unzstd(bytes: Buffer, limit: number): Buffer | undefined {
  const { least, most } = plainBytes(bytes);
  if (least > limit) return undefined;
  if (most === 0) return Buffer.alloc(0);
  const { buffer, byteOffset, length } = decoder.decode(bytes, Math.min(most, limit));
  if (length > 0) return Buffer.from(buffer, byteOffset, length);
  if (most > limit) return undefined;
  throw damaged();
}

const magic = 0xfd2fb528;
const skippableMagic = 0x184d2a50;
const singleSegment = 0x20;
const hasChecksum = 0x04;
const blockBytesMax = 131_072;

/** How many plain bytes the blocks of all frames hold: one that is compressed may hold any number, up to a limit. */
interface Plain {
  readonly least: number;
  readonly most: number;
}

function plainBytes(bytes: Buffer): Plain {
  let [least, most] = [0, 0];
  for (let at = 0; at < bytes.length; ) {
    if (at + 8 > bytes.length) throw damaged();
    const found = bytes.readUInt32LE(at);
    if ((found & ~15) >>> 0 === skippableMagic) {
      at += 8 + bytes.readUInt32LE(at + 4);
      continue;
    }
    if (found !== magic) throw damaged();
    const flags = bytes[at + 4]!;
    const blocks = readBlocks(bytes, at + headerBytes(flags));
    least += blocks.least;
    most += blocks.most;
    at = blocks.end + ((flags & hasChecksum) === 0 ? 0 : 4);
  }
  return { least, most };
}

function headerBytes(flags: number): number {
  const single = (flags & singleSegment) !== 0;
  const windowBytes = single ? 0 : 1;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3]!;
  const contentSizeBytes = [single ? 1 : 0, 2, 4, 8][flags >> 6]!;
  return 5 + windowBytes + dictionaryBytes + contentSizeBytes;
}

function readBlocks(bytes: Buffer, start: number): Plain & { readonly end: number } {
  let [least, most] = [0, 0];
  for (let at = start; at + 3 <= bytes.length; ) {
    const header = bytes.readUIntLE(at, 3);
    const type = (header >> 1) & 3;
    const size = header >> 3;
    const [repeated, compressed] = [1, 2];
    least += type === compressed ? 0 : size;
    most += type === compressed ? blockBytesMax : size;
    at += 3 + (type === repeated ? 1 : size);
    if ((header & 1) !== 0) return { end: at, least, most };
  }
  throw damaged();
}

function damaged(): Error {
  return new Error('its zstd frame is damaged');
}
