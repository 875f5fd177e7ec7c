import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';

/** The content of a gzip or zstd stream, in one or several members, piece by piece: however much it grows, little of it is held. */
export async function* decompressed(
  kind: 'gzip' | 'zstd',
  chunks: AsyncIterable<Buffer>,
  path: string,
): AsyncGenerator<Buffer> {
  try {
    yield* kind === 'gzip' ? gunzipped(chunks) : unzstd(chunks);
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: unknown };
    if (kind === 'zstd' ? typeof code !== 'number' : !String(code).startsWith('Z_')) throw error;
    throw new Error(`${path}: the ${kind} data is damaged or cut short (${message}); write or fetch it again`, {
      cause: error,
    });
  }
}

async function* gunzipped(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const plain = createGunzip({ chunkSize: 262_144 });
  const ended = pipeline(Readable.from(chunks), plain);
  // The waiting caller receives the error.
  ended.catch(() => undefined);
  yield* plain as AsyncIterable<Buffer>;
  await ended;
}

/** Bytes taken at a time: the densest of them unpack to 128 MB. */
const zstdBytesAtOnce = 4_096;

async function* unzstd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const plain: Buffer[] = [];
  const decoder = new Decompress((bytes) => void plain.push(Buffer.from(bytes)));
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += zstdBytesAtOnce) {
      decoder.push(chunk.subarray(at, at + zstdBytesAtOnce));
      if (plain.length > 0) yield Buffer.concat(plain.splice(0));
    }
  }
  decoder.push(new Uint8Array(0), true);
  if (plain.length > 0) yield Buffer.concat(plain);
}
