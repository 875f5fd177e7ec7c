import { Buffer } from 'node:buffer';
import { CompressionType, compressionRegistry } from 'apache-arrow';
import { decompress } from 'fzstd';
import { decompressFrameSync } from 'lz4-napi';

/** Teaches the Arrow library to read LZ4 (what pyarrow and pandas write) and ZSTD. Nothing is written compressed. */
export function registerArrowCodecs(): void {
  compressionRegistry.set(CompressionType.LZ4_FRAME, {
    decode: (bytes) => decompressFrameSync(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
  });
  compressionRegistry.set(CompressionType.ZSTD, {
    // It returns a view of odd alignment on a larger buffer: 64-bit columns need a copy of their own.
    decode: (bytes) => decompress(bytes).slice(),
  });
}
