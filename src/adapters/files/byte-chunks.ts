import { constants, openSync } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';

/** The bytes of a file, piece by piece; `read` counts those that were taken from it. */
export interface ByteChunks {
  readonly chunks: AsyncIterableIterator<Buffer>;
  readonly read: { bytes: number };
  /** True if the input is a file, which can be opened again. */
  readonly isFile: boolean;
  /** Ends the reading. */
  close(): void;
}

/** Opens a file, a pipe, or `-` for standard input. Rejects where it cannot be read, naming it; so does reading when `signal` aborts. */
export async function byteChunks(path: string, signal?: AbortSignal): Promise<ByteChunks> {
  const { stream, isFile } = path === '-' ? { stream: process.stdin, isFile: false } : await openFile(path);
  if (signal !== undefined) addAbortSignal(signal, stream);
  const read = { bytes: 0 };
  return { chunks: counted(stream, read), read, isFile, close: () => void stream.destroy() };
}

/** Bytes that were read already, as one piece. */
export function chunksOf(bytes: Uint8Array): ByteChunks {
  // A copy: what decompresses or transfers bytes does not take shared ones.
  const piece = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from(bytes);
  };
  return { chunks: piece(), read: { bytes: bytes.length }, isFile: false, close: () => undefined };
}

/** Bytes of a file, a pipe that ends, or standard input (`-`), as one. Rejects where it cannot be read or has more bytes than `bytesMax`, naming it. */
export async function wholeFile(path: string, bytesMax: number, signal?: AbortSignal): Promise<Buffer<ArrayBuffer>> {
  const { chunks } = await byteChunks(path, signal);
  const bytes = await wholeOf(chunks, bytesMax, `${path}: is longer than ${bytesMax} bytes`);
  return Buffer.from(bytes.buffer);
}

/** All pieces as one; rejects with `tooLong` where they are more than `bytesMax` bytes. */
export async function wholeOf(
  chunks: AsyncIterable<Buffer>,
  bytesMax: number,
  tooLong: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > bytesMax) throw new Error(tooLong);
    pieces.push(chunk);
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Joins pieces until `find` finds something in them. Returns that, and all pieces from the first on. */
export async function headOf<Found>(
  chunks: AsyncIterableIterator<Buffer>,
  find: (head: Buffer, ended: boolean) => Found | undefined,
): Promise<{ readonly found: Found; readonly chunks: AsyncIterableIterator<Buffer> }> {
  let head: Buffer = Buffer.alloc(0);
  for (;;) {
    const next = await chunks.next();
    if (!next.done) head = head.length === 0 ? next.value : Buffer.concat([head, next.value]);
    const found = find(head, next.done === true);
    if (found !== undefined) return { found, chunks: joined(head, chunks) };
  }
}

async function* counted(stream: Readable, read: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    read.bytes += (chunk as Buffer).length;
    yield chunk as Buffer;
  }
}

async function* joined(head: Buffer, rest: AsyncIterableIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

/** The file as a stream; rejects where it cannot be read, naming it. */
async function openFile(path: string): Promise<{ readonly stream: Readable; readonly isFile: boolean }> {
  try {
    const status = await stat(path);
    if (status.isDirectory()) throw new Error('it is a folder');
    if (status.isSocket()) throw new Error('it is a socket');
    // Such as /dev/zero, which never ends.
    if (status.isBlockDevice() || (status.isCharacterDevice() && !endingDevices.test(await realpath(path))))
      throw new Error('it is a device');
    // A pipe that is read like a file cannot be given up while nothing comes.
    if (status.isFIFO()) {
      const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      return { stream: new Socket({ fd }), isFile: false };
    }
    const file = await open(path);
    return { stream: file.createReadStream({ highWaterMark: 1 << 20 }), isFile: status.isFile() };
  } catch (error) {
    throw new Error(`${path}: cannot be read (${(error as Error).message}); name a file, or - for standard input`, {
      cause: error,
    });
  }
}

const endingDevices = /^\/dev\/(null|tty|pts\/)/;
