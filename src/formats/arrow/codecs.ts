import { CompressionType, compressionRegistry } from 'apache-arrow';
import { decompressFrameSync } from 'lz4-napi';
import { unzstd, zstdReady } from '../bytes/zstd-frame.ts';
import { asBuffer } from '../bytes/utf8.ts';

/** A batch holds less than 2 GiB of text (docs/reference/truth.md, "Arrow table"), in several buffers. */
const plainBytesMax = 2 ** 30;

/** Registers LZ4 (which pyarrow and pandas write) and ZSTD with the Arrow library, for reading. Files are written without compression. */
export async function registerArrowCodecs(): Promise<void> {
  await zstdReady();
  compressionRegistry.set(CompressionType.LZ4_FRAME, {
    decode: (bytes) => decompressFrameSync(asBuffer(bytes)),
  });
  compressionRegistry.set(CompressionType.ZSTD, {
    decode(bytes) {
      const plain = unzstd(asBuffer(bytes), plainBytesMax);
      if (plain === undefined) throw new RangeError(`a buffer holds more than ${plainBytesMax} bytes`);
      // 64-bit columns need an alignment that a part of a larger buffer may lack.
      return new Uint8Array(plain);
    },
  });
}
