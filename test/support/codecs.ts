import kafkajs from 'kafkajs';
import { compressFrame, decompressFrame } from 'lz4-napi';
import { compress, uncompress } from 'snappy';

/** Adds snappy and lz4 to kafkajs for the producers and consumers of tests: it brings gzip alone. */
export function registerCodecs(): void {
  const { CompressionCodecs, CompressionTypes } = kafkajs;
  CompressionCodecs[CompressionTypes.Snappy] = () => ({
    compress: async ({ buffer }: { readonly buffer: Buffer }) => xerialFrame(buffer),
    decompress: (bytes: Buffer) => uncompress(bytes, { asBuffer: true }),
  });
  CompressionCodecs[CompressionTypes.LZ4] = () => ({
    compress: ({ buffer }: { readonly buffer: Buffer }) => compressFrame(buffer),
    decompress: (bytes: Buffer) => decompressFrame(bytes),
  });
  CompressionCodecs[CompressionTypes.ZSTD] = () => ({
    compress: async ({ buffer }: { readonly buffer: Buffer }) => zstdFrame(buffer),
    decompress: () => Promise.reject(new Error('a test reads no zstd by kafkajs')),
  });
}

/** Blocks of 32 KB, as the Java library writes them. */
export async function xerialFrame(bytes: Buffer): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 32_768) blocks.push(await compress(bytes.subarray(at, at + 32_768)));
  return javaFrame(blocks);
}

/** Snappy blocks, each behind its length, as the Java library frames them. */
export function javaFrame(blocks: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1])];
  for (const block of blocks) {
    const length = Buffer.alloc(4);
    length.writeInt32BE(block.length);
    parts.push(length, block);
  }
  return Buffer.concat(parts);
}

/** A zstd frame whose blocks are as they are, or (runs of one byte) a few bytes each: what needs no compressor. */
export function zstdFrame(bytes: Buffer): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  const parts: Buffer[] = [header];
  const most = 131_072;
  for (let at = 0; at === 0 || at < bytes.length; at += most) {
    const block = bytes.subarray(at, at + most);
    const isLast = at + most >= bytes.length ? 1 : 0;
    const isRun = block.length > 1 && block.equals(Buffer.alloc(block.length, block[0]));
    const blockHeader = Buffer.alloc(3);
    blockHeader.writeUIntLE(isLast | ((isRun ? 1 : 0) << 1) | (block.length << 3), 0, 3);
    parts.push(blockHeader, isRun ? block.subarray(0, 1) : block);
  }
  return Buffer.concat(parts);
}
