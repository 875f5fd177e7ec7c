import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { decompressFrameSync } from 'lz4-napi';
import { uncompressSync } from 'snappy';
import { unzstd, zstdReady } from '../../formats/bytes/zstd-frame.ts';
import { lz4PlainBytes } from './lz4-frame.ts';

/**
 * Plain bytes of a record batch's body, undefined where they are more than `limit`: no codec makes more than that, whatever sizes the
 * compressed bytes claim. `codec` is the number in the batch's attributes, above 0.
 */
export async function decompress(codec: number, bytes: Buffer, limit: number): Promise<Buffer | undefined> {
  return await decoders[codec - 1]!(bytes, limit);
}

/** To be awaited before `decompress`. Rejects where the codec is not known, or its library cannot be loaded. */
export async function codecReady(codec: number): Promise<void> {
  if (codec > decoders.length) throw new Error(`its compression (number ${codec}) is not known`);
  if (decoders[codec - 1] === unzstd) await zstdReady();
}

const decoders = [gunzip, unsnappy, unlz4, unzstd] as const;

const unzip: (bytes: Buffer, options: zlib.ZlibOptions) => Promise<Buffer> = promisify(zlib.unzip);

async function gunzip(bytes: Buffer, limit: number): Promise<Buffer | undefined> {
  try {
    return await unzip(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}

function unlz4(bytes: Buffer, limit: number): Buffer | undefined {
  return lz4PlainBytes(bytes, limit) > limit ? undefined : decompressFrameSync(bytes);
}

/**
 * Snappy as the Java library frames it, which most Kafka clients use: a header of 16 bytes, then blocks, each behind its length. Source:
 * SnappyOutputStream of xerial/snappy-java.
 */
const xerialMagic: Buffer = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0]);
const xerialHeaderBytes = 16;

function unsnappy(bytes: Buffer, limit: number): Buffer | undefined {
  const blocks = bytes.subarray(0, xerialMagic.length).equals(xerialMagic) ? xerialBlocks(bytes) : [bytes];
  const claimed = blocks.reduce((sum, block) => sum + claimedBytes(block), 0);
  if (claimed > limit) return undefined;
  return Buffer.concat(blocks.map((block) => uncompressSync(block, { asBuffer: true }) as Buffer));
}

function xerialBlocks(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = xerialHeaderBytes; at < bytes.length; ) {
    const start = at + 4;
    const length = start <= bytes.length ? bytes.readInt32BE(at) : -1;
    if (length < 0 || start + length > bytes.length) throw new Error('its snappy block is longer than its bytes');
    blocks.push(bytes.subarray(start, start + length));
    at = start + length;
  }
  return blocks;
}

/** The plain length that a snappy block claims, which the decoder does not exceed: 7-bit groups, the least first. */
function claimedBytes(block: Buffer): number {
  let length = 0;
  for (let at = 0; at < 5 && at < block.length; at++) {
    length += (block[at]! & 0x7f) * 2 ** (7 * at);
    if (block[at]! < 0x80) return length;
  }
  throw new Error('its snappy block has no length');
}
