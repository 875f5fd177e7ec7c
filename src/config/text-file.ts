import { closeSync, constants, openSync, readSync, type Stats, statSync } from 'node:fs';

/** Far more than any configuration, certificate or list of tokens has. */
const bytesMax = 2 ** 24;
/** A pipe may take so long to say anything: its reader cannot be stopped meanwhile. */
const silenceMs = 5_000;
const pauseMs = 20;

/**
 * Text of a file of the configuration: a regular file, or a pipe that ends. Throws an error that says what else it is, that it is too long,
 * or that nothing came through the pipe; the caller names the file.
 */
export function textOf(file: string): string {
  const status = statSync(file);
  const problem = problemOf(status, file);
  if (problem !== undefined) throw new Error(problem);
  // To open a pipe without a writer would wait for ever.
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return contentOf(fd, status.isFIFO());
  } finally {
    closeSync(fd);
  }
}

function problemOf(status: Stats, file: string): string | undefined {
  if (status.isDirectory()) return 'it is a folder';
  if (status.isSocket()) return 'it is a socket';
  return status.isFile() || status.isFIFO() || file === '/dev/null' ? undefined : 'it is a device';
}

function contentOf(fd: number, isPipe: boolean): string {
  const pieces: Buffer[] = [];
  let size = 0;
  for (let waitedMs = 0; ; ) {
    const piece = Buffer.alloc(65_536);
    const read = readNow(fd, piece);
    // Before its writer comes a pipe is at its end.
    if (read === undefined || (read === 0 && isPipe && size === 0)) {
      if (waitedMs >= silenceMs) throw new Error(`nothing came through the pipe within ${silenceMs} ms`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      waitedMs += pauseMs;
    } else if (read === 0) return Buffer.concat(pieces).toString('utf8');
    else {
      pieces.push(piece.subarray(0, read));
      size += read;
      waitedMs = 0;
      if (size > bytesMax) throw new Error(`it is longer than ${bytesMax} bytes`);
    }
  }
}

/** Reads what is there; undefined where a writer has still to write. */
function readNow(fd: number, piece: Buffer): number | undefined {
  try {
    return readSync(fd, piece);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
    throw error;
  }
}
