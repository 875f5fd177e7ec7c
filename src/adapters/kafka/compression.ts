import zlib from 'node:zlib';
import { decompress as fzstdDecompress } from 'fzstd';
import kafkajs from 'kafkajs';
import { compressFrame, decompressFrame } from 'lz4-napi';
import { compress as snappyCompress, uncompress as snappyUncompress } from 'snappyjs';

interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(bytes: Buffer): Promise<Buffer>;
}

/** `zlib` of Node 22.15 and later. */
interface ZstdOfNode {
  zstdCompressSync?(bytes: Uint8Array): Buffer;
  zstdDecompressSync?(bytes: Uint8Array): Buffer;
}

/** Adds snappy, lz4 and zstd to kafkajs, which brings gzip alone and stops for good at a batch in a codec that it does not know. */
export function registerCodecs(): void {
  const { CompressionCodecs, CompressionTypes } = kafkajs;
  CompressionCodecs[CompressionTypes.Snappy] = () => snappy;
  CompressionCodecs[CompressionTypes.LZ4] = () => lz4;
  CompressionCodecs[CompressionTypes.ZSTD] = () => zstd;
}

/** Plain bytes of a record batch's body. `type` is the number in the batch's attributes. */
export async function decompress(type: number, bytes: Buffer): Promise<Buffer> {
  const codec = kafkajs.CompressionCodecs[type as keyof typeof kafkajs.CompressionCodecs] as (() => Codec) | undefined;
  if (codec === undefined) throw new Error(`its compression (number ${type}) is not known`);
  return await codec().decompress(bytes);
}

const snappy: Codec = {
  async compress({ buffer }) {
    return xerialFrame(buffer);
  },
  async decompress(bytes) {
    return isXerial(bytes) ? readXerial(bytes) : snappyUncompress(bytes);
  },
};

const lz4: Codec = {
  compress: ({ buffer }) => compressFrame(buffer),
  decompress: (bytes) => decompressFrame(bytes),
};

const zstd: Codec = {
  async compress({ buffer }) {
    const { zstdCompressSync } = zlib as ZstdOfNode;
    if (zstdCompressSync === undefined)
      throw new Error('Writing zstd needs Node 22.15 or later: use another compression');
    return zstdCompressSync(buffer);
  },
  async decompress(bytes) {
    const { zstdDecompressSync } = zlib as ZstdOfNode;
    if (zstdDecompressSync !== undefined) return zstdDecompressSync(bytes);
    const plain = fzstdDecompress(bytes);
    return Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength);
  },
};

/**
 * Framing of snappy blocks by the Java library, which most Kafka clients write: a header of 16 bytes, then blocks, each behind its
 * length. Source: SnappyOutputStream of xerial/snappy-java.
 */
const xerialHeader: Buffer = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
const xerialMagicBytes = 8;
const xerialBlockBytes = 32_768;

function isXerial(bytes: Buffer): boolean {
  return (
    bytes.length >= xerialHeader.length && bytes.compare(xerialHeader, 0, xerialMagicBytes, 0, xerialMagicBytes) === 0
  );
}

function readXerial(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [];
  let at = xerialHeader.length;
  while (at < bytes.length) {
    const length = bytes.readInt32BE(at);
    at += 4;
    blocks.push(snappyUncompress(bytes.subarray(at, at + length)));
    at += length;
  }
  return Buffer.concat(blocks);
}

function xerialFrame(bytes: Buffer): Buffer {
  const parts: Buffer[] = [xerialHeader];
  for (let at = 0; at < bytes.length; at += xerialBlockBytes) {
    const block = snappyCompress(bytes.subarray(at, at + xerialBlockBytes));
    const length = Buffer.alloc(4);
    length.writeInt32BE(block.length);
    parts.push(length, block);
  }
  return Buffer.concat(parts);
}
