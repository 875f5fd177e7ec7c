import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { unzstd, zstdReady } from '../../formats/bytes/zstd-frame.ts';

/** The body of a request, decompressed; or why it is not taken. */
export type Body = { readonly bytes: Buffer } | BodyProblem;

export interface BodyProblem {
  readonly status: 400 | 413 | 415 | 429;
  readonly problem: string;
}

export interface BodyLimits {
  /** Bytes of a body, as sent and decompressed. */
  readonly bytes: number;
  /** Bytes of all bodies that are held at a time. */
  readonly held: number;
}

/** Reads the body of a request. It is held until the response is over. */
export type ReadBody = (request: IncomingMessage, response: ServerResponse) => Promise<Body>;

/**
 * A reader of bodies with bounds: of one, and of all together. Decompression goes one body at a time and ends at the bound, so that a small
 * body that unpacks to gigabytes costs no more than a plain one of 16 MiB.
 */
export function bodyReader(limits: BodyLimits): ReadBody {
  const held = { bytes: 0 };
  let inTurn: Promise<unknown> = Promise.resolve();
  return async (request, response) => {
    const own = { bytes: 0, isOver: false };
    const hold = (bytes: number): boolean => {
      if (own.isOver) return true;
      own.bytes += bytes;
      held.bytes += bytes;
      return held.bytes <= limits.held;
    };
    const release = (): void => {
      held.bytes -= own.bytes;
      own.bytes = 0;
    };
    response.once('close', () => {
      release();
      own.isOver = true;
    });
    const refused = headerProblem(request, limits);
    if (refused !== undefined) return refused;
    if (request.headers.expect !== undefined) response.writeContinue();
    const sent = await received(request, limits, hold);
    if (!('bytes' in sent)) {
      release();
      return sent;
    }
    const encoding = encodingOf(request);
    if (encoding === '') return sent;
    const plain = inTurn.then(() => decoded(sent.bytes, encoding, limits.bytes));
    inTurn = plain.catch(() => undefined);
    const body = await plain;
    return 'bytes' in body && !hold(body.bytes.length) ? tooManyBytes : body;
  };
}

type CompressionName = 'gzip' | 'zstd';

const names: ReadonlyMap<string, CompressionName | ''> = new Map([
  ['', ''],
  ['identity', ''],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['zstd', 'zstd'],
]);

function encodingOf({ headers }: IncomingMessage): CompressionName | '' | undefined {
  return names.get((headers['content-encoding'] ?? '').trim().toLowerCase());
}

const tooManyBytes: BodyProblem = {
  status: 429,
  problem: 'too many bytes of other requests are being read; send it again in a second',
};

function tooLarge({ bytes }: BodyLimits): BodyProblem {
  return { status: 413, problem: `the body has more than ${bytes} bytes; send it in several requests` };
}

function headerProblem(request: IncomingMessage, limits: BodyLimits): BodyProblem | undefined {
  const { 'content-length': length, 'content-encoding': encoding } = request.headers;
  if (encodingOf(request) === undefined)
    return { status: 415, problem: `content-encoding: ${encoding} is not read; send gzip, zstd, or leave it out` };
  return Number(length ?? 0) > limits.bytes ? tooLarge(limits) : undefined;
}

/** The bytes as they come. Of a body that is not taken, what follows is read and dropped, so that the client gets its answer. */
function received(request: IncomingMessage, limits: BodyLimits, hold: (bytes: number) => boolean): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (body: Body): void => {
      request.removeAllListeners('data').resume();
      chunks.length = 0;
      resolve(body);
    };
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.bytes) end(tooLarge(limits));
      else if (!hold(chunk.length)) end(tooManyBytes);
      else chunks.push(chunk);
    });
    request.once('end', () => end({ bytes: Buffer.concat(chunks) }));
    // The client has left, or was too slow: no answer can reach it.
    request.once('close', () => end({ status: 400, problem: 'the body was cut short' }));
    request.on('error', () => undefined);
  });
}

const gunzip: (bytes: Buffer, options: zlib.ZlibOptions) => Promise<Buffer> = promisify(zlib.gunzip);

async function decoded(sent: Buffer, encoding: CompressionName | undefined, limit: number): Promise<Body> {
  try {
    if (encoding === 'gzip') return { bytes: await gunzip(sent, { maxOutputLength: limit }) };
    await zstdReady();
    const plain = unzstd(sent, limit);
    return plain === undefined ? tooLarge({ bytes: limit, held: limit }) : { bytes: plain };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      return tooLarge({ bytes: limit, held: limit });
    return {
      status: 400,
      problem: `the body is no ${encoding} (${(error as Error).message}); correct content-encoding, or send it again`,
    };
  }
}
